"""A run measured without a verdict, on a draft or a frozen set: recall@k by query, by slice and by cell."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from curation.formats.set_form import FrozenMember
from curation.measures.bootstrap import CI_KIND as BOOTSTRAP
from curation.measures.bootstrap import paired_difference
from curation.measures.recall import CI_KIND
from curation.measures.standard_error import interval_around, mean, standard_error
from curation.measures.targets import COUNT_TARGETS
from curation.models import Slice

from .gate_reading import place
from .measured import Measured, of_members
from .unjudged import first_of_each

PAIR = ("query_language", "corpus_language")


@dataclass(frozen=True)
class Figure:
    """Mean recall@k of `n` queries with its standard error and 95 % interval, the baseline's, and their difference.

    What `n` does not carry is None: `difference` needs two runs side by side, which in a cell takes 400 queries.
    """

    name: dict[str, str]
    n: int
    recall: float | None
    se: float | None
    ci: tuple[float, float] | None
    baseline: float | None
    difference: dict[str, Any] | None

    def as_json(self) -> dict[str, Any]:
        """The figure with its name spread out."""
        told = asdict(self)
        return {**told.pop("name"), **told}


def as_json(measured: Measured, *, spec: str, run: str, seed: int) -> dict[str, Any]:
    """What `manage.py measure --json` prints."""
    return {
        "set": spec,
        "run": run,
        "measure": f"recall@{measured.k}",
        "ci_kind": CI_KIND,
        "difference_ci_kind": BOOTSTRAP,
        "k": measured.k,
        "documents": measured.documents,
        "slices": [figure.as_json() for figure in slices(measured, seed=seed)],
        "cells": [figure.as_json() for figure in cells(measured, seed=seed)],
        "queries": [_query(measured, member) for member in measured.members],
        "missing": measured.missing,
        "unjudged": first_of_each(measured.unjudged),
        "unjudged_documents": measured.unjudged_documents,
        "unjudged_queries": len(measured.unjudged),
    }


def slices(measured: Measured, *, seed: int) -> list[Figure]:
    """Every slice in the order of the house, then all of them pooled."""
    groups = [[member for member in measured.members if member.slice == name] for name in Slice.values]
    rows = zip([*Slice.values, "pooled"], [*groups, measured.members], strict=True)
    return [_figure(measured, {"slice": name}, members, seed=seed) for name, members in rows]


def cells(measured: Measured, *, seed: int) -> list[Figure]:
    """Every pair of languages, the lowest reported first; below 100 queries its count alone."""
    groups: defaultdict[tuple[str, ...], list[FrozenMember]] = defaultdict(list)
    for member in measured.members:
        groups[place(member, PAIR)].append(member)
    found = (_cell(measured, dict(zip(PAIR, key, strict=True)), members, seed=seed) for key, members in groups.items())
    return sorted(found, key=lambda cell: (cell.recall is None, cell.recall or 0.0, -cell.n, *cell.name.values()))


def _cell(measured: Measured, name: dict[str, str], members: list[FrozenMember], *, seed: int) -> Figure:
    n = len(members)
    if n < COUNT_TARGETS["gate"]:
        return Figure(name, n, None, None, None, None, None)
    found = _figure(measured, name, members, seed=seed)
    if n >= COUNT_TARGETS["compare"]:
        return found
    return Figure(name, n, found.recall, found.se, found.ci, None, None)


def _figure(measured: Measured, name: dict[str, str], members: Iterable[FrozenMember], *, seed: int) -> Figure:
    rows = list(members)
    recalls, own = of_members(measured.recalls, rows), of_members(measured.baselines, rows)
    middle, se = mean(recalls), standard_error(recalls)
    around = None if middle is None or se is None else interval_around(middle, se)
    difference = asdict(paired_difference(recalls, own, seed=seed))
    return Figure(name, len(rows), middle, se, around, mean(own), difference)


def _query(measured: Measured, member: FrozenMember) -> dict[str, Any]:
    name = member.external_id
    return {
        "query_id": name,
        "slice": member.slice,
        "recall": measured.recalls[name],
        "baseline": measured.baselines[name],
        "missing": name not in measured.candidate,
    }
