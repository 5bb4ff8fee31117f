"""Two windows of one person meet where each could hold what the other waits for: PostgreSQL would end one with an error.

On SQLite writers take turns; there the answers are held to the same.
"""

from __future__ import annotations

import time
import uuid
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from curation.models import User
from judging.actions import assignments
from judging.models import Assignment
from judging.reports import pools
from tests.faults.threads import over_its_own_connection, somebody_waits, together
from tests.judging import stage
from tests.judging.stage import Judge

pytestmark = pytest.mark.django_db(transaction=True)


def two_queries_left_by(judge: Judge, *, finished: bool) -> list[Assignment]:
    """Two skipped queries, or one skipped after one that is finished and open again."""
    left = [stage_next(judge), stage_next(judge)]
    now = timezone.now()
    if finished:
        Assignment.objects.filter(pk=left[0].pk).update(skipped_at=None, place=1, finished_at=now, reopened_at=now)
    judge.next()
    return left


def stage_next(judge: Judge) -> Assignment:
    held = judge.next()
    assert held is not None
    judge.post("skip", held)
    return held


@pytest.mark.parametrize("finished", [False, True], ids=["both skipped", "one finished and open again"])
def test_undo_in_two_windows_on_two_queries_at_once_is_answered_in_both(*, finished: bool) -> None:
    stage.a_judged_corpus(3, queries=3)
    judge = Judge(User.objects.get(username="marek"))
    left = two_queries_left_by(judge, finished=finished)
    before = Assignment.objects.in_bulk([held.pk for held in left])
    for _ in range(10):
        for held in before.values():
            held.save()
        presses = [partial(Judge(judge.user).post, "undo", held, token=uuid.uuid4().hex) for held in left]
        assert [answer.status_code for answer in together(*presses)] == [200, 200]


@pytest.mark.parametrize("what", ["skip", "finish"])
def test_the_next_query_is_asked_for_while_another_window_ends_its_own(
    monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    if connection.vendor == "sqlite":
        return  # no two writers hold locks there
    stage.a_judged_corpus(3, queries=1)
    one = Judge(User.objects.get(username="marek"))
    other, held = Judge(one.user), stage_next(one)
    Assignment.objects.update(place=None, skipped_at=timezone.now())  # skip leased the only query again
    ended: list[Future[Any]] = []
    with ThreadPoolExecutor(2) as windows:
        is_open = pools.is_open

        def open_late(*asked: Any) -> bool:
            """This window has locked the pool; meanwhile the other takes the query up again and ends it."""
            if not ended:
                take_up = partial(one.client.get, f"/c/claims/judge/{held.pk}/")
                windows.submit(over_its_own_connection, take_up).result(20)
                end = partial(one.post, what, held, nothing_because="none_answers")
                ended.append(windows.submit(over_its_own_connection, end))
                while not (ended[0].done() or somebody_waits()):
                    time.sleep(0.01)
            return is_open(*asked)

        monkeypatch.setattr(assignments, "is_open", open_late)
        assert other.client.get("/c/claims/judge/").status_code in {200, 302}
        assert ended[0].result(30).status_code == 200
