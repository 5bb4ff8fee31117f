"""Presses of several windows at the same moment on queries that they share: none is an error, none double, none lost.

Each locks rows that the others' rows refer to. Of two who wait for each other PostgreSQL ends one with an error, which
a window here raises; on SQLite writers take turns, and what they store is held to the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import cycle, islice
from typing import Any

import pytest
from django.utils import timezone

from curation.models import Qrel
from judging.management.benches import audit
from judging.models import Assignment, Judgment, JudgmentEvent
from tests.faults import crowds
from tests.faults.threads import together
from tests.judging import judges, stage
from tests.judging.stage import Judge

pytestmark = pytest.mark.django_db(transaction=True)
IS_OVER, IS_UNDONE = "You finished this query", "is taken back"


@dataclass
class Window:
    """A window that goes where its answers lead, and remembers what was acknowledged: presses by their tokens."""

    judge: Judge
    name: str
    at: int  # the key of the assignment on screen
    count: int = 0
    last: tuple[str, int] = ("", 0)
    marked: dict[str, int] = field(default_factory=dict)
    undone: list[str] = field(default_factory=list)
    finished: list[int] = field(default_factory=list)

    def work(self, presses: Sequence[str], *, count: int) -> None:
        """So many presses, over and over in this order; "again" sends the last one a second time."""
        for what in islice(cycle(presses), count):
            self.last = self.last if what == "again" else (what, self.at)
            self.press(*self.last)

    def press(self, what: str, at: int) -> None:
        self.count, self.at = self.count + 1, at
        shown, fields = Assignment.objects.get(pk=at), self.fields(what)
        answer = self.judge.post(what, shown, **fields)
        told = answer.json()
        if answer.status_code == 409:
            assert told["refused"].startswith(IS_OVER), told
            self.go_on(self.judge.client.get("/c/claims/judge/")["Location"])
            return
        assert answer.status_code == 200, told
        self.note(what, fields, words=told.get("words", ""))
        self.go_on(told.get("next", ""))

    def fields(self, what: str) -> dict[str, Any]:
        """What a press sends; each mark is of another document, as far as there are any."""
        token = f"{self.name}-{self.count}"
        if what != "mark":
            return {"token": token, "nothing_because": "none_answers"}
        rows = Assignment.objects.get(pk=self.at).pool.candidates.order_by("document__external_id")
        keys = rows.values_list("pk", flat=True)
        return {"token": token, "candidate": keys[self.count % len(keys)], "value": self.count % 4}

    def note(self, what: str, fields: dict[str, Any], *, words: str) -> None:
        if what == "mark":
            self.marked[fields["token"]] = fields["value"]
        elif what == "finish":
            self.finished.append(self.at)
        elif what == "undo" and IS_UNDONE in words:
            self.undone.append(fields["token"])

    def go_on(self, where: str) -> None:
        last = where.rstrip("/").rpartition("/")[-1]
        self.at = int(last) if last.isdecimal() else self.at


def windows_of(*people: Judge) -> list[Window]:
    """A window each on what the person is given; whoever is named twice has two."""
    held = [judge.next() for judge in people]
    named = zip("ab", people, held, strict=True)
    return [Window(Judge(judge.user), f"{name}-{one.pk}", one.pk) for name, judge, one in named if one]


def all_stands_once(*windows: Window) -> None:
    """Every acknowledged press is stored, once, and nothing else; of each document the last mark stands."""
    events = JudgmentEvent.objects.order_by("number")
    pressed = dict(events.filter(undoes=None).values_list("token", "grade"))
    assert pressed == {token: grade for window in windows for token, grade in window.marked.items()}
    taken_back = events.exclude(undoes=None).values_list("token", flat=True)
    assert sorted(taken_back) == sorted(token for window in windows for token in window.undone)
    assert audit.double() == 0
    last = {key: (token, grade) for key, token, grade in events.values_list("judgment", "token", "grade")}
    standing = Judgment.objects.exclude(grade=None).values_list("pk", "token", "grade")
    assert {key: told for key, *told in standing} == {key: [*told] for key, told in last.items() if told[1] is not None}
    finished = set(Assignment.objects.exclude(finished_at=None).values_list("pk", flat=True))
    assert finished == {key for window in windows for key in window.finished}


def test_one_person_marks_finishes_undoes_and_skips_in_two_windows_at_once() -> None:
    [judge] = crowds.judges(stage.a_judged_corpus(8, queries=40), 1)
    one, two = windows_of(judge, judge)
    marks = ["mark"] * 4
    together(
        partial(one.work, [*marks, "finish", *marks, "undo", *marks, "skip"], count=80),
        partial(two.work, ["finish", "again", "mark", "skip", "again", "mark", "undo"], count=42),
    )
    all_stands_once(one, two)


@pytest.mark.parametrize("ran_out", [False, True], ids=["held", "ran out"])
def test_two_judges_of_one_pool_finish_at_once(*, ran_out: bool) -> None:
    corpus = judges.corpus_of(2, queries=10)
    two, windows = crowds.judges(corpus, 2), []
    for _ in crowds.one_by_one(corpus):
        one, other = windows_of(*two)
        one.work(["mark"], count=1)
        other.work(["mark"], count=1)
        if ran_out:
            Assignment.objects.filter(finished_at=None).update(released_at=timezone.now(), place=None)
        together(partial(one.work, ["finish"], count=1), partial(other.work, ["mark", "finish"], count=2))
        windows += [one, other]
        two.reverse()
    all_stands_once(*windows)
    assert Assignment.objects.exclude(place=None).filter(surplus=False).count() == 20
    settled = Qrel.objects.order_by("canonical_id").values_list("canonical_id", "grade", "opinions")
    assert list(settled) == [("d002", 1, 2)] * 10 + [("d003", 2, 1)] * 10
