"""Embedding spaces: made here by an encoder, or brought along and checked before anything is stored."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from django.conf import LazySettings

from curation.actions.embeddings import encode_corpus
from curation.models import Corpus, EmbeddingSpace, Query, QueryVector
from curation.reports.embeddings import encoder_of, vectors_path
from curation.reports.exact_search import exact_answers
from curation.retrieval.encoders import TextsRefused
from curation.retrieval.vectors import open_vectors
from tests.bringing import Answer, bring, written

pytestmark = pytest.mark.django_db
BROUGHT = ("--encoder-name", "enc-a", "--revision", "2026-01")


def documents(folder: Path, *names: str) -> Path:
    return written(folder, "corpus.jsonl", *({"id": name, "text": f"Text of {name}"} for name in names))


def queries(folder: Path, *names: str) -> Path:
    return written(folder, "queries.jsonl", *({"id": name, "text": f"soru {name}", "locale": "tr"} for name in names))


def space() -> EmbeddingSpace:
    return EmbeddingSpace.objects.get(current=True)


def ranked(name: str, k: int) -> Sequence[tuple[str, float]]:
    [answer] = exact_answers(space(), [Query.objects.get(external_id=name)], k=k)
    return answer.hits


def test_a_new_corpus_is_encoded_with_lsa_in_ascending_id_order(tmp_path: Path) -> None:
    answer = bring("import_corpus", "claims", documents(tmp_path, "d2", "d10", "d1"))
    assert open_vectors(vectors_path(space())).ids == ("d1", "d10", "d2")
    assert (space().encoder, space().rows, space().transform_order) == ("lsa", 3, ["l2_normalise"])
    assert encoder_of(space()).revision == space().revision
    assert "3 documents are encoded with lsa" in answer.notices[-1]


def test_a_changed_corpus_is_encoded_again_with_its_present_encoder_and_the_old_vectors_stay(tmp_path: Path) -> None:
    bring("import_corpus", "claims", documents(tmp_path, "d1", "d2"))
    old = space()
    bring("import_corpus", "claims", documents(tmp_path, "d1", "d2", "d3"))
    assert space().rows == 3
    assert space().pk != old.pk
    assert vectors_path(old).exists()
    assert encoder_of(old).revision == old.revision


def test_an_encoder_can_be_chosen_and_an_unknown_one_is_refused_by_name(tmp_path: Path) -> None:
    path = documents(tmp_path, "d1")
    assert bring("import_corpus", "claims", path, "--encoder", "use").code == 0
    assert space().encoder == "use"
    bring("import_corpus", "claims", path)
    assert space().encoder == "use"
    assert "no encoder bert" in bring("import_corpus", "claims", path, "--encoder", "bert").reasons[0]


def test_encoding_counts_documents_and_can_be_stopped(tmp_path: Path) -> None:
    bring("import_corpus", "claims", documents(tmp_path, "d1", "d2"))
    corpus, seen = Corpus.objects.get(), []

    def stop(done: int, total: int) -> None:
        seen.append((done, total))
        raise InterruptedError

    with pytest.raises(InterruptedError):
        encode_corpus(corpus=corpus, encoder="use", progress=stop)
    assert seen == [(2, 2)]
    assert space().encoder == "lsa"


def test_vectors_brought_along_become_the_space_and_are_kept_under_their_encoders_name(tmp_path: Path) -> None:
    vectors = written(tmp_path, "v.jsonl", {"id": "d2", "vector": [0, 3]}, {"id": "d1", "vector": [4, 0]})
    assert bring("import_corpus", "claims", documents(tmp_path, "d1", "d2"), "--vectors", vectors, *BROUGHT).code == 0
    assert (space().encoder, space().revision, space().native_dims, space().dims) == ("enc-a", "2026-01", 2, 2)
    stored = open_vectors(vectors_path(space()))
    assert stored.ids == ("d1", "d2")
    assert stored.rows.tolist() == [[1, 0], [0, 1]]
    assert "bring new ones" in bring("import_corpus", "claims", documents(tmp_path, "d1", "d2")).notices[-1]


def test_vectors_cut_from_a_wider_encoder_say_so(tmp_path: Path) -> None:
    vectors = written(tmp_path, "v.jsonl", {"id": "d1", "vector": [4, 0]})
    bring("import_corpus", "claims", documents(tmp_path, "d1"), "--vectors", vectors, *BROUGHT, "--native-dims", 8)
    assert (space().native_dims, space().dims, space().transform_order) == (8, 2, ["truncate", "l2_normalise"])


def test_vectors_wider_than_their_encoder_are_refused(tmp_path: Path) -> None:
    vectors = written(tmp_path, "v.jsonl", {"id": "d1", "vector": [4, 0]})
    answer = bring(
        "import_corpus", "claims", documents(tmp_path, "d1"), "--vectors", vectors, *BROUGHT, "--native-dims", 1
    )
    assert "--native-dims" in answer.reasons[0]


@pytest.mark.parametrize(("named", "words"), [(["d1"], "d2"), (["d1", "d2", "d9"], "d9")])
def test_vectors_of_other_documents_are_refused_and_nothing_is_stored(
    tmp_path: Path, named: list[str], words: str
) -> None:
    vectors = written(tmp_path, "v.jsonl", *({"id": name, "vector": [1, 0]} for name in named))
    answer = bring("import_corpus", "claims", documents(tmp_path, "d1", "d2"), "--vectors", vectors, *BROUGHT)
    assert answer.code == 2
    assert words in answer.reasons[0]
    assert not Corpus.objects.exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "--encoder-name"),
        (("--encoder-name", "use"), "Hardset's own"),
    ],
)
def test_vectors_need_the_name_of_their_encoder(tmp_path: Path, words: tuple[str, ...], said: str) -> None:
    vectors = written(tmp_path, "v.jsonl", {"id": "d1", "vector": [1, 0]})
    assert said in bring("import_corpus", "claims", documents(tmp_path, "d1"), "--vectors", vectors, *words).reasons[0]


def test_query_vectors_go_through_the_transform_of_the_documents(tmp_path: Path) -> None:
    vectors = written(tmp_path, "v.jsonl", {"id": "d1", "vector": [4, 0]}, {"id": "d2", "vector": [0, 1]})
    bring("import_corpus", "claims", documents(tmp_path, "d1", "d2"), "--vectors", vectors, *BROUGHT)
    own = written(tmp_path, "qv.jsonl", {"id": "q1", "vector": [0, 5]})
    answer = bring("import_queries", "claims", queries(tmp_path, "q1"), "--query-vectors", own)
    assert (answer.code, answer.counts) == (0, (1, 1, 0, 0))
    assert answer.notices == ["1 query vectors stored, 0 merged, 0 refused."]
    assert ranked("q1", 1) == (("d2", 1.0),)
    assert bring("import_queries", "claims", "--query-vectors", own).counts == (1, 0, 1, 0)
    strange = written(tmp_path, "s.jsonl", {"id": "q9", "vector": [0, 5]})
    assert bring("import_queries", "claims", "--query-vectors", strange).counts == (1, 0, 0, 1)


def c23(tmp_path: Path, cases: Path) -> Answer:
    path = documents(tmp_path, "d1", "d2", "d3", "d4", "d5")
    return bring("import_corpus", "claims", path, "--vectors", cases / "c23-vectors.jsonl", *BROUGHT)


def test_c23_vectors_that_cannot_be_ranked_are_named_and_refused(tmp_path: Path, cases: Path) -> None:
    answer = c23(tmp_path, cases)
    assert answer.code == 2
    assert "d3" in answer.reasons[0]
    assert "d4" in answer.reasons[0]
    assert not Corpus.objects.exists()


def test_c23_50_of_3_documents_are_3_and_a_query_of_nan_is_refused(tmp_path: Path, cases: Path) -> None:
    lines = [json.loads(line) for line in (cases / "c23-vectors.jsonl").read_text().splitlines()]
    good = written(tmp_path, "good.jsonl", *(line for line in lines if line["id"] in {"d1", "d2", "d5"}))
    bring("import_corpus", "claims", documents(tmp_path, "d1", "d2", "d5"), "--vectors", good, *BROUGHT)
    bring("import_queries", "claims", queries(tmp_path, "q1", "q2"))
    refused = bring("import_queries", "claims", "--query-vectors", cases / "c23-queries.jsonl")
    assert (refused.code, "q2" in refused.reasons[0]) == (2, True)
    assert not QueryVector.objects.exists()
    bring("import_queries", "claims", "--query-vectors", written(tmp_path, "q.jsonl", {"id": "q1", "vector": [1, 0]}))
    assert [name for name, _ in ranked("q1", 50)] == ["d1", "d5", "d2"]
    with pytest.raises(TextsRefused):
        ranked("q2", 50)


def test_c26_zero_vectors_are_refused_by_id_and_scores_stay_within_one(tmp_path: Path, cases: Path) -> None:
    names = ("short", "long", "zero", "back")
    answer = bring(
        "import_corpus", "claims", documents(tmp_path, *names), "--vectors", cases / "c26-vectors.jsonl", *BROUGHT
    )
    assert "zero" in answer.reasons[0]
    lines = [json.loads(line) for line in (cases / "c26-vectors.jsonl").read_text().splitlines()]
    good = written(tmp_path, "good.jsonl", *(line for line in lines if line["id"] != "zero"))
    bring("import_corpus", "claims", documents(tmp_path, "short", "long", "back"), "--vectors", good, *BROUGHT)
    bring("import_queries", "claims", queries(tmp_path, "q1", "q2"))
    assert "q2" in bring("import_queries", "claims", "--query-vectors", cases / "c26-queries.jsonl").reasons[0]
    bring(
        "import_queries", "claims", "--query-vectors", written(tmp_path, "q.jsonl", {"id": "q1", "vector": [2.0, 0.0]})
    )
    hits = ranked("q1", 3)
    assert [name for name, _ in hits] == ["short", "long", "back"]
    assert all(-1 <= score <= 1 for _, score in hits)
    assert hits[0][1] == pytest.approx(1.0)


def test_c27_queries_of_another_width_are_refused_with_both_numbers_and_both_encoders(
    tmp_path: Path, cases: Path
) -> None:
    made_by = json.loads((cases / "c27-manifest.json").read_text())
    words = ("--encoder-name", made_by["model"], "--revision", made_by["revision"])
    bring("import_corpus", "claims", documents(tmp_path, "d1", "d2"), "--vectors", cases / "c27-vectors.jsonl", *words)
    old = space()
    bring("import_queries", "claims", queries(tmp_path, "q1"))
    [reason] = bring("import_queries", "claims", "--query-vectors", cases / "c27-queries.jsonl").reasons
    assert [word in reason for word in ("4", "3", "enc-a", "enc-b", "encode")] == [True] * 5
    path = documents(tmp_path, "d1", "d2", "d3", "d4")
    mixed = bring("import_corpus", "claims", path, "--vectors", cases / "c27-mixed.jsonl", *words)
    assert "line 2" in mixed.reasons[0]
    assert space() == old
    assert Corpus.objects.get().documents.count() == 2


@pytest.mark.parametrize("name", ["objects", "claims-4tb", "two-rows"])
def test_c58_files_that_lie_or_hold_no_numbers_are_refused(tmp_path: Path, cases: Path, name: str) -> None:
    ids = (cases / "c58-ids.txt").read_text().split()
    words = ("--vectors", cases / f"c58-{name}.npy", "--ids", cases / "c58-ids.txt", *BROUGHT)
    answer = bring("import_corpus", "claims", documents(tmp_path, *ids), *words)
    assert (answer.code, len(answer.reasons)) == (2, 1)
    assert not Corpus.objects.exists()


@pytest.mark.parametrize("name", ["bigendian", "fortran", "float64"])
def test_c58_byte_order_layout_and_width_are_understood(tmp_path: Path, cases: Path, name: str) -> None:
    ids = (cases / "c58-ids.txt").read_text().split()
    file = cases / f"c58-{name}.npy"
    words = ("--vectors", file, "--ids", cases / "c58-ids.txt", *BROUGHT)
    answer = bring("import_corpus", "claims", documents(tmp_path, *ids), *words)
    assert answer.code == 0
    assert any("float64" in text for text in answer.notices) == (name == "float64")
    given = np.load(file).astype(np.float64)
    expected = given / np.linalg.norm(given, axis=1, keepdims=True)
    stored = open_vectors(vectors_path(space()))
    assert np.allclose(stored.rows, [expected[ids.index(one)] for one in stored.ids], atol=1e-6)


def test_a_limit_of_unpacked_bytes_holds_on_the_command_line(tmp_path: Path, settings: LazySettings) -> None:
    settings.UNPACKED_BYTES = 20
    answer = bring("import_corpus", "claims", documents(tmp_path, "d1", "d2"))
    assert "at most 20 bytes" in answer.reasons[0]
