"""Exports of a set version by the command: the same bytes again, nothing half-written, and back in."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from django.core.management.base import CommandError
from django.utils import timezone

from curation.actions.corpora import CorpusAsked, import_corpus
from curation.actions.receipts import Intake, Receipt
from curation.formats.export.folder import FORMS, same_files
from curation.models import CannotTell, Corpus, Document, FrozenQrel, Qrel, Query, SetVersion
from tests import factories
from tests.bringing import bring, run, written

pytestmark = pytest.mark.django_db

DOCUMENTS = (
    {
        "doc_id": "a1-de",
        "canonical_id": "a1",
        "locale": "de",
        "title": "Hagel",
        "text": "Hagel ist gedeckt.",
        "region": 7,
    },
    {"doc_id": "a1-en", "canonical_id": "a1", "locale": "en", "is_source": True, "text": "Hail\u2028is covered."},
    {"doc_id": "007", "locale": "en", "text": "NA", "limit_amount": "500"},
    {"doc_id": "7", "locale": "en", "text": "Theft is not."},
)
QUERIES = (
    {"id": "q10", "text": "dolu hasarı", "locale": "tr", "information_need_id": "n1", "information_need": "Hail?"},
    {"id": "q9", "text": "=HAGEL()", "locale": "de", "information_need_id": "n1", "slice": "keyword"},
)
QRELS = ("query-id\tcorpus-id\tscore", "q10\ta1-en\t3", "q10\t007\t0", "q10\t7\t-1", "q9\ta1-de\t2")


def bring_documents(slug: str, path: Path) -> Receipt:
    """Import them as the command does, without encoding them."""
    return import_corpus(asked=CorpusAsked(slug), intake=Intake(path), now=timezone.now())


@pytest.fixture
def frozen(tmp_path: Path) -> Corpus:
    """`hard@1`: an article in two languages, one graded 0, one that nobody could tell about."""
    corpus = factories.a_corpus("claims")
    bring_documents("claims", written(tmp_path, "d.jsonl", *DOCUMENTS))
    bring("import_queries", "claims", written(tmp_path, "q.jsonl", *QUERIES))
    assert bring("import_qrels", "claims", written(tmp_path, "r.tsv", *QRELS)).code == 0
    assert CannotTell.objects.count() == 1
    factories.frozen_set(corpus)
    return corpus


def test_every_layout_comes_out_with_the_same_bytes_twice_and_without_what_nobody_could_tell(
    frozen: Corpus, tmp_path: Path
) -> None:
    for form in FORMS:
        one, other = tmp_path / "one" / form, tmp_path / "other" / form
        run("export_set", "hard@1", "--format", form, "--out", one)
        run("export_set", "hard@1", "--format", form, "--out", other)
        assert same_files(one, other)
        assert run("export_set", "hard@1", "--format", form, "--out", one)[1].startswith("2 queries and 3 grades")
    pairs = {tuple(line.split()[::2]) for line in (tmp_path / "one/trec/qrels.txt").read_text().splitlines()}
    assert pairs == {("q10", "007"), ("q10", "a1-de"), ("q10", "a1-en"), ("q9", "a1-de"), ("q9", "a1-en")}


@pytest.mark.parametrize("form", ["jsonl", "beir", "mteb", "hf"])
def test_an_export_comes_back_in_and_out_again_unchanged(frozen: Corpus, tmp_path: Path, form: str) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    run("export_set", "hard@1", "--format", form, "--out", first)
    assert bring_documents("empty", first).stored == 4
    assert bring("import_queries", "empty", first).counts == (2, 2, 0, 0)
    assert bring("import_qrels", "empty", first).reasons == []
    factories.frozen_set(Corpus.objects.get(slug="empty"), "again")
    run("export_set", "again@1", "--format", form, "--out", second)
    ours = {"README.md", "set.json", "qrels.jsonl"}  # they name the set, its corpus and the document it was judged in
    for path in first.rglob("*.*"):
        name = path.relative_to(first)
        assert name.name in ours or path.read_bytes() == (second / name).read_bytes(), name
    assert grades("empty") == grades("claims")


def grades(slug: str) -> set[tuple[str, str, int]]:
    found = Qrel.objects.filter(query__corpus__slug=slug)
    return set(found.values_list("query__external_id", "canonical_id", "grade"))


def test_trec_qrels_and_topics_known_here_are_all_there_already(frozen: Corpus, tmp_path: Path) -> None:
    run("export_set", "hard@1", "--format", "trec", "--out", tmp_path / "trec")
    assert bring("import_qrels", "claims", tmp_path / "trec").counts == (5, 0, 5, 0)


def test_a_binary_score_stays_beside_the_grade_it_became(tmp_path: Path) -> None:
    corpus = factories.a_corpus("claims")
    for name in ("d1", "d2"):
        Document.objects.create(corpus=corpus, external_id=name, canonical_id=name)
    bring("import_queries", "claims", written(tmp_path, "q.jsonl", QUERIES[0]))
    bring("import_qrels", "claims", written(tmp_path, "r.tsv", QRELS[0], "q10\td1\t1", "q10\td2\t0"))
    factories.frozen_set(corpus)
    for form in ("jsonl", "trec"):
        run("export_set", "hard@1", "--format", form, "--out", tmp_path / form)
    assert (tmp_path / "trec/qrels.txt").read_text().splitlines() == ["q10 0 d1 3", "q10 0 d2 0"]
    told = json.loads((tmp_path / "jsonl/qrels.jsonl").read_text().splitlines()[0])
    assert (told["grade"], told["original_score"]) == (3, "1")
    Qrel.objects.all().delete()
    bring("import_qrels", "claims", tmp_path / "jsonl")
    assert Qrel.objects.get(canonical_id="d1").original_score == "1"


def test_grades_of_what_is_gone_stay_and_are_counted(frozen: Corpus, tmp_path: Path) -> None:
    Document.objects.filter(canonical_id="a1").update(gone_at=timezone.now())
    out = tmp_path / "beir"
    words = run("export_set", "hard@1", "--format", "beir", "--out", out)[1]
    assert words.startswith("2 queries and 3 grades (2 of them for articles that the corpus no longer holds) of hard@1")
    assert " of hard@1 (layouts by document: 5 lines) written to" in words
    assert json.loads((out / "set.json").read_text())["gone"] == 2
    assert "q9\ta1-de\t2\n" in (out / "qrels/test.tsv").read_text()


def test_documents_that_are_not_what_they_were_at_the_freeze_are_named_with_their_grades(
    frozen: Corpus, tmp_path: Path
) -> None:
    run("export_set", "hard@1", "--format", "jsonl", "--out", tmp_path / "before")
    assert (tmp_path / "before/moved.tsv").read_text() == "document_id\tchange\tgrades\n"
    changed = ({**DOCUMENTS[2], "text": "NB"}, {"doc_id": "new", "locale": "en", "text": "Fog is covered."})
    bring_documents("claims", written(tmp_path, "e.jsonl", *changed))
    Document.objects.filter(external_id="a1-de").update(gone_at=timezone.now())
    out = tmp_path / "trec"
    run("export_set", "hard@1", "--format", "trec", "--out", out)
    told = ["document_id\tchange\tgrades", "007\ttext\t1", "a1-de\tgone\t0", "new\tnew\t0"]
    assert (out / "moved.tsv").read_text().splitlines() == told
    assert json.loads((out / "set.json").read_text())["moved"] == {"text": 1, "new": 1, "gone": 1, "graded": 1}
    words = "1 text changed, 1 new, 1 gone since the freeze, 1 of them with grades"
    assert words in (out / "README.md").read_text()
    bring_documents("claims", written(tmp_path, "f.jsonl", DOCUMENTS[2]))
    factories.frozen_set(frozen, "soft")
    bring_documents("claims", written(tmp_path, "e.jsonl", changed[0]))
    run("export_set", "soft@1", "--format", "trec", "--out", tmp_path / "soft")
    assert (tmp_path / "soft/moved.tsv").read_text().splitlines()[1:] == ["007\ttext\t1"]


def test_a_document_that_moved_to_another_article_carries_one_grade_of_a_query(frozen: Corpus, tmp_path: Path) -> None:
    Document.objects.filter(external_id="007").update(canonical_id="a1")
    run("export_set", "hard@1", "--format", "trec", "--out", tmp_path / "trec")
    lines = [line.split() for line in (tmp_path / "trec/qrels.txt").read_text().splitlines()]
    pairs = [(query, document) for query, _, document, _ in lines]
    assert len(pairs) == len(set(pairs))
    assert ["q10", "0", "007", "3"] in lines


def test_a_set_stays_as_it_was_frozen(frozen: Corpus, tmp_path: Path) -> None:
    Query.objects.filter(external_id="q9").update(text="changed since")
    Qrel.objects.update(grade=1)
    run("export_set", "hard@1", "--format", "quepid", "--out", tmp_path / "out")
    assert (tmp_path / "out/ratings/de.csv").read_text() == "query,docid,rating\n=HAGEL(),a1-de,2\n=HAGEL(),a1-en,2\n"


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("hard", 'write its name, "@" and its number, as in hard@4'),
        ("hard@2", "the newest version of hard is hard@1"),
        ("soft@1", "No set is called soft"),
    ],
)
def test_what_is_no_set_version_is_said_in_one_sentence(frozen: Corpus, tmp_path: Path, spec: str, words: str) -> None:
    assert words in refusal(spec, "trec", tmp_path / "out")


def test_a_folder_that_holds_something_else_is_left_alone(frozen: Corpus, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine.txt").write_text("mine")
    assert refusal("hard@1", "trec", tmp_path / "out").endswith("holds something else; name a new folder.")
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["mine.txt"]
    assert refusal("hard@1", "trec", tmp_path / "out" / "mine.txt").endswith("is a file; name a folder.")


def test_an_id_with_a_space_is_named_and_nothing_is_written(frozen: Corpus, tmp_path: Path) -> None:
    FrozenQrel.objects.filter(canonical_id="007").update(canonical_id="no such")
    factories.hash_again(SetVersion.objects.get())
    assert "'no such'" in refusal("hard@1", "trec", tmp_path / "out")
    assert not (tmp_path / "out").exists()


def refusal(spec: str, form: str, out: Path) -> str:
    """The sentence of an export that cannot be made, which ends with 2."""
    with pytest.raises(CommandError) as refused:
        run("export_set", spec, "--format", form, "--out", out)
    assert refused.value.returncode == 2
    return str(refused.value)


@pytest.mark.parametrize("form", ["jsonl", "beir"])
def test_c14_c52_ids_and_texts_stand_in_the_export_as_they_came(tmp_path: Path, cases: Path, form: str) -> None:
    corpus = factories.a_corpus("claims")
    for name in ("msg_12#3", "#start", "urn:claim:7/a"):
        Document.objects.create(corpus=corpus, external_id=name, canonical_id=name)
    bring_documents("claims", cases / "c52-corpus.jsonl")
    bring(
        "import_queries",
        "claims",
        written(tmp_path, "q.jsonl", *({"id": q, "text": q, "locale": "en"} for q in ("q1", "q2"))),
    )
    bring("import_qrels", "claims", cases / "c14-qrels.tsv", "--map-grade", "1=2")
    factories.frozen_set(corpus)
    run("export_set", "hard@1", "--format", form, "--out", tmp_path / "out")
    documents = [json.loads(line) for line in (tmp_path / "out/corpus.jsonl").read_bytes().decode().split("\n")[:-1]]
    given = [json.loads(line) for line in (cases / "c52-corpus.jsonl").read_bytes().decode().split("\n") if line]
    assert [one["text"] for one in documents] == [one["text"] for one in given]
    told = "".join(path.read_text() for path in (tmp_path / "out").rglob("qrels*/*" if form == "beir" else "qrels.*"))
    assert all(name in told for name in ("msg_12#3", "#start", "urn:claim:7/a"))
