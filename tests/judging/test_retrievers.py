"""Pools of both kinds, drawn from every retriever that can answer; who put a candidate there stays hidden until asked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError
from django.db import IntegrityError, transaction
from django.utils import timezone

from curation.models import Corpus, Query, QueryScore, RankedRun, Stratum, TargetIndex
from judging.models import Pool
from judging.models.pools import best_place
from tests import factories
from tests.bringing import bring, run, written
from tests.judging import stage
from tests.judging.test_pools import drawn

pytestmark = pytest.mark.django_db

NAMES = [f"d{number:02d}" for number in range(1, 61)]


@pytest.fixture
def corpus() -> Corpus:
    """Sixty articles in rank order; the last five speak of hail."""
    made = factories.a_corpus()
    for name in NAMES:
        stage.a_document(made, name, f"Hail {name}" if name > "d55" else f"Of {name}")
    stage.a_space(made, {name: float(place) for place, name in enumerate(NAMES)})
    return made


def asks(corpus: Corpus, text: str = "hail", kind: str = "exact50") -> Query:
    stratum = factories.a_stratum(corpus)
    Stratum.objects.update(pool_kind=kind)
    return factories.a_query(stratum, text)


def a_production_run(corpus: Corpus, query: Query | None, *hits: str) -> TargetIndex:
    index = TargetIndex.objects.create(corpus=corpus, name="hnsw", kind="run", is_production=True)
    if query:
        ranked = RankedRun.objects.create(corpus=corpus, index=index, name="hnsw", k=20, measured_at=timezone.now())
        QueryScore.objects.create(run=ranked, query=query, k=20, hits=list(hits))
    return index


def origins(pool: Pool) -> dict[str, dict[str, int]]:
    return dict(pool.candidates.values_list("document__external_id", "origins"))


def test_the_first_ten_of_bm25_and_of_production_join_the_fifty_of_exact_search(corpus: Corpus) -> None:
    query = stage.aims(asks(corpus))
    index = a_production_run(corpus, query, "d60", "d02", *NAMES[3:18])
    assert (drawn(corpus)["candidates"], drawn(corpus)["pools"]) == (55, 0)
    pool = Pool.objects.get()
    found = origins(pool)
    assert found["d60"] == {"bm25": 5, "production": 1}
    assert found["d02"] == {"exact": 2, "production": 2}
    assert found["d12"] == {"exact": 12}  # production has it eleventh
    assert found["d50"] == {"exact": 50}
    assert "d55" not in found
    assert (pool.kind, pool.depth, pool.production, pool.unanswered) == ("exact50", 50, index, {})
    assert pool.candidates.get(document__external_id="d60").exact_rank is None


def test_pooled10_holds_the_first_ten_of_each_once(corpus: Corpus) -> None:
    query = stage.aims(asks(corpus, kind="pooled10"))
    a_production_run(corpus, query, "d01", "d40", *NAMES[10:30])
    drawn(corpus)
    pool = Pool.objects.get()
    assert (pool.kind, pool.depth) == ("pooled10", 10)
    assert sorted(origins(pool)) == sorted([*NAMES[:10], "d40", *NAMES[10:18], *NAMES[55:]])
    assert origins(pool)["d01"] == {"exact": 1, "production": 1}


def test_a_query_has_one_drawn_pool_whichever_kind(corpus: Corpus) -> None:
    query = stage.aims(asks(corpus, kind="pooled10"))
    drawn(corpus)
    Stratum.objects.update(pool_kind="exact50")
    assert drawn(corpus)["pools"] == 0
    space = corpus.embedding_spaces.get()
    with pytest.raises(IntegrityError), transaction.atomic():
        Pool.objects.create(query=query, kind="exact50", embedding_space=space, depth=50, drawn_at=timezone.now())


@pytest.mark.parametrize(
    ("fields", "because"),
    [
        ({"kind": "run"}, "The index hnsw has no run yet; bring one with import_run."),
        ({"kind": "faiss_file", "location": "nowhere.faiss"}, "nowhere.faiss"),
    ],
)
def test_a_retriever_that_cannot_answer_is_named_and_stops_nothing(
    corpus: Corpus, fields: dict[str, Any], because: str
) -> None:
    stage.aims(asks(corpus))
    stage.aims(factories.a_query(corpus.strata.get(), "hail once more"))
    TargetIndex.objects.create(corpus=corpus, name="hnsw", is_production=True, **fields)
    _, words = run("draw_pools", "claims")
    assert "2 pools drawn, 110 candidates. 2 of them without the production index: " in words
    assert because in words
    assert [because in pool.unanswered["production"] for pool in Pool.objects.all()] == [True, True]


def test_a_run_made_before_the_query_is_said_not_to_hold_it(corpus: Corpus) -> None:
    first = stage.aims(asks(corpus))
    stage.aims(factories.a_query(corpus.strata.get(), "hail once more"))
    a_production_run(corpus, first, "d60")
    assert drawn(corpus)["without"] == {"production": 1}
    assert Pool.objects.exclude(query=first).get().unanswered == {
        "production": "The run of hnsw does not hold this query."
    }


@pytest.mark.parametrize("kind", ["exact", "bm25"])
def test_a_production_index_that_is_asked_already_is_not_asked_twice(corpus: Corpus, kind: str) -> None:
    stage.aims(asks(corpus))
    TargetIndex.objects.create(corpus=corpus, name="live", kind=kind, is_production=True)
    drawn(corpus)
    assert {name for each in origins(Pool.objects.get()).values() for name in each} == {"exact", "bm25"}


def test_pooled10_does_not_wait_for_the_vector_of_a_query_and_exact50_does(corpus: Corpus) -> None:
    asks(corpus)
    other = factories.a_query(factories.a_stratum(corpus, "de en Latn question distinctive"), "hail again")
    Stratum.objects.filter(query_language="tr").update(pool_kind="pooled10")
    answer = drawn(corpus)
    assert (answer["pools"], answer["waiting"], answer["without"]) == (1, 1, {"exact": 1})
    assert sorted(origins(Pool.objects.get())) == NAMES[55:]
    assert not other.pools.exists()


def test_a_text_that_the_encoder_cannot_place_is_judged_by_what_others_find(tmp_path: Path) -> None:
    rows = ({"id": f"d{number}", "text": f"Storm and hail damage, case {number}."} for number in range(1, 4))
    bring("import_corpus", "storms", written(tmp_path, "corpus.jsonl", *rows))
    corpus = Corpus.objects.get()
    query = asks(corpus, "Ω Ω")
    corpus.indexes.update(is_production=False)
    a_production_run(corpus, query, "d3", "d1")
    assert drawn(corpus)["without"] == {"exact": 1}
    pool = Pool.objects.get()
    assert stage.ids(sorted(pool.candidates.all(), key=lambda each: best_place(each.origins))) == ["d3", "d1"]
    assert "lsa cannot place it" in pool.unanswered["exact"]
    assert pool.embedding_space is not None


def test_a_text_that_nothing_finds_waits(tmp_path: Path) -> None:
    bring("import_corpus", "storms", written(tmp_path, "corpus.jsonl", {"id": "d1", "text": "Storm and hail damage."}))
    asks(Corpus.objects.get(), "Ω Ω")
    with pytest.raises(CommandError, match=r"No pool could be drawn for 1 query: .*cannot place it"):
        drawn(Corpus.objects.get())


def test_keys_of_candidates_do_not_tell_their_ranks(corpus: Corpus) -> None:
    stage.aims(asks(corpus))
    drawn(corpus)
    by_key = list(Pool.objects.get().candidates.order_by("pk").values_list("exact_rank", flat=True))
    assert by_key != sorted(by_key, key=lambda rank: rank or 99)
