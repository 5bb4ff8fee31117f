"""Set versions: found by what people write (`hard@4`), and listed."""

from __future__ import annotations

import re
from typing import Any

from django.db.models import Case, CharField, Exists, F, Max, OuterRef, QuerySet, Value, When
from django.db.models.functions import Cast, Concat

from curation.models import Corpus, Query, SetVersion

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


def version_in_menu(corpus: Corpus) -> QuerySet[SetVersion, Any]:
    """What a menu says of the set frozen last: "v5", and "v6 draft" once a query was judged since; None before it."""
    number = Cast(F("number"), CharField())
    following = Cast(F("number") + 1, CharField())
    since = Query.objects.filter(
        corpus=OuterRef("corpus"), status=Query.Status.JUDGED, judged_at__gt=OuterRef("frozen_at")
    )
    draft = When(Exists(since), then=Concat(Value("v"), following, Value(" draft")))
    newest = SetVersion.objects.filter(corpus=corpus).order_by("-frozen_at", "-pk")
    called = Case(draft, default=Concat(Value("v"), number), output_field=CharField())
    return newest.annotate(called=called).values("called")


def _versions() -> QuerySet[SetVersion]:
    return SetVersion.objects.select_related("corpus", "generation__index", "frozen_by")


def _instead(name: str, spec: str) -> str:
    newest = SetVersion.objects.filter(name=name).aggregate(newest=Max("number"))["newest"]
    if newest is None:
        return f"No set is called {name}; freeze one with freeze_set."
    return f"There is no {spec}; the newest version of {name} is {name}@{newest}."
