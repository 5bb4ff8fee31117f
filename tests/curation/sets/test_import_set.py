"""An exported set comes back in one action: all that a form of it covers, or nothing."""

from __future__ import annotations

import json
import re
import shutil
import warnings
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from curation import uploading
from curation.actions.corpora import CorpusAsked
from curation.actions.receipts import Intake, Receipt
from curation.actions.set_importing import import_set
from curation.formats.set_form import FrozenGrade, sha256_of_form
from curation.models import Corpus, Document, Need, Qrel, Query, Role, SetVersion, Stratum
from curation.reports.set_content import content_frozen
from curation.tasks import work_on
from judging.models import Pool
from tests import factories
from tests.bringing import bring, run, written
from tests.curation.sets.test_exports import DOCUMENTS, bring_documents
from tests.judging import stage

pytestmark = pytest.mark.django_db

QUERIES = (
    {"id": "q1", "text": "çalıntı araç", "locale": "tr", "need_id": "n1", "need": "A stolen car?", "type": "question"},
    {"id": "q2", "text": "Hagel?", "locale": "de", "need_id": "n2", "slice": "keyword"},
    {"id": "q3", "text": "calinti arac", "locale": "tr", "variant_of": "q1"},
)
QRELS = ("query-id\tcorpus-id\tscore", "q1\t007\t2", "q1\t7\t2", "q1\ta1-en\t0", "q2\ta1-de\t3", "q3\t007\t2")
LOST: dict[str, dict[str, str]] = {
    "jsonl": {},
    "mteb": {"gold_document": ""},
    "hf": {"gold_document": ""},
    "beir": {"gold_document": "", "original_score": ""},
}
"""What each layout has no place for."""


@pytest.fixture
def frozen(tmp_path: Path) -> SetVersion:
    """`hard@1`: judged here, with a gold that is one of two equal answers, a plan, uses, traffic and a variant."""
    corpus = factories.a_corpus("claims", relevant_from=1)
    bring_documents("claims", written(tmp_path, "d.jsonl", *DOCUMENTS))
    assert bring("import_queries", "claims", written(tmp_path, "q.jsonl", *QUERIES)).reasons == []
    assert bring("import_qrels", "claims", written(tmp_path, "r.tsv", *QRELS)).reasons == []
    Query.objects.filter(external_id="q1").update(gold_canonical_id="7", origin="written")
    Qrel.objects.update(source="agreed", judged_depth=50, opinions=2, original_score="")
    Qrel.objects.filter(query__external_id="q2").update(original_score="1")
    Qrel.objects.filter(query__external_id="q3").update(original_score="2")
    Stratum.objects.filter(query_language="tr").update(use="screen")
    Stratum.objects.filter(query_language="de").update(use="compare", planned=40)
    factories.some_traffic(corpus, tr=0.25, de=0.75)
    space = stage.a_space(corpus, dict.fromkeys(("007", "7", "a1-de", "a1-en"), 0.0))
    for query in corpus.queries.order_by("pk")[:2]:
        Pool.objects.create(query=query, embedding_space=space, depth=50, drawn_at=timezone.now())
    return factories.frozen_set(corpus)


def exported(form: str, tmp_path: Path) -> Path:
    run("export_set", "hard@1", "--format", form, "--out", tmp_path / form)
    return tmp_path / form


def brought(path: Path, **asked: Any) -> Receipt:
    """Import it as the command does, without encoding the corpus."""
    return import_set(asked=CorpusAsked("back"), intake=Intake(path, **asked), now=timezone.now())


def covered(version: SetVersion, form: str) -> str:
    """The hash of the version's canonical form without what a grade from a file cannot say."""
    content = content_frozen(version)

    def grade(one: FrozenGrade) -> FrozenGrade:
        plain = replace(one, source="", swept=False, opinions=None, exact_only=None)
        return replace(plain, **LOST[form])  # type: ignore[arg-type]  # two of its fields of text

    members = [
        replace(member, origin="", judged_depth=None, grades=[grade(one) for one in member.grades])
        for member in content.members.values()
    ]
    return sha256_of_form(replace(content.rules, corpus=""), members)


@pytest.mark.parametrize("form", LOST)
def test_a_set_that_comes_back_and_is_frozen_again_is_the_same_set(
    frozen: SetVersion, tmp_path: Path, form: str
) -> None:
    folder = exported(form, tmp_path)
    path = folder if form != "mteb" else Path(shutil.make_archive(str(tmp_path / "packed"), "zip", tmp_path, form))
    receipt = brought(path)
    assert [fault.reason for fault in receipt.errors] == []
    # The gold of q2 came with its query; all but JSON Lines grade a1 twice, in its two renderings.
    assert (receipt.read, receipt.merged) == ((12, 1) if form == "jsonl" else (14, 3))
    corpus = Corpus.objects.get(slug="back")
    again = factories.frozen_set(corpus, "again")
    assert covered(again, form) == covered(frozen, form)
    assert Need.objects.get(corpus=corpus, external_id="n2").is_english is False
    assert set(Qrel.objects.filter(query__corpus=corpus).values_list("source", flat=True)) == {"imported"}
    assert brought(path).stored == 0


def test_the_command_encodes_what_came_back_and_counts_every_row_once(frozen: SetVersion, tmp_path: Path) -> None:
    folder = exported("jsonl", tmp_path)
    tried = bring("import_set", "back", folder, "--dry-run")
    assert (tried.code, tried.counts, Corpus.objects.count()) == (0, (12, 11, 1, 0), 1)
    answer = bring("import_set", "back", folder, "--name", "Claims again")
    assert (answer.code, answer.counts) == (0, (12, 11, 1, 0))
    assert "qrels: 5 read, 4 stored, 1 merged, 0 refused." in answer.notices
    assert "Exact search by compass 1 drew the candidates of 2 queries." in answer.notices
    assert any("so lsa was taken; --encoder use" in notice for notice in answer.notices)
    corpus = Corpus.objects.get(slug="back")
    assert (corpus.name, corpus.relevant_from, corpus.embedding_spaces.count()) == ("Claims again", 1, 1)
    again = bring("import_set", "back", folder)
    assert (again.counts, any("was taken" in notice for notice in again.notices)) == ((12, 0, 12, 0), False)
    assert bring("import_set", "back", folder, "--map", "text=title").reasons == [
        "An exported set is read as it is; leave out columns and rows (--map, --where)."
    ]


def test_one_refused_row_takes_the_whole_set_back_unless_the_good_rows_are_asked_for(
    frozen: SetVersion, tmp_path: Path
) -> None:
    Document.objects.filter(canonical_id="a1").update(gone_at=timezone.now())
    folder = exported("jsonl", tmp_path)
    answer = bring("import_set", "back", folder)
    assert (answer.code, answer.counts) == (2, (5, 0, 0, 5))
    assert answer.reasons[0].startswith("queries: The corpus holds no document with the canonical id a1")
    assert answer.reasons[-1].startswith("Nothing of the set was stored")
    assert not Corpus.objects.filter(slug="back").exists()
    assert not Document.objects.exclude(corpus__slug="claims").exists()
    receipt = brought(folder, keep_good=True)
    assert (receipt.read, receipt.stored, receipt.merged, receipt.refused) == (10, 7, 0, 3)
    assert Query.objects.filter(corpus__slug="back", status="judged").count() == 2


def test_a_set_of_ones_stays_one_and_a_corpus_with_queries_keeps_its_rules(tmp_path: Path) -> None:
    corpus = factories.a_corpus("claims", relevant_from=1)
    bring_documents("claims", written(tmp_path, "d.jsonl", *DOCUMENTS))
    bring("import_queries", "claims", written(tmp_path, "q.jsonl", QUERIES[0]))
    bring("import_qrels", "claims", written(tmp_path, "r.tsv", *QRELS[:3]))
    Qrel.objects.update(grade=1, original_score="")
    factories.frozen_set(corpus)
    folder = exported("trec", tmp_path).with_name("beir")
    run("export_set", "hard@1", "--format", "beir", "--out", folder)
    other = factories.a_corpus("back", relevant_from=3)
    factories.a_query(factories.a_stratum(other), external_id="other")
    receipt = brought(folder)
    assert receipt.errors == ()
    assert set(Qrel.objects.filter(query__corpus=other).values_list("grade", flat=True)) == {1}
    other.refresh_from_db()
    assert other.relevant_from == 3
    assert any("from 1 on as relevant, this corpus from 3" in notice.text for notice in receipt.notices)


def test_a_zip_comes_back_on_the_import_screen_at_once_or_in_a_job(
    frozen: SetVersion, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    exported("jsonl", tmp_path)
    packed = Path(shutil.make_archive(str(tmp_path / "packed"), "zip", tmp_path, "jsonl")).read_bytes()
    back = factories.a_corpus("back", relevant_from=3)
    client = Client()
    client.force_login(factories.member(back, factories.person("bo"), Role.LEAD))

    def chosen() -> str:
        sent = {"kind": "set", "file": SimpleUploadedFile("hard.zip", packed)}
        return str(client.post("/c/back/import/", sent)["Location"])

    shown = client.get(chosen()).content.decode()
    assert "Import 12 rows of an exported set" in shown
    assert "qrels: 5 read, 4 stored, 1 merged, 0 refused." in shown
    assert not back.documents.exists()
    monkeypatch.setattr(uploading, "AT_ONCE", 10)
    address = chosen()
    work_on(back.jobs.get(kind=uploading.IMPORT).pk)
    client.post(address, {"step": "all"})
    work_on(back.jobs.filter(kind=uploading.IMPORT).latest("pk").pk)
    assert ("Imported rows of an exported set" in client.get(address).content.decode(), back.queries.count()) == (
        True,
        3,
    )
    assert back.jobs.filter(kind=uploading.ENCODE).count() == 1
    again = factories.frozen_set(back, "again")
    assert covered(again, "jsonl") == covered(frozen, "jsonl")
    monkeypatch.undo()
    client.post(address := chosen(), {"step": "all"})
    assert "12 here already" in client.get(address).content.decode()


@pytest.mark.parametrize(
    ("harm", "words"),
    [
        (lambda folder: (folder / "qrels.jsonl").unlink(), "qrels.jsonl is missing, which set.json names."),
        (lambda folder: (folder / "more.jsonl").touch(), "more.jsonl is not of this set"),
        (lambda folder: (folder / "queries.jsonl").write_text("{}"), "queries.jsonl is not the file that was exported"),
        (lambda folder: (folder / "set.json").unlink(), "There is no set.json in it."),
        (lambda folder: rewritten(folder, relevant_from=7), "not as export_set writes it: look at relevant_from."),
        (lambda folder: rewritten(folder, format="trec"), "The layout trec holds no documents to bring back"),
        (lambda folder: rewritten(folder, plan=[{"slice": "x"}]), "a stratum that there cannot be"),
        (lambda folder: rewritten(folder, traffic={"tr": 3}), "tr"),
    ],
)
def test_what_is_not_as_it_was_exported_is_refused_in_one_sentence(
    frozen: SetVersion, tmp_path: Path, harm: Any, words: str
) -> None:
    folder = exported("jsonl", tmp_path)
    harm(folder)
    answer = bring("import_set", "back", folder)
    assert (answer.code, len(answer.reasons)) == (2, 1)
    assert words in answer.reasons[0]
    assert not Corpus.objects.filter(slug="back").exists()


@pytest.mark.parametrize(
    ("smuggled", "words"),
    [
        ("set/qrels.jsonl", "set/qrels.jsonl is in it twice"),
        ("qrels.jsonl", "qrels.jsonl is not of this set: it lies outside"),
    ],
)
def test_a_zip_brings_nothing_past_its_hashes(frozen: SetVersion, tmp_path: Path, smuggled: str, words: str) -> None:
    folder = exported("jsonl", tmp_path)
    path = tmp_path / "set.zip"
    with zipfile.ZipFile(path, "w") as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # zipfile tells of a name that stands twice
        archive.writestr(smuggled, '{"query_id": "q1", "canonical_id": "a1", "grade": 3}')
        for file in folder.iterdir():
            archive.write(file, f"set/{file.name}")
    answer = bring("import_set", "back", path)
    assert (answer.code, len(answer.reasons)) == (2, 1)
    assert words in answer.reasons[0]


DEFLATE64 = b"\x09\0"
"""A way to pack that Windows takes for large files."""


@pytest.mark.parametrize(
    "harm",
    [
        lambda held: held.replace(b"calinti", b"xalinti"),
        lambda held: re.sub(rb"(PK\x03\x04.{4})..|(PK\x01\x02.{6})..", rb"\1\2" + DEFLATE64, held, flags=re.DOTALL),
    ],
)
def test_a_zip_that_cannot_be_unpacked_is_refused_in_one_sentence(
    frozen: SetVersion, tmp_path: Path, harm: Callable[[bytes], bytes]
) -> None:
    path = tmp_path / "set.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for file in exported("jsonl", tmp_path).iterdir():
            archive.write(file, file.name)
    path.write_bytes(harm(path.read_bytes()))
    answer = bring("import_set", "back", path)
    assert (answer.code, len(answer.reasons)) == (2, 1)
    assert "pack it again" in answer.reasons[0]


def test_the_encoder_of_the_exact_lists_stands_in_the_certificate_and_the_export(
    frozen: SetVersion, tmp_path: Path, client: Client
) -> None:
    folder = exported("jsonl", tmp_path)
    told = json.loads((folder / "set.json").read_text())
    space = frozen.corpus.embedding_spaces.get()
    made_by = {"encoder": "compass", "revision": "1", "native_dims": 2, "dims": 2, "sha256": space.sha256}
    assert told["exact_lists"] == frozen.certificate["exact_lists"] == [{**made_by, "queries": 2}]
    client.force_login(factories.lena(frozen.corpus))
    page = client.get("/c/claims/sets/hard/1/").content.decode()
    assert "<dt>Exact list</dt><dd>compass 1, 2 of 2 dimensions: 2 queries</dd>" in page


@pytest.mark.parametrize("told", [{}, {"exact_lists": None}, {"exact_lists": []}])
def test_an_export_that_does_not_say_by_which_encoder_is_read_too(
    frozen: SetVersion, tmp_path: Path, told: dict[str, Any]
) -> None:
    folder = exported("jsonl", tmp_path)
    about = json.loads((folder / "set.json").read_text())
    del about["exact_lists"]
    (folder / "set.json").write_text(json.dumps(about | told))
    receipt = brought(folder)
    assert (receipt.errors, any("drew" in notice.text for notice in receipt.notices)) == ((), False)


def rewritten(folder: Path, **told: Any) -> None:
    about = json.loads((folder / "set.json").read_text())
    (folder / "set.json").write_text(json.dumps({**about, **told}))
