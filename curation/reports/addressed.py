"""The rows that numbers in a corpus's addresses name, and whether they are that corpus's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db.models import Model, QuerySet

from curation.models import (
    GateReport,
    HardNegative,
    Invitation,
    Job,
    Membership,
    Proposal,
    Query,
    Stratum,
    TargetIndex,
    Waiver,
    Webhook,
    WritingAssignment,
)

_rows: dict[str, tuple[type[Model], str]] = {
    "asked": (WritingAssignment, "stratum__corpus"),
    "index": (TargetIndex, "corpus"),
    "invitation": (Invitation, "corpus"),
    "job": (Job, "corpus"),
    "membership": (Membership, "corpus"),
    "negative": (HardNegative, "query__corpus"),
    "proposal": (Proposal, "run__generation__index__corpus"),
    "query": (Query, "corpus"),
    "report": (GateReport, "set_version__corpus"),
    "stratum": (Stratum, "corpus"),
    "waiver": (Waiver, "corpus"),
    "webhook": (Webhook, "corpus"),
}


def add_row(part: str, model: type[Model], corpus: str) -> None:
    """Let `part` of an address name a row of `model`, whose corpus is behind that look-up; an app says so."""
    _rows[part] = model, corpus


def are_of(slug: str, parts: Mapping[str, Any]) -> bool:
    """Whether every number among the parts of an address names a row of the corpus; a part nobody knows names none."""
    return all(_is_of(slug, part, pk) for part, pk in parts.items() if isinstance(pk, int))


def _is_of(slug: str, part: str, pk: int) -> bool:
    if part not in _rows:
        return False
    model, corpus = _rows[part]
    return QuerySet(model).filter(**{"pk": pk, f"{corpus}__slug": slug}).exists()
