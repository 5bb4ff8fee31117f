"""The floors that a corpus's gates hold: its own, else those of the installation."""

from __future__ import annotations

from django.conf import settings

from curation.measures.floors import Floors
from curation.models import Corpus

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
