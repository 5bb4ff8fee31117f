"""No page that an adjuster may open tells what others said of a query they have not judged themselves."""

from __future__ import annotations

import pytest
from django.test import Client

from curation.models import Corpus, HardNegative, OpenDispute, Qrel, Query, Role, Stratum
from tests import factories, reviewing
from tests.judging import stage
from tests.judging.stage import Judge

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("module_rows")]
NEGATIVES = "/c/claims/hard-negatives/"


def stage_rows() -> None:
    """A query on whose first answer two judges agreed while they differ on the second; d003 and d004 are mined for it."""
    made = stage.a_judged_corpus(6, queries=0)
    stratum = factories.a_stratum(made)
    Stratum.objects.update(opinions=2)
    stage.in_stratum(stratum, 1)
    stage.call("draw_pools", made)
    for name, grade in (("bora", 2), ("defne", 1)):
        judge = Judge(factories.member(made, factories.person(name), Role.ADJUSTER))
        held = judge.next()
        assert held is not None
        judge.mark(held, "d001", 3)
        judge.mark(held, "d002", grade)
        judge.mark(held, "d003", 0)
        judge.mark(held, "d005", 2)
        judge.finish(held, "d001", "d002")
    run = reviewing.a_finished_run(made, "hard_negative")
    for rank, name in enumerate(("d003", "d004", "d005"), 1):
        document = made.documents.get(external_id=name)
        HardNegative.objects.create(
            run=run, query=Query.objects.get(), document=document, canonical_id=name, rank=rank, score=0.9
        )


@pytest.fixture
def corpus() -> Corpus:
    return Corpus.objects.get(slug="claims")


def words_of(client: Client, address: str) -> str:
    return " ".join(client.get(address).content.decode().split())


def test_the_stage_has_something_to_hide(corpus: Corpus) -> None:
    assert Qrel.objects.filter(canonical_id="d001", grade=3).exists()
    assert OpenDispute.objects.filter(canonical_id="d002").exists()


def test_hard_negatives_hide_the_grades_of_a_query_that_one_has_not_judged(corpus: Corpus) -> None:
    page = words_of(stage.signed_in(corpus.memberships.get(user__username="marek").user), NEGATIVES)
    assert "grades show once you have judged it" in page
    assert page.count("grade not shown") == 2
    assert not [told for told in ("d001", "judged 0", "relevant by now", "relevant: <bdi>") if told in page]
    assert page.count("Send to judging") == 1  # d004, which nobody judged


@pytest.mark.parametrize("name", ["bora", "lena"])
def test_leads_and_those_who_judged_it_see_them(corpus: Corpus, name: str) -> None:
    factories.lena(corpus)
    page = words_of(stage.signed_in(corpus.memberships.get(user__username=name).user), NEGATIVES)
    assert "relevant: <bdi>d001" in page
    assert "judged 0: negative" in page
    assert "relevant by now, grade 2" in page


def test_who_judges_it_again_does_not_see_them_meanwhile(corpus: Corpus) -> None:
    bora = Judge(corpus.memberships.get(user__username="bora").user)
    query = Query.objects.get()
    query.pools.get().assignments.filter(assessor=bora.user).update(reopened_at=query.created_at)
    assert "grades show once you have judged it" in words_of(bora.client, NEGATIVES)


def test_which_queries_have_no_answer_is_told_to_leads_alone(corpus: Corpus) -> None:
    Qrel.objects.update(grade=0)
    address = f"{NEGATIVES}?show=unmined"
    people = (corpus.memberships.get(user__username="marek").user, factories.lena(corpus))
    assert ["Not mined: no relevant" in words_of(stage.signed_in(each), address) for each in people] == [False, True]


def test_what_tells_grades_is_for_leads(corpus: Corpus) -> None:
    marek = stage.signed_in(corpus.memberships.get(user__username="marek").user)
    query = Query.objects.get()
    told = (f"queries/{query.pk}/", f"queries/{query.pk}/pool/", "disagreements/", "hard-negatives/export", "coverage/")
    assert [marek.get(f"/c/claims/{address}").status_code for address in told] == [403] * len(told)


@pytest.mark.parametrize(
    "address", ["", "judge/", "review/", "hard-negatives/?show=unjudged", "hard-negatives/?q=query"]
)
def test_no_page_names_what_is_settled(corpus: Corpus, address: str) -> None:
    page = stage.signed_in(corpus.memberships.get(user__username="marek").user).get(f"/c/claims/{address}", follow=True)
    assert page.status_code == 200
    assert "d001" not in page.content.decode()
    assert "bora" not in page.content.decode().lower()
