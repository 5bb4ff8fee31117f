"""Reviewers who decide at the same moment."""

from __future__ import annotations

from functools import partial

import pytest

from curation.actions import proposals
from curation.actions.refusal import Refused
from curation.models import Corpus, Proposal, Qrel, Query, User
from curation.reports.review_draft import Draft
from tests import factories, reviewing
from tests.faults.threads import together

pytestmark = pytest.mark.django_db(transaction=True)


def verdict(corpus: Corpus, proposal: Proposal, reviewer: User, *, text: str, target: int | None = None) -> str:
    draft = Draft(proposal, text, "en", target)
    try:
        return proposals.accept(corpus=corpus, draft=draft, reviewer=reviewer, now=reviewing.NOW).external_id
    except Refused as refusal:
        return str(refusal)


def test_two_reviewers_of_one_group_make_one_query_and_the_second_is_told() -> None:
    corpus = factories.a_corpus()
    lena, marek = factories.lena(corpus), factories.marek(corpus)
    proposal = reviewing.a_group(reviewing.a_finished_run(corpus, "near_duplicate"))
    accept = partial(verdict, corpus, proposal, text="hail deductible in Austria", target=2)
    told = together(partial(accept, lena), partial(accept, marek))
    query = Query.objects.get()
    assert query.external_id in told
    (other,) = [words for words in told if words != query.external_id]
    assert "accepted this on 14 Jul 2026 at 12:00" in other
    assert Qrel.objects.count() == 2


def test_a_double_press_makes_one_query() -> None:
    corpus = factories.a_corpus()
    lena = factories.lena(corpus)
    proposal = reviewing.a_term(reviewing.a_finished_run(corpus, "rare_entity"))
    press = partial(verdict, corpus, proposal, lena, text="what is barratry")
    assert together(press, press, press) == [Query.objects.get().external_id] * 3


def test_two_proposals_with_one_text_make_one_query_and_the_second_names_it() -> None:
    corpus = factories.a_corpus()
    lena, marek = factories.lena(corpus), factories.marek(corpus)
    run = reviewing.a_finished_run(corpus, "rare_entity")
    first, second = reviewing.a_term(run), reviewing.a_term(run, "master", text="The master sails.")
    text = "barratry of the master"
    told = together(
        partial(verdict, corpus, first, lena, text=text), partial(verdict, corpus, second, marek, text=text)
    )
    query = Query.objects.get()
    assert query.external_id in told
    assert any(f"Query {query.external_id} is the same text" in words for words in told)
    assert sorted(Proposal.objects.values_list("status", flat=True)) == ["accepted", "pending"]
