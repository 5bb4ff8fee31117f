"""Who put a candidate into its pool: hidden while it is judged, shown to leads afterwards."""

from __future__ import annotations

import re

import pytest
from django.utils import timezone

from curation.models import Corpus, Qrel, Query, QueryScore, RankedRun, Role, Stratum, TargetIndex
from judging.actions.adjudicating import Decision, adjudicate
from judging.models import Adjudication, Candidate, Pool
from tests import factories
from tests.judging import stage
from tests.judging.stage import Judge

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("module_rows")]


def stage_rows() -> None:
    """Twelve articles; hail is found by BM25 and by a production index called hnsw, beyond the top of exact search."""
    made = factories.a_corpus()
    names = [f"d{number:02d}" for number in range(1, 13)]
    for name in names:
        stage.a_document(made, name, "Hail here." if name == "d12" else f"Of {name}.")
    stage.a_space(made, {name: 7.0 * place for place, name in enumerate(names)})
    query = stage.aims(factories.a_query(factories.a_stratum(made), "hail"))
    index = TargetIndex.objects.create(corpus=made, name="hnsw", kind="run", is_production=True)
    ranked = RankedRun.objects.create(corpus=made, index=index, name="hnsw", k=20, measured_at=timezone.now())
    QueryScore.objects.create(run=ranked, query=query, k=20, hits=["d12", "d03"])
    Stratum.objects.update(pool_kind="pooled10", opinions=2)
    stage.call("draw_pools", made)
    factories.marek(made)


@pytest.fixture
def corpus() -> Corpus:
    return Corpus.objects.get(slug="claims")


def test_nothing_on_the_page_or_in_its_answers_tells_rank_score_or_who_found_it(corpus: Corpus, judge: Judge) -> None:
    held = judge.next()
    assert held is not None
    page = judge.client.get(f"/c/claims/judge/{held.pk}/").content.decode()
    marked = judge.mark(held, "d12", 3).content.decode()
    finish = judge.client.post(f"/c/claims/judge/{held.pk}/finish", {"token": "t"}).content.decode()
    scores = [f"{each.score:.4f}"[:6] for each in held.pool.candidates.all() if each.score and each.score < 1]
    assert scores
    for told in (page, marked, finish):
        low = told.lower().replace("rank and score are not shown to judges", "")
        assert not [
            word for word in ("bm25", "hnsw", "production", "exact search", "origin", "score", "rank") if word in low
        ]
        assert not [score for score in scores if score in told]
    assert Pool.objects.get().candidates.get(document__external_id="d12").origins == {"bm25": 1, "production": 1}
    keys = [int(key) for key in re.findall(r'data-candidate="(\d+)"', page)]
    by_rank = list(held.pool.candidates.order_by("exact_rank").values_list("pk", flat=True))
    assert len(keys) == 11
    assert by_rank != sorted(by_rank)


def test_a_lead_reads_who_found_what_and_what_was_noted_and_not_while_it_is_judged(corpus: Corpus) -> None:
    query, lena = Query.objects.get(), Judge(factories.lena(corpus))
    address = f"/c/claims/queries/{query.pk}/pool/"
    assert "A rank counts documents, and several may be of one article" in lena.client.get(address).content.decode()
    assert address in lena.client.get(f"/c/claims/queries/{query.pk}/").content.decode()
    page = lena.client.get(address).content.decode()
    assert "In production then: <bdi>hnsw</bdi>" in page
    row = page[page.index(">d12<") : page.index("</tr>", page.index(">d12<"))]
    assert re.findall(r'<td class="num">(.*?)</td>', row) == ["–", "1", "1"]
    held = lena.next()
    assert held is not None
    hidden = lena.client.get(address).content.decode()
    assert "You are judging this query" in hidden
    assert "hnsw" not in hidden
    lena.mark(held, "d12", 3, note="Hail is <named>.")
    lena.finish(held)
    waiting = lena.client.get(address).content.decode()
    assert "hnsw" in waiting
    assert "Hail is" not in waiting
    other = Judge(corpus.memberships.get(user__username="marek").user)
    held = other.next()
    assert held is not None
    other.mark(held, "d12", 3)
    other.finish(held)
    noted = lena.client.get(address).content.decode()
    row = noted[noted.index(">d12<") : noted.index("</tr>", noted.index(">d12<"))]
    assert "Note:</span> <bdi>Hail is &lt;named&gt;.</bdi>" in row


def test_a_production_index_that_is_the_exact_one_has_no_column_of_its_own(corpus: Corpus) -> None:
    address = f"/c/claims/queries/{Query.objects.get().pk}/pool/"
    lena = stage.signed_in(factories.lena(corpus))
    assert "The production index</th>" in lena.get(address).content.decode()
    for candidate in Candidate.objects.all():
        candidate.origins.pop("production", None)
        candidate.save()
    assert "The production index</th>" in lena.get(address).content.decode()
    TargetIndex.objects.filter(name="hnsw").update(kind="exact")
    page = lena.get(address).content.decode()
    assert "The production index</th>" not in page
    assert "hnsw</bdi>, which is itself of the kind “Exact search”." in page


def test_the_pool_says_which_retriever_it_lacks(corpus: Corpus) -> None:
    Pool.objects.update(unanswered={"production": "The index hnsw is <away>."})
    page = stage.signed_in(factories.lena(corpus)).get(f"/c/claims/queries/{Query.objects.get().pk}/pool/")
    assert "Drawn without the production index: <bdi>The index hnsw is &lt;away&gt;.</bdi>" in page.content.decode()


def test_only_leads_read_it(corpus: Corpus, judge: Judge) -> None:
    assert judge.client.get(f"/c/claims/queries/{Query.objects.get().pk}/pool/").status_code == 403


def test_a_settled_grade_keeps_whether_exact_search_alone_offered_the_document(corpus: Corpus, judge: Judge) -> None:
    for person, grade in ((judge, 3), (Judge(factories.member(corpus, factories.person("bora"), Role.ADJUSTER)), 2)):
        held = person.next()
        assert held is not None
        person.mark(held, "d12", 3)
        person.mark(held, "d02", grade)
        person.finish(held, "d01", "d03")
    decision = Decision(grade=2, cause=Adjudication.Cause.SLIP, token="t")
    query, lena = Query.objects.get(), factories.lena(corpus)
    adjudicate(corpus=corpus, person=lena, query_id=query.pk, canonical_id="d02", decision=decision, now=timezone.now())
    told = dict(Qrel.objects.values_list("canonical_id", "exact_only"))
    assert told == {"d01": True, "d02": True, "d03": False, "d12": False}
