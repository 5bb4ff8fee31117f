"""The demo's second opinions: two adjusters judged a few queries and do not agree, so that a lead has to decide."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import cycle
from typing import Any

from django.db import transaction
from django.db.models import F

from curation.actions.people import add_member
from curation.models import Corpus, OpenDispute, Role, User
from judging.actions.assignments import take_pool
from judging.actions.finishing import finish
from judging.actions.marks import Mark, mark
from judging.actions.sweeping import Ending
from judging.models import Assignment, Candidate, Judgment, Pool, State
from judging.reports.pools import WAITING

SECOND, SECOND_NAME = "demo-adjuster-2", "Bora"
# What the two give the answer of each query; None leaves it unmarked.
GRADES: Sequence[tuple[int | None, int | None]] = ((3, None), (2, 1), (3, 2))
AGO = timedelta(minutes=20)
UNTIL_MARK, UNTIL_END = 41, 92  # seconds of work on a query
GLANCE_MS = 1_100  # on screen, of an answer that was left unmarked
LOOKS_MS = (1_400, 2_300, 900, 3_100, 1_700)  # of the others, in turn


def judge_twice(*, corpus: Corpus, now: datetime) -> int:
    """Let two adjusters differ on the first queries that want two opinions; how many disagreements are open.

    Where anybody has judged in the corpus, nothing is added.
    """
    with transaction.atomic():
        first = User.objects.filter(memberships__corpus=corpus, memberships__role=Role.ADJUSTER).first()
        if first is not None and not Judgment.objects.filter(query__corpus=corpus).exists():
            judges = (first, _second(corpus, now=now))
            pools = Pool.objects.filter(WAITING, query__corpus=corpus, opinions=len(judges))
            for pool, grades in zip(pools.order_by("query__external_id"), GRADES, strict=False):
                for judge, grade in zip(judges, grades, strict=True):
                    _judge(pool, judge, grade, now=now - AGO)
    return OpenDispute.objects.filter(query__corpus=corpus).count()


def _second(corpus: Corpus, *, now: datetime) -> User:
    """A second adjuster, whose account has no password."""
    user = add_member(corpus=corpus, username=SECOND, role=Role.ADJUSTER, now=now, new_account=True).user
    User.objects.filter(pk=user.pk).update(name=SECOND_NAME)
    return user


def _judge(pool: Pool, judge: User, grade: int | None, *, now: datetime) -> None:
    corpus = pool.query.corpus
    held = take_pool(pool.pk, corpus, person=judge, now=now)
    if held is None:
        return
    where: dict[str, Any] = {"corpus": corpus, "person": judge, "assignment_id": held.pk}
    if grade is not None:
        given = Mark(_answer(pool).pk, State.GRADED, f"demo-{held.pk}", grade=grade, seconds=UNTIL_MARK)
        mark(**where, given=given, now=now + timedelta(seconds=UNTIL_MARK))
    rest = UNTIL_END - (UNTIL_MARK if grade is not None else 0)
    because, looks = Assignment.NothingBecause.NONE_ANSWERS, _looks(pool)
    ending = Ending(dict.fromkeys(looks, ""), nothing_because=because, seconds=rest, screen_ms=looks)
    finish(**where, ending=ending, now=now + timedelta(seconds=UNTIL_END))


def _looks(pool: Pool) -> dict[int, int]:
    """How long each candidate was on screen, in milliseconds; too briefly to be read where it is the answer."""
    keys = pool.candidates.order_by("pk").values_list("pk", flat=True)
    return {**dict(zip(keys, cycle(LOOKS_MS), strict=False)), _answer(pool).pk: GLANCE_MS}


def _answer(pool: Pool) -> Candidate:
    """The candidate that answers the query's need, else the first of the search."""
    need = pool.query.need
    golds = pool.candidates.filter(canonical_id=need.gold_canonical_id) if need else pool.candidates.none()
    ranked = pool.candidates.order_by(F("exact_rank").asc(nulls_last=True), "pk")
    return golds.first() or ranked[0]
