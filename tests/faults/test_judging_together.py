"""Judges at work at the same moment: nobody is turned away, nothing is stored twice, nothing is lost."""

from __future__ import annotations

import re
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from curation.actions import qrels
from curation.actions.golds import settle_corpus_language
from curation.actions.lookups import write
from curation.actions.retiring import retire_query
from curation.models import Qrel, Query, User
from judging.actions import finishing, marks
from judging.actions.assignments import keep_hold
from judging.models import HOLDS, Assignment, JudgmentEvent
from tests import factories
from tests.faults import crowds
from tests.faults.threads import together
from tests.judging import stage
from tests.judging.stage import Judge

pytestmark = pytest.mark.django_db(transaction=True)


def test_c01_of_two_who_ask_at_once_one_gets_the_query_and_one_opinion_counts() -> None:
    crowds.two_ask_at_once(rounds=10)


def test_c01_twenty_judges_open_queries_at_once_and_share_none() -> None:
    corpus = stage.a_judged_corpus(1, queries=12)
    given = together(*(judge.next for judge in crowds.judges(corpus, 20)))
    pools = [assignment.pool_id for assignment in given if assignment]
    assert len(pools) == len(set(pools)) == 12
    assert Assignment.objects.filter(HOLDS).count() == 12


def test_two_windows_of_one_person_take_one_query() -> None:
    corpus = stage.a_judged_corpus(1, queries=2)
    [judge] = crowds.judges(corpus, 1)
    windows = [Judge(judge.user) for _ in range(4)]
    given = together(*(window.next for window in windows))
    assert len({assignment.pk for assignment in given if assignment}) == 1


def test_c43_twenty_equal_requests_make_one_row_and_twenty_equal_answers() -> None:
    crowds.equal_requests(parallel=20, rounds=5)


@pytest.mark.parametrize("ends", [False, True], ids=["asked what was read", "finished"])
def test_c64_five_presses_of_one_form_without_script_get_one_answer(*, ends: bool) -> None:
    [judge] = crowds.judges(stage.a_judged_corpus(2), 1)
    held = judge.next()
    assert held is not None
    listed = {"read": "whole", "seen": f"{stage.candidate(held.pool, 'd002').pk}:"}
    more = listed if ends else {}
    marked = {f"grade-{stage.candidate(held.pool, 'd001').pk}": "3", "token": "one-time-1", **more}
    address = f"/c/claims/judge/{held.pk}/finish"
    if more:
        judge.client.post(address, {**marked, "read": ""})
    answers = together(*[partial(posted, judge.user, address, marked)] * 5)
    assert set(answers) == {(302, "/c/claims/judge/") if more else (200, "1 of 2 documents are marked.")}
    assert JudgmentEvent.objects.count() == 1
    assert Assignment.objects.filter(finished_at__isnull=False).count() == bool(more)
    assert dict(Qrel.objects.values_list("canonical_id", "grade")) == ({"d001": 3, "d002": 0} if more else {})


def posted(user: User, address: str, form: dict[str, str]) -> tuple[int, str]:
    """The status, and where a form leads or what its page says of the marks."""
    response = stage.signed_in(user).post(address, form)
    told = re.search(r"\d of \d documents are marked\.", response.content.decode())
    return response.status_code, told.group() if told else response["Location"]


def test_c42_eight_judges_at_once_meet_no_error() -> None:
    crowds.shifts(clients=8, submissions=12)


def test_c03_of_four_who_grade_one_query_at_once_three_count_and_the_fourth_is_told() -> None:
    crowds.four_grade_at_once(rounds=10)


def test_c03_two_who_finish_one_query_at_once_leave_one_opinion_that_counts() -> None:
    corpus = stage.a_judged_corpus(1, queries=1)
    two = crowds.judges(corpus, 2)
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


def test_a_query_that_is_retired_while_it_is_being_finished_stays_retired(monkeypatch: pytest.MonkeyPatch) -> None:
    corpus = stage.a_judged_corpus(1)
    [judge] = crowds.judges(corpus, 1)
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


@pytest.mark.parametrize("what", ["mark", "finish"])
def test_a_lease_renewed_or_ended_while_someone_looks_for_work_is_not_taken_away(
    monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    corpus = stage.a_judged_corpus(3)
    holder, other = crowds.judges(corpus, 2)
    held = holder.next()
    assert held is not None
    holder.mark(held, "d001", 3)
    Assignment.objects.update(lease_until=timezone.now() - timedelta(minutes=1))
    with ThreadPoolExecutor(1) as other_at_work:
        looking: list[Future[Assignment | None]] = []

        def late(written: Callable[..., Any]) -> Callable[..., Any]:
            def and_looked_for(*given: Any, **named: Any) -> Any:
                told = written(*given, **named)
                looking.append(other_at_work.submit(next_of, other))
                wait(looking, timeout=1)
                return told

            return and_looked_for

        monkeypatch.setattr(marks, "keep_hold", late(keep_hold))
        monkeypatch.setattr(finishing, "write", late(write))
        answer = holder.mark(held, "d002", 2) if what == "mark" else holder.finish(held, "d002")
        assert answer.status_code == 200
        assert looking[0].result(timeout=90) is None
    held.refresh_from_db()
    assert (held.place, held.released_at) == (1, None)


def next_of(judge: Judge) -> Assignment | None:
    """What the judge is given over a database connection of its own."""
    try:
        return judge.next()
    finally:
        connection.close()


def retire(query: Query, lead: User) -> None:
    """Retire over a database connection of its own."""
    try:
        retire_query(query=query, reason="no longer asked", by=lead, now=timezone.now())
    finally:
        connection.close()
