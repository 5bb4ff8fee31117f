"""One person with one query in two windows, as C06 has it: fifty documents, one of which is marked in both."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.db.models import QuerySet

from curation.models import Role
from judging.models import Judgment, JudgmentEvent
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
