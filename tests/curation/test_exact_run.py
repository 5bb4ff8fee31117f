"""The exact run keeps up with its queries: measured where due, only what is new, never twice."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from curation.actions import exact_run
from curation.actions.runs import run_named
from curation.models import Corpus, Job, Query, QueryScore
from curation.tasks import work_on
from tests import factories
from tests.bringing import bring, written

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 7, 14, 9, 0, tzinfo=UTC)


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    """Three documents, and a query for the first."""
    texts = {"d1": "Hail damage to parked cars", "d2": "Flood cover in basements", "d3": "Stolen bicycles abroad"}
    rows = [{"doc_id": name, "locale": "en", "text": text} for name, text in texts.items()]
    assert bring("import_corpus", "claims", written(tmp_path, "corpus.jsonl", *rows)).code == 0
    query = {"query_id": "q1", "locale": "en", "text": "hail on a parked car", "gold_doc_id": "d1"}
    assert bring("import_queries", "claims", written(tmp_path, "queries.jsonl", query)).code == 0
    return Corpus.objects.get()


def due() -> list[Job]:
    return exact_run.ask_where_due(now=NOW)


def test_a_corpus_behind_its_queries_is_measured_and_then_is_due_no_more(corpus: Corpus) -> None:
    [job] = due()
    assert due() == []
    assert work_on(job.pk)
    assert Job.objects.get(pk=job.pk).result == {"run": "exact", "queries": 1}
    assert QueryScore.objects.get().gold_rank == 1
    assert due() == []


def test_only_new_queries_are_searched(corpus: Corpus, tmp_path: Path) -> None:
    run_named(corpus, "exact", k=10, now=NOW)
    kept = QueryScore.objects.get()
    second = {"query_id": "q2", "locale": "en", "text": "bicycle stolen in Spain", "gold_doc_id": "d3"}
    bring("import_queries", "claims", written(tmp_path, "more.jsonl", second))
    run = run_named(corpus, "exact", k=10, now=NOW + timedelta(days=1))
    assert run.scores.get(query__external_id="q1") == kept
    assert run.scores.get(query__external_id="q2").gold_rank == 1
    assert run.measured_at == NOW + timedelta(days=1)


def test_a_query_the_encoder_cannot_place_is_missing_and_does_not_stop_the_others(
    corpus: Corpus, tmp_path: Path
) -> None:
    strange = {"query_id": "q2", "locale": "ja", "text": "雹害", "gold_doc_id": "d1"}
    bring("import_queries", "claims", written(tmp_path, "more.jsonl", strange))
    board = bring("coverage", "claims", "--run", "exact").json
    assert board["missing"] == ["q2"]
    assert QueryScore.objects.get().query.external_id == "q1"


def test_retired_queries_are_not_measured(corpus: Corpus) -> None:
    Query.objects.update(status="retired", retired_reason="asked twice")
    assert due() == []


def test_a_corpus_without_vectors_is_never_due() -> None:
    factories.a_query(factories.a_stratum(factories.a_corpus("bare")))
    assert due() == []
