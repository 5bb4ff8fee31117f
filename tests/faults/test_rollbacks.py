"""Two who roll back, or put into production, at the same moment: the alias moves once, and nothing gets lost."""

from __future__ import annotations

import threading
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from django.conf import LazySettings
from django.utils import timezone

from curation.actions import rollback as action
from curation.actions.production import put_in_production
from curation.models import AliasSwap, TargetIndex
from curation.reports.aliases import way_back
from tests import factories
from tests.faults.threads import together

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def served(settings: LazySettings) -> TargetIndex:
    """The link `now` leads to r3, which is in production and mined again on a day; before it came `old`."""
    folder, corpus = Path(settings.INDEX_FOLDER), factories.a_corpus()
    for name in ("r3", "old"):
        (folder / name).mkdir(parents=True)
        (folder / name / "claims.faiss").touch()
    (folder / "now").symlink_to("r3")
    old = corpus.indexes.create(name="old", kind="faiss_file", location="old/claims.faiss", in_shadow=True)
    way = {"alias": "now", "previous_target": old, "is_production": True, "remine_due_on": "2027-01-01"}
    return corpus.indexes.create(name="r3", kind="faiss_file", location="r3/claims.faiss", **way)


@pytest.fixture
def both_have_looked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither of two touches the alias before the other knows where it is to lead."""
    looked = threading.Barrier(2)

    def and_wait(*given: Any) -> Any:
        back = way_back(*given)
        looked.wait(60)
        return back

    monkeypatch.setattr("curation.actions.rollback.way_back", and_wait)


def press(index: TargetIndex, name: str) -> str:
    asker = action.Asker(name)
    return action.rollback(index=index, reason="drift", asker=asker, now=timezone.now()).outcome.value


@pytest.mark.usefixtures("both_have_looked")
def test_of_two_rollbacks_at_once_none_swaps_forward_and_the_dates_stay(
    served: TargetIndex, settings: LazySettings
) -> None:
    outcomes = together(partial(press, served, "lena"), partial(press, served, "theo"))
    assert set(outcomes) <= {"done", "already"}
    assert "done" in outcomes
    folder = Path(settings.INDEX_FOLDER)
    assert ((folder / "now").resolve().name, sorted(path.name for path in folder.iterdir())) == (
        "old",
        ["now", "old", "r3"],
    )
    old = TargetIndex.objects.get(name="old")
    assert (old.is_production, old.in_shadow, str(old.remine_due_on)) == (True, False, "2027-01-01")
    assert AliasSwap.objects.exclude(swapped_at=None).count() == outcomes.count("done")
    assert not AliasSwap.objects.filter(swapped_at=None).exists()


def test_a_second_press_that_read_before_the_first_was_done_keeps_the_dates(served: TargetIndex) -> None:
    first, second = (TargetIndex.objects.get(name="old") for _ in range(2))
    put_in_production(index=first)
    put_in_production(index=second)
    assert str(TargetIndex.objects.get(name="old").remine_due_on) == "2027-01-01"
