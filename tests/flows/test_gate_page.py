"""A gate report in a narrow window: what stands beside a floor is whole."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from curation.models import Corpus, GateReport
from tests import factories
from tests.curation.gating import scene

from .conftest import SignIn

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
# Of each floor: where its ? ends, and where the room for it does.
EDGES = """() => [...document.querySelectorAll("[data-name$=' floor'].num")].filter(cell => cell.textContent).map(cell => {
  const mark = cell.querySelector("b").getBoundingClientRect(), room = cell.getBoundingClientRect();
  return [mark.right, room.right - parseFloat(getComputedStyle(cell).paddingInlineEnd)]; })"""


def test_the_mark_of_an_undecided_floor_stays_inside_its_cell(window: Callable[..., Page], sign_in: SignIn) -> None:
    corpus = scene.searchable()
    _, made = scene.whole(corpus, 2)
    scene.a_run(corpus, scene.spread(made, lost=len(made)))
    Corpus.objects.update(floors={"absolute": 0.85})
    assert scene.say("gate", "hard@1", "--run", "int8", "--k", 5).code == 3
    page = window(viewport={"width": 360, "height": 740})
    sign_in(page, factories.lena(corpus))
    page.goto(f"/c/claims/gate/{GateReport.objects.get().pk}/")
    edges = page.evaluate(EDGES)
    assert len(edges) == 8
    assert all(mark_ends <= cell_ends + 0.5 for mark_ends, cell_ends in edges), edges
