"""Coverage: what the cells of a corpus hold, its worst cell, its headline.

The same report answers the board, its exports and `manage.py coverage`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import reduce
from operator import or_
from typing import Any

from django.db.models import Exists, OuterRef, Q

from curation.measures.targets import COUNT_TARGETS, Use
from curation.models import Corpus, Query, QueryScore, RankedRun, Slice
from curation.models.measurements import DEEPEST
from curation.retrieval.query_types import QUERY_TYPES
from curation.retrieval.scripts import SCRIPT_CLASSES

from .cells import Cell, Rolled, worst_of
from .counts import DIMENSIONS, Asked, StratumCount, counted, stratum_counts
from .error_strings import ErrorShare, error_shares
from .headline import Headline, headline
from .traffic import traffic_shares

CLOSED: Mapping[str, Collection[str]] = {"script": SCRIPT_CLASSES, "query_type": QUERY_TYPES, "slice": Slice.values}
"""What may be asked of a dimension though the corpus has none of it."""
SHOWN = 60
"""Characters of a wrong word that a refusal repeats."""


class CoverageRefused(ValueError):
    """A question the report cannot answer; the text is one plain sentence."""


@dataclass(frozen=True, slots=True)
class Coverage:
    """The whole board: `cells` worst first, `worst` at full crossing whatever `by` and the facets are.

    `missing` names the counted queries that a run does not answer: they score 0. `beside` is the second run's name.
    """

    use: str
    target: int
    measure: str
    run: str | None
    beside: str | None
    by: tuple[str, ...]
    facets: Mapping[str, str]
    cells: list[Cell]
    worst: Cell | None
    unmeasured: list[str]
    missing: list[str]
    error_strings: list[ErrorShare]
    headline: Headline

    def as_json(self) -> dict[str, Any]:
        """What `manage.py coverage --json` prints."""
        return {
            "use": self.use,
            "target": self.target,
            "measure": self.measure,
            "run": self.run,
            "beside": self.beside,
            "by": list(self.by),
            "facets": dict(self.facets),
            "cells": [cell.as_json() for cell in self.cells],
            "worst": self.worst.as_json() if self.worst else None,
            "unmeasured_locales": self.unmeasured,
            "missing": self.missing,
            "error_strings": [each.as_json() for each in self.error_strings],
            "headline": self.headline.as_json(),
        }


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of the report: the crossing, the use that sets the count target, a run and its cut, the facets.

    `beside` is a second run. Two runs side by side need the 400 of "compare" in a cell, whatever `use` says.
    """

    by: tuple[str, ...] = ("query_language", "corpus_language")
    use: Use = "gate"
    run: RankedRun | None = None
    k: int = 10
    facets: Mapping[str, str] = field(default_factory=dict)
    beside: RankedRun | None = None

    @property
    def reading(self) -> Use:
        """The use whose count target a cell must reach."""
        return "compare" if self.beside else self.use


def coverage(corpus: Corpus, question: Question) -> Coverage:
    """The board of `corpus` for `question`.

    Raises:
        CoverageRefused: an unknown dimension, value or use, a run cut before k, or a second run without another first.
    """
    counts = counts_for(corpus, question)
    return coverage_of(counts, question, Beside(traffic_shares(corpus), missing(corpus, question, counts)))


def counts_for(corpus: Corpus, question: Question, *, moments: Sequence[datetime] = ()) -> list[StratumCount]:
    """The counts that answer `question`; `moments` as for `Asked`.

    Raises:
        CoverageRefused: see `coverage`.
    """
    check(question)
    asked = Asked(run=question.run, k=question.k, beside=question.beside, moments=moments)
    counts = stratum_counts(corpus, asked=asked)
    check_values(question.facets, counts)
    return counts


def missing(corpus: Corpus, question: Question, counts: Iterable[StratumCount]) -> list[str]:
    """The counted queries that a run does not answer; asked for only where the counts tell of some."""
    answered = [(count.n, count.answered, count.beside_answered) for count in counts]
    lacking = []
    if question.run and any(n != first for n, first, _ in answered):
        lacking.append(question.run)
    if question.beside and any(n != second for n, _, second in answered):
        lacking.append(question.beside)
    return missing_from(corpus, lacking) if lacking else []


def answered(run: RankedRun) -> Exists:
    """Whether `run` answers the query at all."""
    return Exists(QueryScore.objects.filter(run=run, query=OuterRef("pk")))


def missing_from(corpus: Corpus, runs: Sequence[RankedRun]) -> list[str]:
    """External ids of the counted queries that one of `runs` (at least one) does not answer, sorted; they score 0."""
    judged = Query.objects.filter(corpus=corpus, status=Query.Status.JUDGED)
    lacking = reduce(or_, (~Q(answered(run)) for run in runs))
    return sorted(judged.filter(lacking, counted(corpus)).values_list("external_id", flat=True))


@dataclass(frozen=True, slots=True)
class Beside:
    """What a board shows beside its counts: traffic shares, and the queries missing from a run."""

    shares: Mapping[str, float]
    missing: Sequence[str] = ()


def coverage_of(counts: Sequence[StratumCount], question: Question, beside: Beside) -> Coverage:
    """The board of strata already counted."""
    return coverage_in(faceted(counts, question), question, beside)


def faceted(counts: Sequence[StratumCount], question: Question) -> tuple[Rolled, Rolled]:
    """All strata, and those that the facets let through; the same where there are no facets."""
    whole = Rolled(counts, use=question.reading)
    return whole, Rolled(with_facets(counts, question.facets), use=whole.use) if question.facets else whole


def coverage_in(strata: tuple[Rolled, Rolled], question: Question, beside: Beside) -> Coverage:
    """The board of strata as `faceted` gives them. Worst cell, headline and error strings know no facet."""
    (whole, shown), use = strata, question.reading
    locales = whole.by("query_language")
    return Coverage(
        use=use,
        target=COUNT_TARGETS[use],
        measure=f"hit@{question.k}",
        run=question.run.name if question.run else None,
        beside=question.beside.name if question.beside else None,
        by=question.by,
        facets=question.facets,
        cells=shown.by(*question.by),
        worst=worst_of(whole.counts, use=use),
        unmeasured=sorted(cell.dimensions["query_language"] for cell in locales if cell.score is None),
        missing=list(beside.missing),
        error_strings=error_shares(whole.counts),
        headline=headline(
            {cell.dimensions["query_language"]: cell.score for cell in locales},
            shares=beside.shares,
            bounds=[cell.dimensions["query_language"] for cell in locales if cell.is_lower_bound],
        ),
    )


def check(question: Question) -> None:
    """Raise CoverageRefused where the question makes no sense."""
    unknown = [name for name in (*question.by, *question.facets) if name not in DIMENSIONS]
    if unknown:
        called = f"No dimension is called {unknown[0][:SHOWN]}" if unknown[0].strip() else "A dimension has no name"
        raise CoverageRefused(f"{called}: the dimensions are {', '.join(DIMENSIONS)}.")
    if len(set(question.by)) < len(question.by):
        raise CoverageRefused(f"A dimension is named twice in {', '.join(question.by)}; name each once.")
    if question.use not in COUNT_TARGETS:
        raise CoverageRefused(f"No use is called {question.use}: the uses are {', '.join(COUNT_TARGETS)}.")
    if question.k < 1:
        raise CoverageRefused("k counts documents, so it is at least 1.")
    if question.k > DEEPEST:
        raise CoverageRefused(f"k counts documents, and is at most {DEEPEST:,}.")
    check_runs(question)


def check_values(facets: Mapping[str, str], counts: Iterable[StratumCount]) -> None:
    """Raise CoverageRefused where a facet asks for what no stratum of the corpus is, and what no corpus could be."""
    for name, value in facets.items():
        known = sorted({getattr(count, name) for count in counts})
        if value in known or value in CLOSED.get(name, ()):
            continue
        called = f"is called {value[:SHOWN]}" if value.strip() else "goes without a name"
        raise CoverageRefused(f"No {name.replace('_', ' ')} {called}: the corpus has {', '.join(known) or 'none yet'}.")


def check_runs(question: Question) -> None:
    """Raise CoverageRefused where a run does not reach as deep as k, or a second one has no other to stand beside."""
    if question.beside and not question.run:
        raise CoverageRefused(f"Run {question.beside.name} stands beside no other: name the run to set it against.")
    if question.beside and question.beside == question.run:
        raise CoverageRefused(f"Run {question.beside.name} stands beside itself: name another run, or leave one out.")
    for run in (question.run, question.beside):
        if run is not None and run.k < question.k:
            held = f"Run {run.name} holds the first {run.k} documents of a query"
            raise CoverageRefused(f"{held}, too few for k = {question.k}.")


def with_facets(counts: Iterable[StratumCount], facets: Mapping[str, str]) -> list[StratumCount]:
    """The strata that every facet lets through."""
    return [count for count in counts if all(getattr(count, name) == value for name, value in facets.items())]
