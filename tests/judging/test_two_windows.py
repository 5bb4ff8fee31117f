"""One person with one query in two windows, as C06 has it: fifty documents, one of which is marked in both."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.db.models import QuerySet
from django.utils import timezone

from curation.models import Role
from judging.actions.candidates import add_candidate
from judging.models import Assignment, Judgment, JudgmentEvent
from tests.judging import stage
from tests.judging.stage import Judge

pytestmark = pytest.mark.django_db


def test_c06_a_window_is_told_of_the_newer_value_before_it_replaces_it(cases: Path) -> None:
    given = json.loads((cases / "c06-scenario.json").read_text(encoding="utf-8"))
    corpus = stage.a_judged_corpus(given["given"]["docs"])
    person = corpus.memberships.get(role=Role.ADJUSTER).user
    windows = {tab: Judge(person) for tab in given["given"]["tabs"]}
    [held] = {window.next() for window in windows.values()}
    assert held is not None
    first, second = (step for step in given["steps"] if step["do"] == "grade")
    others = held.pool.candidates.exclude(document__external_id=first["doc"])
    page = {f"grade-{each.pk}": each.pk % 4 for each in others}
    windows["A"].client.post(f"/c/claims/judge/{held.pk}/finish", {"token": "page", **page})
    before = list(marks().exclude(document__external_id=first["doc"]))

    def press(step: dict[str, Any], *, number: int) -> dict[str, Any]:
        window = windows[step["tab"]]
        token = f"{step['tab']}{number}"
        answer: dict[str, Any] = window.mark(held, step["doc"], step["grade"], number=number, token=token).json()
        return answer

    assert press(first, number=1)["stands"] is True
    told = press(second, number=1)
    assert (told["stands"], told["value"], told["number"]) == (False, str(first["grade"]), 1)
    assert re.fullmatch(r"at \d\d:\d\d", told["when"])
    history = JudgmentEvent.objects.filter(judgment__document__external_id=first["doc"]).order_by("pk")
    assert history.count() == given["expect"]["history_events_d007"]
    assert marks().get(document__external_id=first["doc"])[1] == first["grade"]
    assert press(second, number=2)["stands"] is True
    assert marks().get(document__external_id=first["doc"])[1] == second["grade"]
    assert list(history.values_list("grade", flat=True)) == [first["grade"], second["grade"], second["grade"]]
    assert list(marks().exclude(document__external_id=first["doc"])) == before
    assert len(before) == given["given"]["docs"] - 1


def marks() -> QuerySet[Judgment, tuple[str, int | None, int]]:
    """Each document's standing mark."""
    rows = Judgment.objects.order_by("pk")
    return rows.values_list("document__external_id", "grade", "number")


def test_an_undo_whose_answer_was_lost_opens_one_query_however_often_it_is_sent() -> None:
    corpus = stage.a_judged_corpus(queries=3)
    judge = Judge(corpus.memberships.get(role=Role.ADJUSTER).user)
    finished = judge.next()
    assert finished is not None
    judge.mark(finished, "d001", 3)
    judge.finish(finished)
    skipped = judge.next()
    assert skipped is not None
    judge.post("skip", skipped)
    held = judge.next()
    assert held is not None
    answers = [judge.post("undo", held, token="press-1").json()["next"] for _ in range(3)]
    assert answers == [f"/c/claims/judge/{skipped.pk}/"] * 3
    assert not Assignment.objects.exclude(reopened_at=None).exists()


def test_what_joined_the_list_since_it_was_opened_is_shown_before_the_query_is_finished() -> None:
    corpus = stage.a_judged_corpus(2)
    judge = Judge(corpus.memberships.get(role=Role.ADJUSTER).user)
    held = judge.next()
    assert held is not None
    judge.mark(held, "d001", 3)
    shown = f"{stage.candidate(held.pool, 'd001').pk}:3 {stage.candidate(held.pool, 'd002').pk}:"
    document = stage.a_document(corpus, "d003")
    late = add_candidate(query=held.pool.query, document=document, origin="lead", now=timezone.now())
    answer = judge.post("finish", held, shown=shown)
    assert (answer.status_code, answer.json()["refused"]) == (
        412,
        "Documents joined this query since you opened it. The list shows them now.",
    )
    assert "next" in judge.post("finish", held, shown=f"{shown} {late.pk}:").json()
