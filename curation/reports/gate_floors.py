"""The floors that a corpus's gates hold: its own, else those of the installation."""

from __future__ import annotations

from collections.abc import Mapping

from django.conf import settings
from django.db.models import QuerySet

from curation.measures.floors import Floors
from curation.models import Corpus, FloorChange

from .moments import day_in_words

NAMES = tuple(Floors().as_json())


def level_in_words(level: float) -> str:
    """A floor with two decimals, and with more only where it has more: 0.60, 0.88, 0.975."""
    shortest = f"{round(level, 6):g}"
    return shortest if len(shortest.partition(".")[2]) > 2 else f"{level:.2f}"


def floors_of(corpus: Corpus) -> Floors:
    """The floors of `corpus`.

    Raises:
        MeasureRefused: one of them lies outside 0 to 1.
    """
    return Floors(**{**settings.GATE_FLOORS, **corpus.floors})


def floor_changes(corpus: Corpus) -> QuerySet[FloorChange]:
    """Each change of the corpus's own floors, the newest first."""
    return corpus.floor_changes.select_related("changed_by", "corpus").order_by("-changed_at", "-pk")


def change_in_words(change: FloorChange) -> str:
    """What somebody set, who, when and why: "relative 0.97 to 0.50 by Lena on 30 November 2026: a trial"."""
    return f"{floors_moved(change.before, change.after)} {_by(change)}"


def floors_moved(before: Mapping[str, float], after: Mapping[str, float]) -> str:
    """What differs: "absolute 0.88 to 0.80, relative 0.97 to 0.90"; a level that one lacks is the installation's."""
    usual = settings.GATE_FLOORS
    return ", ".join(
        f"{name} {level_in_words(before.get(name, usual[name]))} to {level_in_words(after.get(name, usual[name]))}"
        for name in NAMES
        if before.get(name) != after.get(name)
    )


def lowered(held: Mapping[str, float]) -> str:
    """Which levels lie below the installation's: "absolute 0.80 for 0.88, cell 0.50 for 0.60"; "" where none does."""
    usual = settings.GATE_FLOORS
    return ", ".join(
        f"{name} {level_in_words(held[name])} for {level_in_words(usual[name])}"
        for name in NAMES
        if name in held and held[name] < usual[name]
    )


def lowered_in_words(corpus: Corpus, floors: Floors) -> str:
    """Which of `floors` lie below the installation's, and who set those of `corpus` and why; "" where none does."""
    low = lowered(floors.as_json())
    if not low:
        return ""
    newest = floor_changes(corpus).first()
    who = f", set {_by(newest)}" if newest else ""
    return f"Floors of this corpus lie below the installation's ({low}){who}".rstrip(".") + "."


def _by(change: FloorChange) -> str:
    return f"by {change.changed_by} on {day_in_words(change.changed_at, change.corpus)}: {change.reason}"
