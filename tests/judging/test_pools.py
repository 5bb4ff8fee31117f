"""Pools are drawn once for every READY query, and grow by what reviewers send."""

from __future__ import annotations

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from curation.actions import pooling
from curation.actions.refusal import Refused
from curation.models import Corpus, Job
from judging.actions.candidates import add_candidate
from judging.models import Candidate, Pool
from judging.reports.pools import corpora_due
from judging.tasks import sweep_pools
from tests import factories
from tests.judging import stage

pytestmark = pytest.mark.django_db

STRATUM = "tr en Latn question distinctive"


@pytest.fixture
def corpus() -> Corpus:
    """Sixty articles, the second one in three languages."""
    made = factories.a_corpus()
    names = {f"d{number:02d}": float(number) for number in range(1, 61)}
    for name in names:
        stage.a_document(made, name)
    for language, degrees in (("tr", 1.5), ("de", 70.0)):
        stage.a_document(made, f"d02-{language}", canonical_id="d02", language=language)
        names[f"d02-{language}"] = degrees
    stage.a_space(made, names)
    return made


def drawn(corpus: Corpus) -> dict[str, object]:
    out = StringIO()
    call_command("draw_pools", corpus.slug, "--json", stdout=out)
    answer: dict[str, object] = json.loads(out.getvalue())
    return answer


def test_a_pool_holds_fifty_articles_in_exact_order_with_translations_folded(corpus: Corpus) -> None:
    query = stage.aims(factories.a_query(factories.a_stratum(corpus, STRATUM)))
    nothing = {"waiting": 0, "because": "", "without": {}, "without_because": {}}
    assert drawn(corpus) == {"pools": 1, "candidates": 50, **nothing}
    pool = Pool.objects.get(query=query)
    candidates = list(pool.candidates.order_by("exact_rank").select_related("document"))
    assert stage.ids(candidates)[:3] == ["d01", "d02-tr", "d03"]
    assert [each.exact_rank for each in candidates][:4] == [1, 2, 4, 5]  # d02 itself is third
    english, german = (corpus.documents.get(external_id=name).pk for name in ("d02", "d02-de"))
    assert candidates[1].folded == [english, german]
    assert (pool.depth, pool.kind, pool.cut_in_tie, candidates[0].origins) == (50, "exact50", 0, {"exact": 1})
    assert candidates[0].score == pytest.approx(0.99985, abs=1e-5)


def test_drawing_goes_deeper_where_translations_take_the_first_places() -> None:
    corpus = factories.a_corpus()
    degrees = {}
    for number in range(300):
        name = f"a-{number:03d}"
        stage.a_document(corpus, name, canonical_id="a", language=f"x{number}" if number else "en")
        degrees[name] = number / 100
    for number in range(60):
        stage.a_document(corpus, f"b-{number:02d}")
        degrees[f"b-{number:02d}"] = 10.0 + number
    stage.a_space(corpus, degrees)
    stage.aims(factories.a_query(factories.a_stratum(corpus, STRATUM)))
    assert drawn(corpus)["candidates"] == 50
    assert len(Candidate.objects.get(canonical_id="a").folded) == 299


def test_a_small_corpus_ends_the_pool() -> None:
    stage.a_judged_corpus(5)
    assert Pool.objects.get().candidates.count() == 5


def test_c24_the_page_says_how_many_tie_with_the_last_candidate() -> None:
    corpus = factories.a_corpus()
    names = [f"d{number:03d}" for number in range(60)]
    for name in names:
        stage.a_document(corpus, name)
    stage.a_space(corpus, dict.fromkeys(names, 20.0))
    stage.aims(factories.a_query(factories.a_stratum(corpus, STRATUM)))
    drawn(corpus)
    assert Pool.objects.get().cut_in_tie == 10
    assert stage.ids(Pool.objects.get().candidates.order_by("exact_rank")) == names[:50]
    page = stage.signed_in(factories.marek(corpus)).get(f"/c/{corpus.slug}/judge/", follow=True)
    assert "10 more with the last one" in page.content.decode()


def test_drawing_again_draws_nothing(corpus: Corpus) -> None:
    stage.in_stratum(factories.a_stratum(corpus, STRATUM), 3)
    assert drawn(corpus)["pools"] == 3
    before = list(Candidate.objects.order_by("pk").values_list("pk", flat=True))
    assert drawn(corpus)["pools"] == 0
    assert list(Candidate.objects.order_by("pk").values_list("pk", flat=True)) == before


def test_only_ready_queries_get_pools(corpus: Corpus) -> None:
    stratum = factories.a_stratum(corpus, STRATUM)
    for status in ("draft", "judged"):
        stage.aims(factories.a_query(stratum, status=status))
    stage.aims(factories.a_query(stratum, status="retired", retired_reason="a test"))
    assert drawn(corpus)["pools"] == 0


def test_a_query_that_cannot_be_searched_for_stops_no_other(corpus: Corpus) -> None:
    stratum = factories.a_stratum(corpus, STRATUM)
    unable = factories.a_query(stratum)
    stage.in_stratum(stratum, 2)
    answer = drawn(corpus)
    assert (answer["pools"], answer["waiting"]) == (2, 1)
    assert "bring vectors for the queries" in str(answer["because"])
    assert not unable.pools.exists()


def test_a_corpus_without_vectors_is_told_so() -> None:
    corpus = factories.a_corpus()
    factories.a_query(factories.a_stratum(corpus, STRATUM))
    with pytest.raises(CommandError, match="has no vectors yet"):
        drawn(corpus)
    assert Job.objects.get().state == "failed"
    with pytest.raises(CommandError, match="There is no corpus nowhere"):
        call_command("draw_pools", "nowhere")


def test_the_sweep_asks_for_pools_nobody_asked_for_and_does_not_nag(corpus: Corpus) -> None:
    stratum = factories.a_stratum(corpus, STRATUM)
    factories.a_query(stratum)  # without a vector: it cannot be drawn for
    now = timezone.now()
    assert corpora_due(now=now) == [corpus]
    sweep_pools()
    job = Job.objects.get(kind=pooling.KIND)
    sweep_pools()
    assert Job.objects.get(kind=pooling.KIND) == job
    Job.objects.update(state="failed", error="no vector")
    assert corpora_due(now=now) == []
    factories.a_query(stratum)
    assert corpora_due(now=timezone.now()) == [corpus]


def test_a_document_sent_to_a_ready_query_joins_its_pool(corpus: Corpus) -> None:
    query = stage.aims(factories.a_query(factories.a_stratum(corpus, STRATUM)))
    far = corpus.documents.get(external_id="d60")
    with pytest.raises(Refused, match="not drawn yet"):
        add_candidate(query=query, document=far, origin="hard_negative", now=timezone.now())
    drawn(corpus)
    sent = add_candidate(query=query, document=far, origin="hard_negative", now=timezone.now())
    assert (sent.pool.kind, sent.exact_rank, sent.origins) == ("exact50", None, {"hard_negative": None})
    assert add_candidate(query=query, document=far, origin="hard_negative", now=timezone.now()) == sent
    folded = add_candidate(
        query=query, document=corpus.documents.get(external_id="d02"), origin="hard_negative", now=timezone.now()
    )
    assert (folded.document.external_id, folded.origins) == ("d02-tr", {"exact": 2, "hard_negative": None})


def test_a_document_sent_to_a_judged_query_is_asked_about_alone(corpus: Corpus) -> None:
    query = factories.a_query(factories.a_stratum(corpus, STRATUM), status="judged")
    for name in ("d07", "d08"):
        document = corpus.documents.get(external_id=name)
        add_candidate(query=query, document=document, origin="hard_negative", now=timezone.now())
    pool = Pool.objects.get()
    assert (pool.kind, pool.depth, stage.ids(pool.candidates.order_by("pk"))) == ("sent", 0, ["d07", "d08"])
    assert stage.judging(stage.signed_in(factories.marek(corpus))).pool == pool


def test_nothing_is_sent_to_a_withdrawn_query(corpus: Corpus) -> None:
    query = factories.a_query(factories.a_stratum(corpus, STRATUM), status="retired", retired_reason="twice")
    with pytest.raises(Refused, match="is retired, so nobody judges it"):
        add_candidate(
            query=query, document=corpus.documents.get(external_id="d01"), origin="hard_negative", now=timezone.now()
        )
