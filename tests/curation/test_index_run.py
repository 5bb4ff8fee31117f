"""hit@10 of a connected index: measured from the board or by command, asked only what is new."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.core.management.base import CommandError
from django.test import Client

from curation.actions import index_run
from curation.indexes.base import Index
from curation.models import Corpus, Job, QueryScore, RankedRun, TargetIndex
from curation.reports.indexes import open_index
from curation.tasks import work_on
from tests import factories
from tests.bringing import bring, written

pytestmark = pytest.mark.django_db
ASKED = {"query_id": "q1", "locale": "en", "text": "hail on a parked car", "gold_doc_id": "d1"}
LATER = {"query_id": "q2", "locale": "en", "text": "bicycles stolen in Spain", "gold_doc_id": "d3"}


@pytest.fixture
def words(tmp_path: Path) -> TargetIndex:
    """BM25 over three documents, and a query for the first."""
    texts = {"d1": "Hail damage to parked cars", "d2": "Flood cover in basements", "d3": "Stolen bicycles abroad"}
    rows = [{"doc_id": name, "locale": "en", "text": text} for name, text in texts.items()]
    assert bring("import_corpus", "claims", written(tmp_path, "corpus.jsonl", *rows)).code == 0
    assert bring("import_queries", "claims", written(tmp_path, "queries.jsonl", ASKED)).code == 0
    return TargetIndex.objects.create(corpus=Corpus.objects.get(), name="words", kind=TargetIndex.Kind.BM25)


@pytest.fixture
def lena(words: TargetIndex) -> Client:
    client = Client()
    client.force_login(factories.lena(words.corpus))
    return client


def test_the_board_measures_a_connected_index_and_then_shows_its_scores(
    lena: Client, words: TargetIndex, tmp_path: Path
) -> None:
    board = "/c/claims/coverage/?run=words"
    measure = f"/c/claims/indexes/{words.pk}/measure"
    page = lena.get(board).content.decode()
    assert "words has not been measured, so the board shows counts only." in page
    assert f'action="{measure}"' in page
    job = Job.objects.get(pk=int(lena.post(measure)["Location"].rstrip("/").split("/")[-1]))
    assert work_on(job.pk)
    assert Job.objects.get(pk=job.pk).result == {"run": "words", "queries": 1}
    assert "hit@10 of <span" in lena.get(board).content.decode()
    kept = QueryScore.objects.get(run__name="words")
    assert kept.gold_rank == 1

    bring("import_queries", "claims", written(tmp_path, "more.jsonl", LATER))
    assert bring("measure_index", "claims", "words").json["queries"] == 2
    assert QueryScore.objects.get(run__name="words", query__external_id="q1").pk == kept.pk


def test_an_index_is_measured_as_deep_as_a_gate_reads_and_stays_so(words: TargetIndex) -> None:
    depths = [bring("measure_index", "claims", "words", *more).json["k"] for more in ([], ["--k", "200"], [])]
    assert depths == [50, 200, 200]
    assert RankedRun.objects.get(name="words").k == 200
    with pytest.raises(CommandError, match=r"k counts documents, from 1 to 10,000\."):
        bring("measure_index", "claims", "words", "--k", "0")


def test_measuring_that_is_cancelled_midway_stores_nothing_and_can_be_asked_for_again(
    lena: Client, words: TargetIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ask() -> Job:
        address = lena.post(f"/c/claims/indexes/{words.pk}/measure")["Location"]
        return Job.objects.get(pk=int(address.rstrip("/").split("/")[-1]))

    def cancelled_meanwhile(index: TargetIndex) -> Index:
        page = lena.post(f"/c/claims/jobs/{job.pk}/cancel", follow=True).content.decode()
        assert "Measure index: cancelled." in page
        return open_index(index)

    job = ask()
    with monkeypatch.context() as patched:
        patched.setattr(index_run, "open_index", cancelled_meanwhile)
        assert work_on(job.pk)
    job.refresh_from_db()
    assert (job.state, job.progress_done) == ("cancelled", 0)
    assert not RankedRun.objects.exists()
    again = ask()
    assert again.pk != job.pk
    assert work_on(again.pk)
    assert QueryScore.objects.get().gold_rank == 1


def test_a_run_from_elsewhere_is_not_overwritten(lena: Client, words: TargetIndex) -> None:
    RankedRun.objects.create(corpus=words.corpus, name="words", k=10, measured_at=words.corpus.created_at)
    page = lena.post(f"/c/claims/indexes/{words.pk}/measure", follow=True).content.decode()
    assert "A run called words came from elsewhere" in page
    assert not Job.objects.filter(kind="measure_index").exists()


def test_what_is_not_connected_is_not_asked(lena: Client, words: TargetIndex) -> None:
    index = TargetIndex.objects.create(corpus=words.corpus, name="theirs", kind=TargetIndex.Kind.RUN)
    assert lena.post(f"/c/claims/indexes/{index.pk}/measure").status_code == 404
    with pytest.raises(CommandError, match="is not asked here"):
        bring("measure_index", "claims", "theirs")
