"""Several opinions on one query: kept apart, counted up to what is wanted, and put together at the end."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.db import IntegrityError, transaction
from django.utils import timezone

from curation.actions.refusal import Refused
from curation.models import Corpus, OpenDispute, Qrel, Query, User
from judging.actions.adjudicating import Decision, adjudicate, take_back
from judging.models import Adjudication, Assignment, Judgment, Pool
from judging.reports.pool_page import shown_order
from tests import factories
from tests.judging import stage
from tests.judging.judges import another, corpus_of, finish_with, held_by, marek

pytestmark = pytest.mark.django_db


def settled() -> dict[str, tuple[int, str, int | None]]:
    return {qrel.canonical_id: (qrel.grade, qrel.source, qrel.opinions) for qrel in Qrel.objects.all()}


def disputed() -> list[str]:
    return sorted(OpenDispute.objects.values_list("canonical_id", flat=True))


def status() -> str:
    return Query.objects.get().status


def test_two_people_hold_one_query_where_two_opinions_are_wanted_and_no_third() -> None:
    corpus = corpus_of(2)
    assert held_by(marek(corpus)).pool == held_by(another(corpus)).pool
    assert another(corpus, "defne").next() is None
    assert set(Assignment.objects.values_list("place", flat=True)) == {1, 2}


def test_the_database_gives_a_place_once_and_a_person_one_place() -> None:
    corpus = corpus_of(2)
    first = held_by(marek(corpus))
    with pytest.raises(IntegrityError), transaction.atomic():
        Assignment.objects.filter(pk=first.pk).update(place=None)
    second = held_by(another(corpus))
    with pytest.raises(IntegrityError), transaction.atomic():
        Assignment.objects.filter(pk=second.pk).update(place=1)
    with pytest.raises(IntegrityError), transaction.atomic():
        Assignment.objects.filter(pk=second.pk).update(assessor=first.assessor)


def test_the_first_of_two_opinions_settles_nothing_and_the_second_what_both_say() -> None:
    corpus = corpus_of(2)
    finish_with(marek(corpus), {"d001": 3, "d002": 0})
    assert settled() == {}
    assert status() == "ready"
    finish_with(another(corpus), {"d001": 3})
    assert settled() == {"d001": (3, "agreed", 2), "d002": (0, "agreed", 2), "d003": (0, "agreed", 2)}
    assert status() == "judged"
    assert {q.canonical_id: q.swept for q in Qrel.objects.all()} == {"d001": False, "d002": False, "d003": True}


def test_who_could_not_tell_has_no_voice() -> None:
    corpus = corpus_of(2)
    first = marek(corpus)
    held = held_by(first)
    first.mark(held, "d001", 3)
    first.mark(held, "d002", "cant_tell")
    first.finish(held, "d001", "d002")
    finish_with(another(corpus), {"d001": 3, "d002": 1})
    assert settled()["d002"] == (1, "agreed", 1)
    assert disputed() == []


def test_where_grades_differ_nothing_is_settled_and_the_query_waits_for_a_lead() -> None:
    corpus = corpus_of(2)
    finish_with(marek(corpus), {"d001": 3, "d002": 2})
    finish_with(another(corpus), {"d001": 3})
    assert settled() == {"d001": (3, "agreed", 2), "d003": (0, "agreed", 2)}
    assert disputed() == ["d002"]
    assert status() == "ready"
    assert Pool.objects.get().closed_at is not None
    assert another(corpus, "defne").next() is None


def test_two_of_three_are_no_majority() -> None:
    corpus = corpus_of(3)
    finish_with(marek(corpus), {"d001": 3})
    finish_with(another(corpus), {"d001": 3})
    finish_with(another(corpus, "defne"), {"d001": 2})
    assert disputed() == ["d001"]


def test_a_lead_decides_and_the_last_decision_turns_the_query_judged() -> None:
    corpus = corpus_of(2)
    lena = factories.lena(corpus)
    finish_with(marek(corpus), {"d001": 3, "d002": 2})
    finish_with(another(corpus), {"d001": 2})
    query = Query.objects.get()
    given: dict[str, Any] = {"corpus": corpus, "person": lena, "query_id": query.pk, "now": timezone.now()}
    first = adjudicate(**given, canonical_id="d002", decision=Decision(0, "missed", "press-1", seconds=9))
    assert [(grade, swept) for _, grade, swept in first.opinions] == [(2, False), (0, True)]
    assert status() == "ready"
    adjudicate(**given, canonical_id="d001", decision=Decision(3, "rubric", "press-2"))
    query.refresh_from_db()
    assert (query.status, query.gold_canonical_id) == ("judged", "d001")
    assert settled()["d001"] == (3, "adjudicated", 2)
    assert Qrel.objects.get(canonical_id="d001").decided_by == lena
    assert disputed() == []


def test_a_decision_sent_twice_decides_once_and_a_second_one_names_the_first() -> None:
    corpus = corpus_of(2)
    lena = factories.lena(corpus)
    finish_with(marek(corpus), {"d001": 3})
    finish_with(another(corpus), {"d001": 2})
    given: dict[str, Any] = {
        "corpus": corpus,
        "person": lena,
        "query_id": Query.objects.get().pk,
        "now": timezone.now(),
    }
    first = adjudicate(**given, canonical_id="d001", decision=Decision(3, "slip", "press-1"))
    assert adjudicate(**given, canonical_id="d001", decision=Decision(3, "slip", "press-1")) == first
    with pytest.raises(Refused, match=r"Lena settled this at .* with grade 3"):
        adjudicate(**given, canonical_id="d001", decision=Decision(2, "slip", "press-2"))


@pytest.mark.parametrize("decision", [Decision(3, "", "press"), Decision(4, "slip", "press")])
def test_a_decision_without_cause_or_grade_is_refused(decision: Decision) -> None:
    corpus = corpus_of(2)
    lena = factories.lena(corpus)
    finish_with(marek(corpus), {"d001": 3})
    finish_with(another(corpus), {"d001": 2})
    with pytest.raises(Refused):
        adjudicate(
            corpus=corpus, person=lena, query_id=Query.objects.get().pk, canonical_id="d001",
            decision=decision, now=timezone.now(),
        )  # fmt: skip
    assert not Adjudication.objects.exists()


def test_a_decision_taken_back_is_open_again_and_kept_in_the_history() -> None:
    corpus = corpus_of(2)
    lena = factories.lena(corpus)
    finish_with(marek(corpus), {"d001": 3})
    finish_with(another(corpus), {"d001": 2})
    query, now = Query.objects.get(), timezone.now()
    decision = Decision(3, "slip", "press-1")
    made = adjudicate(corpus=corpus, person=lena, query_id=query.pk, canonical_id="d001", decision=decision, now=now)
    given: dict[str, Any] = {"corpus": corpus, "person": lena, "adjudication_id": made.pk}
    assert take_back(**given, now=now) == made
    assert disputed() == ["d001"]
    assert "d001" not in settled()
    assert Adjudication.objects.get().undone_at == now
    assert take_back(**given, now=now + timedelta(minutes=1)).undone_at == now
    with pytest.raises(Refused, match="You took this decision back"):
        adjudicate(corpus=corpus, person=lena, query_id=query.pk, canonical_id="d001", decision=decision, now=now)


def test_a_decision_taken_back_is_no_dispute_where_all_say_the_same_by_now() -> None:
    corpus = corpus_of(2)
    second, lena = another(corpus), factories.lena(corpus)
    finish_with(marek(corpus), {"d001": 3})
    held = finish_with(second, {"d001": 2})
    decide(corpus, lena, 2, "press-1")
    Assignment.objects.filter(pk=held.pk).update(reopened_at=timezone.now())
    second.mark(held, "d001", 3)
    second.finish(held, "d001", "d002", "d003")
    assert settled()["d001"] == (2, "adjudicated", 2)
    undo = stage.signed_in(lena).post("/c/claims/disagreements/undo", {"adjudication": Adjudication.objects.get().pk})
    assert undo.status_code == 302
    assert (disputed(), settled()["d001"], status()) == ([], (3, "agreed", 2), "judged")


def test_a_finish_opened_again_and_finished_otherwise_opens_the_dispute() -> None:
    corpus = corpus_of(2)
    first, second = marek(corpus), another(corpus)
    held = finish_with(first, {"d001": 3})
    finish_with(second, {"d001": 3})
    assert status() == "judged"
    Assignment.objects.filter(pk=held.pk).update(reopened_at=timezone.now())
    first.mark(held, "d001", 2)
    first.finish(held, "d001", "d002", "d003")
    assert disputed() == ["d001"]
    assert "d001" not in settled()


def test_an_opinion_opened_again_and_put_off_counts_as_it_stands() -> None:
    corpus = corpus_of(2)
    first = marek(corpus)
    held = finish_with(first, {"d001": 3})
    Assignment.objects.filter(pk=held.pk).update(reopened_at=timezone.now())
    finish_with(another(corpus), {"d001": 3})
    assert status() == "ready"
    first.post("skip", held)
    assert (status(), settled()["d001"]) == ("judged", (3, "agreed", 2))


def test_an_opinion_opened_again_and_left_counts_as_it_stands_when_its_lease_runs_out() -> None:
    corpus = corpus_of(2)
    first, third = marek(corpus), another(corpus, "defne")
    held = finish_with(first, {"d001": 3})
    Assignment.objects.filter(pk=held.pk).update(reopened_at=timezone.now())
    first.mark(held, "d001", 2)
    finish_with(another(corpus), {"d001": 2})
    with time_machine.travel(timezone.now() + timedelta(minutes=14)):
        assert third.next() is None
        assert status() == "ready"
    with time_machine.travel(timezone.now() + timedelta(minutes=16)):
        assert third.next() is None
        assert (status(), settled()["d001"]) == ("judged", (2, "agreed", 2))
        assert "Undo on the next one opens it again" in first.mark(held, "d002", 3).json()["refused"]


def test_an_opinion_that_cannot_decide_leaves_its_place() -> None:
    corpus = corpus_of(2)
    first = marek(corpus)
    first.finish(held_by(first), "d001", nothing_because="unclear")
    finish_with(another(corpus), {"d001": 3})
    assert status() == "ready"
    finish_with(another(corpus, "defne"), {"d001": 3})
    assert settled()["d001"] == (3, "agreed", 2)


def test_a_settled_opinion_opened_again_that_cannot_decide_is_taken_back_and_the_query_offered_again() -> None:
    corpus = corpus_of(1)
    first = marek(corpus)
    held = finish_with(first, {"d001": 3})
    assert (status(), settled()["d001"]) == ("judged", (3, "agreed", 1))
    Assignment.objects.update(reopened_at=held.opened_at)
    first.mark(held, "d001", "clear")
    first.finish(held, "d001", nothing_because="unclear")
    assert (status(), settled()) == ("ready", {})
    finish_with(another(corpus), {"d002": 2})
    assert (status(), settled()["d002"]) == ("judged", (2, "agreed", 1))


def test_the_order_is_blind_where_two_judge_and_each_has_their_own() -> None:
    corpus = corpus_of(2)
    first, second = held_by(marek(corpus)), held_by(another(corpus))
    assert (first.blind, second.blind) == (True, True)
    Assignment.objects.filter(pk=first.pk).update(order_seed=1)
    Assignment.objects.filter(pk=second.pk).update(order_seed=2)
    orders = [stage.ids(shown_order(Assignment.objects.get(pk=each.pk))) for each in (first, second)]
    assert orders[0] != orders[1]
    assert sorted(orders[0]) == sorted(orders[1])
    assert orders[0] == stage.ids(shown_order(Assignment.objects.get(pk=first.pk)))


@pytest.mark.parametrize(("opinions", "is_blind"), [(2, True), (1, False)])
def test_the_page_says_that_the_order_is_blind_where_it_is(opinions: int, *, is_blind: bool) -> None:
    judge = marek(corpus_of(opinions))
    page = judge.client.get(f"/c/claims/judge/{held_by(judge).pk}/").content.decode()
    assert ("Blind order" in page) is is_blind


def test_one_judge_sees_the_order_of_the_search() -> None:
    held = held_by(marek(corpus_of(1)))
    assert not held.blind
    assert stage.ids(shown_order(held)) == [f"d00{number}" for number in range(1, 7)]


def test_about_a_tenth_of_the_queries_want_two_opinions_and_always_the_same_ones() -> None:
    corpus = stage.a_judged_corpus(2, queries=0)
    Corpus.objects.update(double_judged=10)
    stratum = factories.a_stratum(corpus)
    for number in range(300):
        stage.aims(factories.a_query(stratum, external_id=f"q{number:03d}"))
    stage.call("draw_pools", corpus)
    doubled = set(Pool.objects.filter(opinions=2).values_list("query__external_id", flat=True))
    assert 15 <= len(doubled) <= 50
    assert set(Pool.objects.exclude(query__external_id__in=doubled).values_list("opinions", flat=True)) == {1}
    assert not Judgment.objects.exists()


def test_a_lead_decides_anew_where_opinions_on_a_later_text_differ() -> None:
    corpus = corpus_of(2)
    first, second, lena = marek(corpus), another(corpus), factories.lena(corpus)
    held = {first: finish_with(first, {"d001": 3}), second: finish_with(second, {"d001": 2})}
    decide(corpus, lena, 3, "before")
    stage.a_text(corpus.documents.get(external_id="d001"), "Another text.")
    for judge, grade in ((first, 1), (second, 2)):
        Assignment.objects.filter(pk=held[judge].pk).update(reopened_at=timezone.now())
        judge.mark(held[judge], "d001", grade)
        judge.finish(held[judge], nothing_because="none_answers")
    assert disputed() == ["d001"]
    decide(corpus, lena, 2, "after")
    assert settled()["d001"] == (2, "adjudicated", 2)
    assert list(Adjudication.objects.filter(undone_at=None).values_list("token", flat=True)) == ["after"]


def decide(corpus: Corpus, lead: User, grade: int, token: str) -> None:
    query = Query.objects.get()
    decision = Decision(grade, "slip", token)
    adjudicate(
        corpus=corpus, person=lead, query_id=query.pk, canonical_id="d001", decision=decision, now=timezone.now()
    )


def test_a_judged_query_waits_once_it_is_judged_again_otherwise() -> None:
    corpus = corpus_of(2)
    first = marek(corpus)
    held = finish_with(first, {"d001": 3})
    finish_with(another(corpus), {"d001": 3})
    assert (Query.objects.get().status, Query.objects.get().gold_canonical_id) == ("judged", "d001")
    Assignment.objects.filter(pk=held.pk).update(reopened_at=timezone.now())
    first.mark(held, "d001", 1)
    first.finish(held, "d002", "d003", nothing_because="none_answers")
    assert OpenDispute.objects.get().canonical_id == "d001"
    assert (Query.objects.get().status, Query.objects.get().gold_canonical_id) == ("ready", "")
