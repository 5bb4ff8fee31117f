"""Hard negatives from indexes of every kind, through the commands and the page of the lead."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import faiss
import numpy as np
import pytest
from django.conf import LazySettings
from django.core.management import CommandError
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from curation.actions.adding import described
from curation.indexes.base import AskedQuery, Ranked
from curation.indexes.faiss_file import FaissFileIndex
from curation.models import Corpus, Generation, HardNegative, MiningRun, Query, TargetIndex
from curation.reports.embeddings import vectors_path
from curation.reports.exact_search import current_space
from curation.reports.indexes import answers, open_index
from curation.retrieval.vectors import Vectors, open_vectors
from tests import factories
from tests.bringing import bring, run, written
from tests.curation.mining.claims import bring_claims, lines_in
from tests.vector_database import VectorDatabase

pytestmark = pytest.mark.django_db


@pytest.fixture
def claims(tmp_path: Path) -> Corpus:
    return bring_claims(tmp_path)


def vectors(corpus: Corpus) -> Vectors:
    return open_vectors(vectors_path(current_space(corpus)))


def place_faiss(corpus: Corpus, folder: Path, *, stray: bool = False) -> None:
    """The corpus's own vectors as a FAISS file; with `stray`, one document bears an id the corpus does not know."""
    held = vectors(corpus)
    index = faiss.IndexFlatIP(held.matrix.shape[1])
    index.add(np.ascontiguousarray(held.matrix))
    folder.mkdir(parents=True, exist_ok=True)
    faiss.write_index(index, str(folder / "claims.faiss"))
    ids = ["stray", *held.ids[1:]] if stray else held.ids
    (folder / "claims.faiss.ids").write_text("".join(f"{name}\n" for name in ids))


def mined() -> list[tuple[str, str, int]]:
    code, out = run("mine", "claims", "--miner", "hard_negative", "--wait", "--json")
    assert code == 0, out
    newest = MiningRun.objects.order_by("-pk").first()
    rows = HardNegative.objects.filter(run=newest).order_by("query__external_id", "rank")
    return list(rows.values_list("query__external_id", "document__external_id", "rank"))


def test_faiss_and_pgvector_are_mined_like_exact_search(
    claims: Corpus, settings: LazySettings, vector_database: VectorDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    exact = mined()
    assert exact
    place_faiss(claims, Path(settings.INDEX_FOLDER))
    vector_database.fill("claims_mined", vectors(claims).ids, vectors(claims).matrix)
    monkeypatch.setenv("INDEX_URL_LAWS", vector_database.url)
    for name, kind, location in (("f", "faiss_file", "claims.faiss"), ("p", "pgvector", "LAWS/claims_mined")):
        code, out = run("add_index", "claims", name, "--kind", kind, "--location", location, "--production")
        assert (code, "holds 7 documents; 0 of the corpus are missing" in out) == (0, True), out
        assert mined() == exact
        generation = Generation.objects.get(index__name=name)
        assert generation.index_fingerprint == open_index(generation.index).fingerprint()


def test_bm25_is_mined_without_a_vector(claims: Corpus) -> None:
    added = run("add_index", "claims", "words", "--kind", "bm25", "--production")
    assert (added[0], "words is stored and in production: hard negatives are mined" in added[1]) == (0, True)
    assert {document for query, document, _ in mined() if query == "q2"} >= {"hail-b", "hail-c"}


def test_bm25_has_a_say_about_what_another_index_ranks_high(claims: Corpus) -> None:
    run("add_index", "claims", "words", "--kind", "bm25")
    mined()
    newest = MiningRun.objects.order_by("-pk")[0]
    assert newest.params["retrievers"] == ["exact", "words"]
    places = HardNegative.objects.get(run=newest, query__external_id="q2", document__external_id="hail-b").places
    assert places == {"words": 2}


def test_bm25_answers_queries_in_their_order(claims: Corpus) -> None:
    queries = list(Query.objects.select_related("stratum").order_by("external_id"))
    words = TargetIndex(corpus=claims, name="words", kind="bm25")
    assert [[place.external_id for place in ranking] for ranking in answers(words, queries, 2)] == [
        ["theft-1", "theft-2"],
        ["hail-a", "hail-b"],
    ]


def test_the_word_index_follows_the_documents(claims: Corpus, settings: LazySettings) -> None:
    index = TargetIndex(corpus=claims, kind="bm25")
    before = open_index(index).fingerprint()
    claims.documents.filter(external_id="cargo").update(gone_at="2026-01-01T00:00:00Z")
    after = open_index(index)
    assert "cargo" not in after.ids()
    assert after.fingerprint() != before
    assert len(list((Path(settings.DATA_DIR) / "bm25" / "claims").iterdir())) == 1


def test_an_index_replaced_while_it_is_mined_leaves_the_fingerprint_of_its_answers(
    claims: Corpus, settings: LazySettings, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    folder = Path(settings.INDEX_FOLDER)
    place_faiss(claims, folder)
    run("add_index", "claims", "f", "--kind", "faiss_file", "--location", "claims.faiss", "--production")
    before, search = open_index(TargetIndex.objects.get(name="f")).fingerprint(), FaissFileIndex.search

    def replaced(self: FaissFileIndex, queries: Sequence[AskedQuery], k: int) -> list[list[Ranked]]:
        found = search(self, queries, k)
        place_faiss(claims, tmp_path / "new", stray=True)
        for name in ("claims.faiss", "claims.faiss.ids"):
            (tmp_path / "new" / name).replace(folder / name)
        return found

    monkeypatch.setattr(FaissFileIndex, "search", replaced)
    mined()
    run("export_proposals", "claims", "--miner", "hard_negative", "--out", tmp_path / "out.jsonl")
    assert {line["index"] for line in lines_in(tmp_path / "out.jsonl")} == {f"f@{before}"}
    assert open_index(TargetIndex.objects.get(name="f")).fingerprint() != before


def test_check_index_tells_what_is_unknown_and_what_is_missing(claims: Corpus, settings: LazySettings) -> None:
    place_faiss(claims, Path(settings.INDEX_FOLDER), stray=True)
    run("add_index", "claims", "f", "--kind", "faiss_file", "--location", "claims.faiss")
    out = run("check_index", "claims", "f")[1]
    assert "f: FAISS file, claims.faiss\n" in out
    assert "holds 7 documents; 1 of the corpus are missing from it" in out
    assert "1 of its ids are unknown to the corpus: stray" in out
    assert "asked q1 (stolen tools): 7 answers" in out


def test_an_index_that_moves_leaves_what_was_read_of_its_manifest_behind(claims: Corpus) -> None:
    read = {"manifest": {"manifest_version": 2}, "manifest_fault": "gone", "manifest_read_at": timezone.now()}
    TargetIndex.objects.create(corpus=claims, name="f", kind="faiss_file", location="old.faiss", **read)
    stays, moves = (
        described(corpus=claims, name="f", kind=TargetIndex.Kind.FAISS_FILE, location=location)
        for location in ("old.faiss", "new.faiss")
    )
    assert (stays.manifest_fault, moves.manifest, moves.manifest_fault, moves.manifest_read_at) == (
        "gone",
        {},
        "",
        None,
    )


def refused(*words: object) -> str:
    with pytest.raises(CommandError) as refusal:
        run(*map(str, words))
    assert refusal.value.returncode == 2
    return str(refusal.value)


@pytest.mark.parametrize("name", ["n" * 201, "nul\0", "two\nlines", " "])
def test_what_nothing_can_be_called_is_no_name_of_an_index_or_a_run(claims: Corpus, name: str, tmp_path: Path) -> None:
    assert " name" in refused("add_index", "claims", name, "--kind", "bm25")
    answer = bring("import_run", "claims", written(tmp_path, "r.run", "q2 Q0 hail-a 1 1 x"), "--name", name)
    assert answer.code == 2
    assert " name" in " ".join(answer.reasons)
    assert claims.indexes.count() == 1


def test_a_faiss_file_that_no_disk_can_hold_is_refused_in_a_sentence(claims: Corpus, settings: LazySettings) -> None:
    folder = Path(settings.INDEX_FOLDER)
    folder.mkdir(parents=True)
    (folder / "loop").symlink_to(folder / "loop")
    add = ("add_index", "claims", "f", "--kind", "faiss_file", "--location")
    assert "loop is no file in the folder of INDEX_FOLDER" in refused(*add, "loop")
    assert "is no file in the folder of INDEX_FOLDER" in refused(*add, "é" * 200)
    assert "A location has at most 500 characters" in refused(*add, "x" * 501)


def test_an_index_that_cannot_be_asked_is_not_stored(claims: Corpus) -> None:
    add = ("add_index", "claims", "f", "--kind")
    assert "There is no file x in the folder of INDEX_FOLDER" in refused(*add, "faiss_file", "--location", "x")
    assert "is no place for a FAISS index" in refused(*add, "faiss_file", "--location", "../x")
    assert "INDEX_URL_LAWS is not set" in refused(*add, "pgvector", "--location", "LAWS/x")
    assert "INDEX_URL_LAWS is not set" in refused(*add, "qdrant", "--location", "LAWS/x")
    assert "INDEX_URL_LAWS is not set" in refused(*add, "elasticsearch", "--location", "LAWS/x?text=body")
    assert "begins with no server" in refused(*add, "pgvector", "--location", "postgresql://me:secret@db/x")
    assert "has no location" in refused(*add, "bm25", "--location", "x")
    assert "is of kind exact" in refused("add_index", "claims", "exact", "--kind", "bm25")
    assert "There is no index claims/f. Known: claims/exact." in refused("check_index", "claims", "f")
    assert list(claims.indexes.values_list("name", flat=True)) == ["exact"]


@pytest.mark.parametrize("name", ["a/b", " words", "words "])
def test_a_name_that_no_page_can_show_is_refused(claims: Corpus, name: str) -> None:
    assert "is no name for an index; write it without a slash" in refused("add_index", "claims", name, "--kind", "bm25")


def test_an_index_added_says_that_it_is_stored_and_how_it_gets_into_production(claims: Corpus) -> None:
    said = run("add_index", "claims", "words", "--kind", "bm25")[1]
    assert "words is stored, and not in production; --production puts it there." in said


def test_one_family_mined_by_command_tells_the_generation_it_opened_and_what_is_not_mined_in_it(claims: Corpus) -> None:
    run("mine", "claims", "--miner", "short_keyword", "--wait")
    run("add_index", "claims", "words", "--kind", "bm25", "--production")
    said = run("mine", "claims", "--miner", "hard_negative", "--wait")[1]
    assert "Generation 2 of index words was opened. Not mined in it yet: Near-duplicate groups, Rare terms," in said
    assert "partition" not in said
    assert "was opened" not in run("mine", "claims", "--miner", "hard_negative", "--wait")[1]


def test_an_index_that_goes_away_fails_the_run_with_one_sentence(claims: Corpus, settings: LazySettings) -> None:
    place_faiss(claims, Path(settings.INDEX_FOLDER))
    run("add_index", "claims", "f", "--kind", "faiss_file", "--location", "claims.faiss", "--production")
    (Path(settings.INDEX_FOLDER) / "claims.faiss").unlink()
    code, out = run("mine", "claims", "--miner", "hard_negative", "--wait")
    assert (code, "There is no file claims.faiss in the folder of INDEX_FOLDER; put it there first." in out) == (
        2,
        True,
    )
    assert not HardNegative.objects.exists()


def test_an_index_added_again_moves_and_keeps_its_place(claims: Corpus, settings: LazySettings) -> None:
    place_faiss(claims, Path(settings.INDEX_FOLDER))
    place_faiss(claims, Path(settings.INDEX_FOLDER) / "new")
    for location in ("claims.faiss", "new/claims.faiss"):
        run("add_index", "claims", "f", "--kind", "faiss_file", "--location", location)
    assert claims.indexes.get(name="f").location == "new/claims.faiss"


def test_a_lead_sees_the_indexes_and_switches_production(claims: Corpus, client: Client) -> None:
    run("add_index", "claims", "words", "--kind", "bm25")
    due = claims.indexes.get(name="exact").remine_due_on
    client.force_login(factories.lena(claims))
    page = client.get(reverse("indexes", args=["claims"])).content.decode()
    assert "BM25 over words" in page
    words = claims.indexes.get(name="words")
    answer = client.post(reverse("index_production", args=["claims", words.pk]), follow=True).content.decode()
    assert "words is in production: the next generation is mined against it." in answer
    words.refresh_from_db()
    assert (words.is_production, words.remine_due_on) == (True, due)
