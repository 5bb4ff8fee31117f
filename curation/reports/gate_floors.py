"""The floors that a corpus's gates hold: its own, else those of the installation."""

from __future__ import annotations

from django.conf import settings

from curation.measures.floors import Floors
from curation.models import Corpus

NAMES = tuple(Floors().as_json())


def floors_of(corpus: Corpus) -> Floors:
    """The floors of `corpus`.

    Raises:
        MeasureRefused: one of them lies outside 0 to 1.
    """
    return Floors(**{**settings.GATE_FLOORS, **corpus.floors})
