"""Judges at work at the same moment: nobody is turned away, nothing is stored twice, nothing is lost."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from functools import partial
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from curation.actions import qrels
from curation.actions.golds import settle_corpus_language
from curation.actions.retiring import retire_query
from curation.models import Corpus, Qrel, Query, Role, User
from judging.models import HOLDS, Assignment, Judgment, JudgmentEvent
from judging.reports.disputes import opinions_on
from tests import factories
from tests.conftest import CASES
from tests.faults.threads import together
from tests.judging import stage
from tests.judging.stage import Judge

pytestmark = pytest.mark.django_db(transaction=True)


def judges(corpus: Corpus, count: int) -> list[Judge]:
    return [
        Judge(factories.member(corpus, factories.person(f"judge-{number}"), Role.ADJUSTER)) for number in range(count)
    ]


def test_c01_of_two_who_ask_at_once_one_gets_the_query_and_one_opinion_counts() -> None:
    corpus = stage.a_judged_corpus(1, queries=10)
    two = judges(corpus, 2)
    for _ in range(10):
        given = together(*(judge.next for judge in two))
        held = [(judge, assignment) for judge, assignment in zip(two, given, strict=True) if assignment]
        assert len({assignment.pool_id for _, assignment in held}) == len(held)
        for judge, assignment in held:
            judge.mark(assignment, "d001", 2)
            assert judge.finish(assignment).status_code == 200
    assert Qrel.objects.count() == 10
    assert Assignment.objects.filter(finished_at__isnull=False, surplus=False).count() == 10
    assert [judge.next() for judge in two] == [None, None]


def test_c01_twenty_judges_open_queries_at_once_and_share_none() -> None:
    corpus = stage.a_judged_corpus(1, queries=12)
    given = together(*(judge.next for judge in judges(corpus, 20)))
    pools = [assignment.pool_id for assignment in given if assignment]
    assert len(pools) == len(set(pools)) == 12
    assert Assignment.objects.filter(HOLDS).count() == 12


def test_two_windows_of_one_person_take_one_query() -> None:
    corpus = stage.a_judged_corpus(1, queries=2)
    [judge] = judges(corpus, 1)
    windows = [Judge(judge.user) for _ in range(4)]
    given = together(*(window.next for window in windows))
    assert len({assignment.pk for assignment in given if assignment}) == 1


def test_c43_twenty_equal_requests_make_one_row_and_twenty_equal_answers() -> None:
    corpus = stage.a_judged_corpus(1)
    [judge] = judges(corpus, 1)
    held = judge.next()
    assert held is not None
    for round_number in range(5):
        key = stage.candidate(held.pool, "d001").pk
        send = partial(judge_mark, judge, held, key, f"token-{round_number}", number=round_number + 1)
        answers = together(*[send] * 20)
        assert answers == [(200, answers[0][1])] * 20
        assert (Judgment.objects.count(), JudgmentEvent.objects.count()) == (1, round_number + 1)


def judge_mark(judge: Judge, held: Assignment, key: int, token: str, *, number: int) -> tuple[int, dict[str, object]]:
    window = Judge(judge.user)
    response = window.post("mark", held, candidate=key, value="2", token=token, number=number)
    return response.status_code, response.json()


def test_c42_eight_judges_at_once_meet_no_error() -> None:
    corpus = stage.a_judged_corpus(3, queries=8 * 4)
    eight = judges(corpus, 8)
    codes = [code for codes in together(*(partial(shift, judge, 4) for judge in eight)) for code in codes]
    assert set(codes) == {200}
    assert len(codes) == 8 * 4 * 4
    assert JudgmentEvent.objects.count() == 8 * 4 * 3
    assert Qrel.objects.filter(grade=2).count() == 8 * 4


def shift(judge: Judge, queries: int) -> list[int]:
    codes = []
    for _ in range(queries):
        held = judge.next()
        assert held is not None
        codes.append(judge.mark(held, "d001", 1).status_code)
        codes.append(judge.post("undo", held, token=f"{judge.user.username}-undo-{held.pk}").status_code)
        codes.append(judge.mark(held, "d001", 2).status_code)
        codes.append(judge.finish(held, "d002").status_code)
    return codes


def test_c03_two_who_finish_one_query_at_once_leave_one_opinion_that_counts() -> None:
    corpus = stage.a_judged_corpus(1, queries=1)
    two = judges(corpus, 2)
    first = two[0].next()
    assert first is not None
    Assignment.objects.update(released_at=first.opened_at, place=None)
    second = two[1].next()
    assert second is not None
    two[0].mark(first, "d001", 2)
    two[1].mark(second, "d001", 3)
    ends: list[Callable[[], object]] = [partial(two[0].finish, first), partial(two[1].finish, second)]
    together(*ends)
    assert sorted(Assignment.objects.values_list("surplus", flat=True)) == [False, True]
    assert list(Qrel.objects.values_list("grade", flat=True)) == [3]


def test_c03_of_four_who_grade_one_query_at_once_three_count_and_the_fourth_is_told() -> None:
    given = json.loads((CASES / "c03-scenario.json").read_text(encoding="utf-8"))
    grades = {step["who"]: step["grade"] for step in given["steps"] if step["do"] == "grade"}
    cap, rounds = given["given"]["cap"], int(os.environ.get("C03_ROUNDS", "10"))
    corpus = stage.a_judged_corpus(1, queries=0)
    stratum = factories.a_stratum(corpus, "de en Latn question distinctive", opinions=cap)
    four = judges(corpus, len(grades))
    for _ in range(rounds):
        [query] = stage.in_stratum(stratum, 1)
        stage.call("draw_pools", corpus)
        held = [four_hold(corpus, judge) for judge in four]
        together(*(partial(graded, *each) for each in zip(four, held, grades.values(), strict=True)))
        opinions = Assignment.objects.filter(pool__query=query, finished_at__isnull=False)
        surplus = opinions.get(surplus=True)
        assert opinions.count() - 1 == opinions.exclude(place=None).count() == given["expect"]["counted"]
        told = next(judge for judge in four if judge.user == surplus.assessor).client.get("/c/claims/judge/")
        assert f"Others gave every opinion that query {query.external_id} wants" in told.content.decode()
        assert Judgment.objects.filter(query=query).count() == len(grades)
        counted = set(opinions.exclude(place=None).values_list("assessor", flat=True))
        assert {each.assessor_id for each in opinions_on(query, "d001")} == counted


def four_hold(corpus: Corpus, judge: Judge) -> Assignment:
    """The query at hand; whoever would be one too many takes a place whose lease ran out."""
    held = judge.next()
    if held is None:
        oldest = Assignment.objects.filter(HOLDS).earliest("pk")
        Assignment.objects.filter(pk=oldest.pk).update(released_at=oldest.opened_at, place=None)
        held = judge.next()
    assert held is not None
    return held


def graded(judge: Judge, held: Assignment, grade: int) -> None:
    judge.mark(held, "d001", grade)
    assert judge.finish(held, "d001", nothing_because="none_answers").status_code == 200


def test_a_query_that_is_retired_while_it_is_being_finished_stays_retired(monkeypatch: pytest.MonkeyPatch) -> None:
    corpus = stage.a_judged_corpus(1)
    [judge] = judges(corpus, 1)
    assignment = judge.next()
    assert assignment is not None
    query, lead = assignment.pool.query, factories.lena(corpus)
    judge.mark(assignment, "d001", 3)
    with ThreadPoolExecutor(1) as lead_at_work:
        retiring: list[Future[None]] = []

        def settle_late(*given: Any) -> list[str]:
            retiring.append(lead_at_work.submit(retire, query, lead))
            wait(retiring, timeout=1)
            return settle_corpus_language(*given)

        # Between reading the query and writing it.
        monkeypatch.setattr(qrels, "settle_corpus_language", settle_late)
        assert judge.finish(assignment).status_code == 200
        retiring[0].result(timeout=90)
    query.refresh_from_db()
    assert query.status == "retired"


def retire(query: Query, lead: User) -> None:
    """Retire over a database connection of its own."""
    try:
        retire_query(query=query, reason="no longer asked", by=lead, now=timezone.now())
    finally:
        connection.close()
