"""Waivers: what stands aside for now, and what each of them covers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date

from django.db.models import QuerySet

from curation.models import Corpus, Waiver

from .counts import DIMENSIONS

SLICE, LOCALE, CELL = "slice", "locale", "cell"


def waivers_of(corpus: Corpus) -> QuerySet[Waiver]:
    """Every waiver of the corpus that nobody withdrew, the one that ends first leading."""
    return Waiver.objects.filter(corpus=corpus, withdrawn_at=None).select_related("granted_by").order_by("until", "pk")


def standing_waivers(corpus: Corpus, today: date) -> list[Waiver]:
    """Those that stand on a day: it is their last one, or comes before it."""
    return list(waivers_of(corpus).filter(until__gte=today))


def subject_of_slice(name: str) -> str:
    """What a waiver of a slice is about."""
    return f"{SLICE} {name}"


def subject_of_cell(dimensions: Mapping[str, str]) -> str:
    """What a waiver of a locale or of a narrower cell is about: "locale tr", "cell tr en"."""
    return " ".join([LOCALE if len(dimensions) == 1 else CELL, *dimensions.values()])


def waiver_of_slice(waivers: Iterable[Waiver], name: str) -> Waiver | None:
    """The waiver that lets a slice's rejection stand aside; the one that lasts longest."""
    return _longest(waiver for waiver in waivers if waiver.subject == subject_of_slice(name))


def waiver_of_cell(waivers: Iterable[Waiver], dimensions: Mapping[str, str]) -> Waiver | None:
    """The same of a cell: one of its locale, or of any wider cell, covers it too."""
    own = list(dimensions.values())
    return _longest(waiver for waiver in waivers if _covers(waiver.subject.split(), own))


def _covers(subject: list[str], place: list[str]) -> bool:
    return (
        subject[0] in {LOCALE, CELL}
        and 0 < len(subject) - 1 <= len(DIMENSIONS)
        and place[: len(subject) - 1] == subject[1:]
    )


def _longest(waivers: Iterable[Waiver]) -> Waiver | None:
    return max(waivers, key=lambda waiver: (waiver.until, waiver.pk), default=None)
