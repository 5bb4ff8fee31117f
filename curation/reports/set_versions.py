"""Set versions: found by what people write (`hard@4`), and listed."""

from __future__ import annotations

import re

from django.db.models import CharField, F, Max, QuerySet, Subquery, Value
from django.db.models.functions import Cast, Concat

from curation.models import Corpus, SetVersion

SPEC = re.compile(r"(?P<name>[-a-zA-Z0-9_]+)@(?P<number>[1-9][0-9]{0,8})")


class NoSuchVersion(ValueError):
    """No set version is called so; its text is one plain sentence."""


def set_version(spec: str) -> SetVersion:
    """The set version written as `hard@4`, with its corpus, generation and index.

    Raises:
        NoSuchVersion: it is written otherwise, or there is none of that name and number.
    """
    written = SPEC.fullmatch(spec)
    if written is None:
        raise NoSuchVersion(f'"{spec}" names no set version; write its name, "@" and its number, as in hard@4.')
    name, number = written["name"], int(written["number"])
    found = _versions().filter(name=name, number=number).first()
    if found is None:
        raise NoSuchVersion(_instead(name, spec))
    return found


def set_versions(corpus: Corpus) -> QuerySet[SetVersion]:
    """The corpus's set versions, the newest first."""
    return _versions().filter(corpus=corpus).order_by("-frozen_at", "-pk")


def draft_number(corpus: Corpus) -> Subquery:
    """What the next version of the set frozen last is called in a menu: "v6 draft"; None before the first."""
    called = Concat(Value("v"), Cast(F("number") + 1, CharField()), Value(" draft"))
    newest = SetVersion.objects.filter(corpus=corpus).order_by("-frozen_at", "-pk")
    return Subquery(newest.annotate(called=called).values("called")[:1])


def _versions() -> QuerySet[SetVersion]:
    return SetVersion.objects.select_related("corpus", "generation__index", "frozen_by")


def _instead(name: str, spec: str) -> str:
    newest = SetVersion.objects.filter(name=name).aggregate(newest=Max("number"))["newest"]
    if newest is None:
        return f"No set is called {name}; freeze one with freeze_set."
    return f"There is no {spec}; the newest version of {name} is {name}@{newest}."
