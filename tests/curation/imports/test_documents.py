"""Documents come in once, change by version, and go without being deleted."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
import time_machine

from curation.actions.refusal import Refused
from curation.models import Corpus, Document, DocumentText, TargetIndex
from curation.reports.traffic import traffic_shares
from tests.bringing import bring, run, written

pytestmark = pytest.mark.django_db


def texts(corpus: str = "claims") -> dict[str, str]:
    current = DocumentText.objects.filter(document__corpus__slug=corpus, current=True, document__gone_at=None)
    return dict(current.values_list("document__external_id", "text"))


@time_machine.travel("2026-11-30T09:00:00Z", tick=False)
def test_a_new_corpus_gets_its_exact_index_in_production_and_its_next_mining_date(tmp_path: Path) -> None:
    answer = bring(
        "import_corpus", "claims", written(tmp_path, "c.jsonl", {"id": "d1", "text": "Hail"}), "--name", "Claims"
    )
    index = TargetIndex.objects.get(corpus__slug="claims")
    assert answer.code == 0
    assert answer.counts == (1, 1, 0, 0)
    assert (Corpus.objects.get().name, index.name, index.kind, index.is_production) == (
        "Claims",
        "exact",
        "exact",
        True,
    )
    assert (index.remine_anchor, index.remine_due_on) == (date(2026, 11, 30), date(2027, 2, 28))
    assert index.embedding_space == Corpus.objects.get().embedding_spaces.get(current=True)


def test_the_same_file_again_merges_and_changes_nothing(tmp_path: Path) -> None:
    path = written(
        tmp_path, "c.jsonl", {"id": "d1", "text": "Hail", "lang": "en", "brand": "x"}, {"id": "d2", "text": "Fog"}
    )
    bring("import_corpus", "claims", path)
    space = Corpus.objects.get().embedding_spaces.get(current=True)
    assert bring("import_corpus", "claims", path).counts == (2, 0, 2, 0)
    assert Corpus.objects.get().embedding_spaces.get() == space
    assert DocumentText.objects.count() == 2


def test_a_changed_description_is_stored_and_makes_no_new_text(tmp_path: Path) -> None:
    bring("import_corpus", "claims", written(tmp_path, "a.jsonl", {"id": "d1", "text": "Hail", "limit_amount": "500"}))
    answer = bring(
        "import_corpus", "claims", written(tmp_path, "b.jsonl", {"id": "d1", "text": "Hail", "limit_amount": "900"})
    )
    assert answer.counts == (1, 1, 0, 0)
    assert Document.objects.get().facts == {"limit_amount": "900"}
    assert DocumentText.objects.count() == 1


def test_a_text_that_comes_back_is_the_old_version_again(tmp_path: Path) -> None:
    for text in ("Hail", "Fog", "Hail"):
        assert bring("import_corpus", "claims", written(tmp_path, "c.jsonl", {"id": "d1", "text": text})).counts == (
            1,
            1,
            0,
            0,
        )
    assert texts() == {"d1": "Hail"}
    assert DocumentText.objects.count() == 2


def test_one_bad_row_refuses_the_file_and_makes_no_corpus(tmp_path: Path) -> None:
    path = written(
        tmp_path, "c.jsonl", {"id": "d1", "text": "Hail"}, {"id": "d2", "text": "x", "lang": "qq"}, {"id": "d3"}
    )
    answer = bring("import_corpus", "claims", path)
    assert answer.code == 2
    assert answer.counts == (3, 0, 0, 3)
    assert [(error["line"], error["id"]) for error in answer.json["errors"]] == [(2, "d2"), (3, "d3"), (0, "")]
    assert "2 rows are refused" in answer.reasons[-1]
    assert not Corpus.objects.exists()


def test_keep_good_stores_the_rest_and_still_exits_with_2(tmp_path: Path) -> None:
    path = written(tmp_path, "c.jsonl", {"id": "d1", "text": "Hail"}, {"id": "d2", "text": "x", "lang": "qq"})
    answer = bring("import_corpus", "claims", path, "--keep-good")
    assert (answer.code, answer.counts) == (2, (2, 1, 0, 1))
    assert texts() == {"d1": "Hail"}


def test_a_dry_run_says_what_would_happen_and_stores_nothing(tmp_path: Path) -> None:
    answer = bring("import_corpus", "claims", written(tmp_path, "c.jsonl", {"id": "d1", "text": "Hail"}), "--dry-run")
    assert (answer.code, answer.counts, answer.json["dry_run"]) == (0, (1, 1, 0, 0), True)
    assert not Corpus.objects.exists()


def test_an_id_twice_with_two_contents_is_refused_and_with_one_is_merged(tmp_path: Path) -> None:
    rows = ({"id": "d1", "text": "Hail"}, {"id": "d1", "text": "Hail"}, {"id": "d1", "text": "Fog"})
    answer = bring("import_corpus", "claims", written(tmp_path, "c.jsonl", *rows), "--keep-good")
    assert answer.counts == (3, 1, 1, 1)
    assert "line 1 already" in answer.reasons[0]


def test_a_text_twin_is_stored_and_listed_unless_both_render_one_article(tmp_path: Path) -> None:
    rows = (
        {"id": "d1", "text": "Report  theft. "},
        {"id": "d2", "text": "Report theft."},
        {"id": "a-de", "canonical_id": "a", "text": "OK"},
        {"id": "a-en", "canonical_id": "a", "text": "OK"},
    )
    answer = bring("import_corpus", "claims", written(tmp_path, "c.jsonl", *rows))
    assert answer.counts == (4, 4, 0, 0)
    duplicates = [(n["line"], n["id"], n["text"]) for n in answer.json["notices"] if "duplicate" in n["text"]]
    assert duplicates == [(2, "d2", "A true duplicate: its text is that of document d1.")]


def test_columns_are_mapped_and_rows_chosen(tmp_path: Path) -> None:
    path = written(tmp_path, "c.csv", "id,lang,inhalt", "d1,de,Hagel", "d2,en,Hail")
    answer = bring("import_corpus", "claims", path, "--map", "text=inhalt", "--where", "lang=de")
    assert answer.counts == (1, 1, 0, 0)
    assert texts() == {"d1": "Hagel"}


def test_a_whole_file_may_not_be_cut(tmp_path: Path) -> None:
    path = written(tmp_path, "c.jsonl", {"id": "d1", "text": "Hail", "lang": "en"})
    assert "--where" in bring("import_corpus", "claims", path, "--whole", "--where", "lang=en").reasons[0]


@pytest.mark.parametrize("slug", ["a/b", "../x", "a b", "", "x" * 61])
def test_a_slug_that_is_no_part_of_an_address_is_refused_in_words(tmp_path: Path, slug: str) -> None:
    answer = bring("import_corpus", slug, written(tmp_path, "c.jsonl", {"id": "d1", "text": "Hail"}))
    assert answer.code == 2
    assert len(answer.reasons) == 1
    assert not Corpus.objects.exists()


def test_traffic_is_stored_by_canonical_locale_and_must_sum_to_one(tmp_path: Path) -> None:
    path = written(tmp_path, "c.jsonl", {"id": "d1", "text": "Hail"})
    traffic = written(tmp_path, "t.csv", "locale,share", "en,0.9", "tr-TR,0.06", "tr,0.04")
    assert bring("import_corpus", "claims", path, "--traffic", traffic).code == 0
    corpus = Corpus.objects.get()
    assert traffic_shares(corpus) == {"en": 0.9, "tr": pytest.approx(0.1)}
    assert set(corpus.locales.values_list("locale", flat=True)) == {"en", "tr"}
    assert bring("import_corpus", "claims", path, "--traffic", traffic).code == 0
    assert corpus.traffic_readings.count() == 1
    short = written(tmp_path, "s.json", {"en": 0.9})
    assert "sum to 0.9" in bring("import_corpus", "claims", path, "--traffic", short).reasons[0]


def test_a_missing_file_is_refused_in_words(tmp_path: Path) -> None:
    assert "No file can be read" in bring("import_corpus", "claims", tmp_path / "none.jsonl").reasons[0]


def test_a_reader_gets_a_table(tmp_path: Path) -> None:
    path = written(tmp_path, "c.jsonl", {"id": "d1", "text": "Hail"}, {"id": "d2", "text": ""})
    code, out = run("import_corpus", "claims", path)
    assert code == 2
    assert "line 2 d2: The document has neither a title nor a text." in out


def test_a_whole_file_with_refused_rows_takes_no_document_for_gone(tmp_path: Path) -> None:
    row = {"id": "d1", "text": "Hail", "locale": "en"}
    bring("import_corpus", "claims", written(tmp_path, "v1.jsonl", row, {**row, "id": "d2", "text": "Flood"}))
    answer = bring(
        "import_corpus", "claims", written(tmp_path, "v2.jsonl", row, '{"id": "d2", '), "--whole", "--keep-good"
    )
    assert (answer.code, answer.counts) == (2, (2, 0, 1, 1))
    assert not Document.objects.exclude(gone_at=None).exists()
    assert any("no document is marked as gone" in notice for notice in answer.notices)


def test_c19_a_whole_corpus_tells_what_stays_changed_and_went(cases: Path) -> None:
    bring("import_corpus", "claims", cases / "c19-corpus-v1.jsonl")
    answer = bring("import_corpus", "claims", cases / "c19-corpus-v2.jsonl", "--whole")
    assert answer.counts == (3, 2, 1, 0)
    assert answer.json["standing"] == {"unchanged": 1, "changed": 1, "gone": 1, "new": 1}
    assert set(texts()) == {"d1", "d3", "d4"}
    assert Document.objects.get(external_id="d2").gone_at is not None
    assert Document.objects.count() == 4
    assert DocumentText.objects.filter(document__external_id="d3").count() == 2


def test_c46_ids_that_differ_only_by_form_are_refused_as_confusing(cases: Path) -> None:
    answer = bring("import_corpus", "claims", cases / "c46-corpus.jsonl", "--keep-good")
    assert answer.counts == (2, 1, 0, 1)
    assert "looks the same" in answer.reasons[0]


def test_c51_the_byte_order_mark_goes_and_the_mark_inside_a_text_stays(cases: Path) -> None:
    assert bring("import_corpus", "claims", cases / "c51-corpus.csv").counts == (2, 2, 0, 0)
    assert texts() == {"d1": "Größe", "d2": "\ufeffkeep me"}


def test_c52_line_separators_are_text(cases: Path) -> None:
    assert bring("import_corpus", "claims", cases / "c52-corpus.jsonl").counts == (5, 5, 0, 0)
    assert [text for _, text in sorted(texts().items())] == [
        "a\u2028b",
        "a\u2029b",
        "a\u0085b",
        "tab\u000bhere",
        "no line end",
    ]


def test_c53_quotes_in_csv(cases: Path) -> None:
    assert bring("import_corpus", "claims", cases / "c53-corpus.csv").counts == (2, 2, 0, 0)
    assert texts()["d1"] == "two\nlines, and a comma"
    unclosed = bring("import_corpus", "others", cases / "c53-unclosed.csv", "--keep-good")
    assert unclosed.code == 2
    assert unclosed.json["errors"][0]["line"] == 3
    assert not Corpus.objects.filter(slug="others").exists()


def test_c54_ids_stay_as_written(cases: Path) -> None:
    assert bring("import_corpus", "claims", cases / "c54-corpus.csv").counts == (7, 7, 0, 0)
    assert set(texts()) == {"NA", "null", "007", "1e3", "TRUE", "12345678901234567890", "3.0"}


def test_c74_c75_markup_is_stored_as_text_and_a_bad_line_is_named(cases: Path) -> None:
    assert bring("import_corpus", "claims", cases / "c74-corpus.jsonl").counts == (5, 5, 0, 0)
    assert texts()["d1"] == "<img src=x onerror=alert(1)> flood"
    assert bring("import_corpus", "claims", cases / "c75-corpus.jsonl").counts[3] == 0
    bad = bring("import_corpus", "claims", cases / "c74-bad-line.jsonl")
    assert bad.json["errors"][0]["line"] == 1


@pytest.mark.django_db
def test_documents_that_are_stored_are_counted_even_where_they_cannot_be_encoded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(**_: object) -> None:
        raise Refused("The disk is full.")

    monkeypatch.setattr("curation.management.commands.import_corpus.encode_corpus", full)
    path = written(tmp_path, "c.jsonl", {"doc_id": "d1", "text": "One."}, {"doc_id": "d2", "text": "Two."})
    answer = bring("import_corpus", "claims", path)
    assert (answer.code, answer.counts) == (2, (2, 2, 0, 0))
    assert answer.reasons == ["The documents are stored, but have no vectors yet: The disk is full."]


@pytest.mark.django_db
def test_an_unknown_encoder_is_refused_before_anything_is_stored(tmp_path: Path) -> None:
    path = written(tmp_path, "c.jsonl", {"doc_id": "d1", "text": "One."})
    answer = bring("import_corpus", "claims", path, "--encoder", "nope")
    assert (answer.code, answer.counts) == (2, (0, 0, 0, 0))
    assert answer.reasons == ["There is no encoder nope. Known: lsa, use."]
    assert not Corpus.objects.exists()
