"""Queries come in each in one stratum, with their needs and golds, and none of them twice."""

from __future__ import annotations

import json
import unicodedata
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from curation.actions.corpora import CorpusAsked, import_corpus
from curation.actions.receipts import Intake
from curation.models import Corpus, CorpusLocale, Document, Need, Qrel, Query
from tests import factories
from tests.bringing import bring, written

pytestmark = pytest.mark.django_db


@pytest.fixture
def corpus() -> Corpus:
    made = factories.a_corpus()
    for name, canonical, language, source in (
        ("hail-en", "hail", "en", True),
        ("hail-tr", "hail", "tr", False),
        ("fog-de", "fog", "de", False),
        ("rain-en", "rain", "en", False),
        ("rain-tr", "rain", "tr", False),
    ):
        Document.objects.create(
            corpus=made, external_id=name, canonical_id=canonical, language=language, is_source=source
        )
    return made


def query(name: str, text: str, locale: str = "tr", **more: Any) -> dict[str, Any]:
    return {"query_id": name, "text": text, "locale": locale, **more}


def stratum(name: str) -> tuple[str, str, str, str, str]:
    found = Query.objects.get(external_id=name).stratum
    return found.query_language, found.corpus_language, found.script, found.query_type, found.slice


def test_a_query_without_gold_is_ready_in_a_stratum_of_unknown_corpus_language(corpus: Corpus, tmp_path: Path) -> None:
    answer = bring("import_queries", "claims", written(tmp_path, "q.jsonl", query("q1", "dolu hasarı nasıl ödenir?")))
    assert (answer.code, answer.counts) == (0, (1, 1, 0, 0))
    assert stratum("q1") == ("tr", "und", "Latn", "question", "distinctive")
    stored = Query.objects.get()
    assert (stored.status, stored.origin, stored.need) == ("ready", "imported", None)
    assert list(CorpusLocale.objects.values_list("locale", flat=True)) == ["tr"]


@pytest.mark.parametrize(
    ("gold", "language"),
    [
        ({"gold_canonical_id": "hail"}, "en"),  # its marked source
        ({"gold_canonical_id": "fog"}, "de"),  # its only rendering
        ({"gold_canonical_id": "rain"}, "und"),  # two renderings, none of them the source
        ({"gold_doc_id": "rain-tr"}, "tr"),  # the gold document itself
        ({"gold_doc_id": "hail-tr"}, "en"),  # the source goes before the document
    ],
)
def test_the_gold_gives_the_corpus_language(
    corpus: Corpus, tmp_path: Path, gold: dict[str, str], language: str
) -> None:
    bring("import_queries", "claims", written(tmp_path, "q.jsonl", query("q1", "dolu hasarı", **gold)))
    assert stratum("q1")[1] == language


def test_a_gold_column_settles_a_qrel_and_turns_the_query_judged(corpus: Corpus, tmp_path: Path) -> None:
    bring("import_queries", "claims", written(tmp_path, "q.jsonl", query("q1", "dolu hasarı", gold_doc_id="hail-tr")))
    stored, qrel = Query.objects.get(), Qrel.objects.get()
    assert (stored.status, stored.gold_canonical_id) == ("judged", "hail")
    assert stored.judged_at is not None
    assert (qrel.canonical_id, qrel.grade, qrel.source) == ("hail", 3, "imported")
    assert qrel.gold_document == Document.objects.get(external_id="hail-tr")


def test_a_gold_that_the_corpus_does_not_hold_is_refused_by_name(corpus: Corpus, tmp_path: Path) -> None:
    rows = (
        query("q1", "bir", gold_canonical_id="snow"),
        query("q2", "iki", gold_doc_id="snow-tr"),
        query("q3", "üç", gold_doc_id="hail-tr", gold_canonical_id="fog"),
    )
    answer = bring("import_queries", "claims", written(tmp_path, "q.jsonl", *rows))
    assert answer.counts == (3, 0, 0, 3)
    assert [name in reason for name, reason in zip(("snow", "snow-tr", "hail"), answer.reasons, strict=True)] == [
        True
    ] * 3


def test_the_same_file_again_merges(corpus: Corpus, tmp_path: Path) -> None:
    path = written(
        tmp_path, "q.jsonl", query("q1", "dolu", information_need_id="n1", gold_canonical_id="hail"), query("q2", "sis")
    )
    bring("import_queries", "claims", path)
    assert bring("import_queries", "claims", path).counts == (2, 0, 2, 0)
    assert (Query.objects.count(), Need.objects.count(), Qrel.objects.count()) == (2, 1, 1)


def test_a_known_id_with_another_text_need_or_gold_grade_is_refused(corpus: Corpus, tmp_path: Path) -> None:
    bring(
        "import_queries",
        "claims",
        written(tmp_path, "a.jsonl", query("q1", "dolu", information_need_id="n1"), query("q2", "sis")),
    )
    qrels = written(tmp_path, "qrels.tsv", "query-id\tcorpus-id\tscore", "q1\thail-tr\t2")
    assert bring("import_qrels", "claims", qrels).code == 0
    for row, word in (
        (query("q2", "başka"), "another text"),
        (query("q2", "sis", "az"), "another text or language"),
        (query("q1", "dolu", information_need_id="n2"), "n1"),
        (query("q1", "dolu", gold_canonical_id="hail"), "grade 2"),
    ):
        answer = bring("import_queries", "claims", written(tmp_path, "b.jsonl", row))
        assert answer.counts == (1, 0, 0, 1)
        assert word in answer.reasons[0]


def test_a_later_gold_is_added_to_a_query_that_had_none(corpus: Corpus, tmp_path: Path) -> None:
    bring("import_queries", "claims", written(tmp_path, "a.jsonl", query("q1", "dolu")))
    bring("import_queries", "claims", written(tmp_path, "b.jsonl", query("q1", "dolu", gold_canonical_id="hail")))
    assert Query.objects.get().status == "judged"
    assert stratum("q1")[1] == "en"


def test_two_wordings_of_a_need_in_one_stratum_are_refused_in_words(corpus: Corpus, tmp_path: Path) -> None:
    first = query("q1", "dolu hasarı", information_need_id="n1")
    answer = bring(
        "import_queries",
        "claims",
        written(tmp_path, "q.jsonl", first, query("q2", "dolu zararı", information_need_id="n1")),
    )
    assert answer.counts == (2, 0, 0, 2)
    assert "Query q1 words the same need in the same stratum" in answer.reasons[0]
    bring("import_queries", "claims", written(tmp_path, "a.jsonl", first))
    again = bring(
        "import_queries", "claims", written(tmp_path, "b.jsonl", query("q2", "dolu zararı", information_need_id="n1"))
    )
    assert "Query q1 words" in again.reasons[0]


def test_a_twin_is_refused_by_name_whether_stored_or_in_the_file_until_it_is_retired(
    corpus: Corpus, tmp_path: Path
) -> None:
    both = written(tmp_path, "q.jsonl", query("q1", "IŞIK  hasarı"), query("q2", "ışık hasarı"))
    answer = bring("import_queries", "claims", both, "--keep-good")
    assert answer.counts == (2, 1, 0, 1)
    assert "query q1" in answer.reasons[0]
    alone = written(tmp_path, "a.jsonl", query("q2", "ışık hasarı"))
    assert "query q1" in bring("import_queries", "claims", alone).reasons[0]
    Query.objects.update(status="retired", retired_reason="doubled")
    assert bring("import_queries", "claims", alone).counts == (1, 1, 0, 0)


def test_the_text_of_a_new_need_is_its_column_else_its_english_query_else_its_first_wording(
    corpus: Corpus, tmp_path: Path
) -> None:
    rows = (
        query("a1", "dolu", information_need_id="a"),
        query("a2", "hail", "en", information_need_id="a", information_need="Is hail covered?"),
        query("b1", "sis", information_need_id="b"),
        query("b2", "fog", "en-GB", information_need_id="b"),
        query("c1", "yağmur", information_need_id="c"),
        query("d1", "kar", information_need="Is snow covered?"),
        query("d2", "Schnee", "de", information_need="Is snow covered?"),
    )
    assert bring("import_queries", "claims", written(tmp_path, "q.jsonl", *rows)).code == 0
    needs = {need.external_id: (need.text, need.is_english) for need in Need.objects.all()}
    assert needs == {
        "a": ("Is hail covered?", True),
        "b": ("fog", True),
        "c": ("yağmur", False),
        None: ("Is snow covered?", True),
    }


def test_a_known_need_keeps_its_text_and_gives_its_gold_to_a_later_wording(corpus: Corpus, tmp_path: Path) -> None:
    Need.objects.create(
        corpus=corpus, external_id="n1", text="As written", gold_canonical_id="fog", slice_hint="rare_entity"
    )
    bring("import_queries", "claims", written(tmp_path, "q.jsonl", query("q1", "sis", information_need_id="n1")))
    assert Need.objects.get().text == "As written"
    assert stratum("q1") == ("tr", "de", "Latn-plain", "navigational", "rare_entity")
    assert Query.objects.get().status == "ready"


def test_type_and_slice_of_the_file_win_where_they_are_known(corpus: Corpus, tmp_path: Path) -> None:
    rows = (
        query("q1", "bir", query_type="Question", slice="near-duplicate"),
        query("q2", "iki", query_type="keyword", slice="keyword, rare_entity"),
        query("q3", "üç", slice="hard"),
    )
    answer = bring("import_queries", "claims", written(tmp_path, "q.jsonl", *rows), "--keep-good")
    assert stratum("q1")[3:] == ("question", "near_duplicate")
    assert stratum("q2")[3:] == ("navigational", "rare_entity")
    assert answer.counts == (3, 2, 0, 1)
    assert '"hard" is not known' in answer.reasons[0]
    assert any('"keyword" is not known and was detected anew' in text for text in answer.notices)


def test_the_script_class_is_detected_whatever_the_file_says(corpus: Corpus, tmp_path: Path) -> None:
    bring("import_queries", "claims", written(tmp_path, "q.jsonl", query("q1", "isik hasari", script="Latn")))
    assert stratum("q1")[2] == "Latn-plain"


def test_other_columns_are_kept(corpus: Corpus, tmp_path: Path) -> None:
    bring("import_queries", "claims", written(tmp_path, "q.jsonl", query("q1", "dolu", tokens=1)))
    assert Query.objects.get().metadata == {"tokens": 1, "guessed_type": "navigational"}


def test_a_query_without_a_language_is_refused(corpus: Corpus, tmp_path: Path) -> None:
    answer = bring("import_queries", "claims", written(tmp_path, "q.csv", "id,text", "q1,hail"))
    assert "no language" in answer.reasons[0]


def test_an_unknown_corpus_is_refused_in_words(db: None, tmp_path: Path) -> None:
    answer = bring("import_queries", "nowhere", written(tmp_path, "q.jsonl", query("q1", "dolu")))
    assert (answer.code, answer.counts) == (2, (0, 0, 0, 0))
    assert "There is no corpus nowhere" in answer.reasons[0]


def test_a_retired_query_keeps_its_status_when_a_grade_comes(corpus: Corpus, tmp_path: Path) -> None:
    bring("import_queries", "claims", written(tmp_path, "q.jsonl", query("q1", "dolu")))
    Query.objects.update(status="retired", retired_reason="unclear")
    bring("import_qrels", "claims", written(tmp_path, "qrels.tsv", "query-id\tcorpus-id\tscore", "q1\thail-tr\t3"))
    assert Query.objects.get().status == "retired"


def lines_of(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


def test_c46_two_forms_of_one_text_are_one_query_and_texts_stay_as_given(corpus: Corpus, cases: Path) -> None:
    answer = bring("import_queries", "claims", cases / "c46-queries.jsonl", "--keep-good")
    assert answer.counts == (3, 2, 0, 1)
    assert (answer.json["errors"][0]["line"], answer.json["errors"][0]["id"]) == (2, "q2")
    assert "query q1" in answer.reasons[0]
    stored = {query.external_id: (query.original_text, query.text) for query in Query.objects.all()}
    given = {row["id"]: row["text"] for row in map(json.loads, lines_of(cases / "c46-queries.jsonl"))}
    assert stored == {name: (given[name], unicodedata.normalize("NFC", given[name])) for name in ("q1", "q3")}


def test_c46_a_decomposed_text_is_stored_composed_and_kept_as_given(
    corpus: Corpus, cases: Path, tmp_path: Path
) -> None:
    second = lines_of(cases / "c46-queries.jsonl")[1]
    bring("import_queries", "claims", written(tmp_path, "q.jsonl", second))
    stored = Query.objects.get()
    assert unicodedata.is_normalized("NFC", stored.text)
    assert stored.original_text == json.loads(second)["text"] != stored.text


def test_c47_duplicates_by_the_locales_own_case_rules(corpus: Corpus, cases: Path) -> None:
    answer = bring("import_queries", "claims", cases / "c47-queries.jsonl", "--keep-good")
    assert {error["id"]: error["reason"].split(",")[0] for error in answer.json["errors"]} == {
        "q2": "The same text as query q1",
        "q5": "The same text as query q4",
        "q7": "The same text as query q6",
    }
    assert answer.counts == (7, 4, 0, 3)
    assert {name: stratum(name)[2] for name in ("q1", "q3", "q4", "q6")} == {
        "q1": "Latn",
        "q3": "Latn-plain",
        "q4": "Latn",
        "q6": "Latn",
    }


def test_c50_language_codes_come_to_one_form(corpus: Corpus, cases: Path) -> None:
    answer = bring("import_queries", "claims", cases / "c50-queries.csv", "--keep-good")
    assert answer.counts == (12, 10, 0, 2)
    five = ["he", "sr-Cyrl", "sr-Latn", "tr", "zh-Hans"]
    assert sorted(CorpusLocale.objects.values_list("locale", flat=True)) == five
    assert [(error["line"], error["id"]) for error in answer.json["errors"]] == [(12, "q11"), (13, "q12")]
    assert "sr-Latn" in answer.reasons[0]
    assert any("iw is read as he" in text for text in answer.notices)


def test_c51_a_mark_at_the_start_of_a_file_is_no_part_of_its_first_key(corpus: Corpus, cases: Path) -> None:
    assert bring("import_queries", "claims", cases / "c51-queries.jsonl").counts == (1, 1, 0, 0)


def test_c54_words_that_look_like_nothing_are_texts(corpus: Corpus, cases: Path) -> None:
    assert bring("import_queries", "claims", cases / "c54-queries.csv").counts == (2, 2, 0, 0)
    assert set(Query.objects.values_list("text", flat=True)) == {"None", "nan bread insurance"}


def test_judged_at_is_the_moment_of_the_import(corpus: Corpus, tmp_path: Path) -> None:
    before = datetime.now(UTC)
    bring("import_queries", "claims", written(tmp_path, "q.jsonl", query("q1", "dolu", gold_canonical_id="fog")))
    judged_at = Query.objects.get().judged_at
    assert judged_at is not None
    assert before <= judged_at <= datetime.now(UTC)


def test_real_xquad_comes_in_whole(shared: Path) -> None:
    folder = shared / "data" / "xquad-locales"
    Corpus.objects.create(slug="xquad", name="XQuAD")
    _documents(folder / "corpus.jsonl", Corpus.objects.get())
    assert bring("import_queries", "xquad", folder / "queries.jsonl").counts == (6186, 6186, 0, 0)
    assert bring("import_qrels", "xquad", folder / "qrels.tsv").counts == (6186, 0, 6186, 0)
    judged = Query.objects.filter(status="judged").values_list("stratum__query_language", "stratum__corpus_language")
    diagonal = Counter(judged)
    assert all(query_language == corpus_language for query_language, corpus_language in diagonal)
    assert {pair[0]: n for pair, n in diagonal.items()} == {"tr": 939} | dict.fromkeys(
        ("ar", "de", "el", "en", "es", "hi", "ro", "ru", "th", "vi", "zh-Hans"), 477
    )
    turkish = Counter(Query.objects.filter(stratum__query_language="tr").values_list("stratum__script", flat=True))
    assert turkish == {"Latn": 462, "Latn-plain": 477}
    assert Qrel.objects.count() == 6186


def _documents(path: Path, corpus: Corpus) -> None:
    """The documents alone: encoding them is another test's."""
    import_corpus(asked=CorpusAsked(corpus.slug), intake=Intake(path), now=datetime.now(UTC))


def test_real_faq_comes_in_whole(shared: Path) -> None:
    folder = shared / "data" / "faq-locales"
    corpus = factories.a_corpus("faq")
    _documents(folder / "corpus.jsonl", corpus)
    assert bring("import_queries", "faq", folder / "queries.jsonl").counts == (1287, 1287, 0, 0)
    assert bring("import_qrels", "faq", folder / "qrels.tsv").counts == (1287, 0, 1287, 0)
    per_locale = Counter(Query.objects.filter(status="judged").values_list("stratum__query_language", flat=True))
    assert len(per_locale) == 28
    assert per_locale.pop("hu") == 45
    assert set(per_locale.values()) == {46}


def test_real_electronics_has_23_queries_without_an_answer(shared: Path) -> None:
    folder = shared / "data" / "electronics-keywords"
    _documents(folder / "corpus.jsonl", factories.a_corpus("electronics"))
    bring("import_queries", "electronics", folder / "queries.jsonl")
    assert bring("import_qrels", "electronics", folder / "qrels.tsv").counts == (3188, 3188, 0, 0)
    judged = Query.objects.filter(status="judged")
    assert judged.count() == 135
    assert judged.filter(gold_canonical_id="").count() == 23


def test_real_consumer_rules_are_binary(shared: Path) -> None:
    folder = shared / "data" / "us-consumer-rules"
    _documents(folder / "corpus.jsonl", factories.a_corpus("rules"))
    assert bring("import_queries", "rules", folder / "queries.jsonl").counts == (45, 45, 0, 0)
    assert bring("import_qrels", "rules", folder / "qrels.tsv").counts == (181, 136, 45, 0)
    assert Counter(Qrel.objects.values_list("grade", "original_score")) == {(3, "1"): 45, (0, "0"): 136}
