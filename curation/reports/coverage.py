"""Coverage: cells of queries, each with its count, and a score only where the count carries it.

The same report answers the board, its exports and `manage.py coverage`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from typing import Any

from curation.measures.hit import CI_KIND, cell_score
from curation.measures.targets import COUNT_TARGETS, Use
from curation.models import Corpus, RankedRun
from curation.models.measurements import DEEPEST

from .counts import DIMENSIONS, StratumCount, missing_from, stratum_counts
from .depths import Footing, footings, together
from .headline import Headline, headline
from .traffic import traffic_shares


class CoverageRefused(ValueError):
    """A question the report cannot answer; the text is one plain sentence."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A roll-up of strata. `score` and `ci` are None below the count target and without a run.

    `footing` tells what its n queries rest on, where that was asked.
    """

    dimensions: Mapping[str, str]
    n: int
    ready: int
    no_answer: int
    planned: int
    score: float | None
    ci: tuple[float, float] | None
    ci_kind: str
    status: str
    footing: Footing | None = None

    @property
    def is_lower_bound(self) -> bool:
        """Whether its score may be too low, because a query under it was judged less deep than needed."""
        return self.footing is not None and self.footing.depth.is_lower_bound

    def as_json(self) -> dict[str, Any]:
        """The cell as the command and the export print it."""
        shown = asdict(self)
        shown.pop("planned")
        shown.pop("footing")
        return {**shown.pop("dimensions"), **shown, **(footing_as_json(self.footing) if self.footing else {})}


FOOTING = ("judged_pairs", "judged_depth", "positives", "shallow", "lower_bound", "on_changed_text", "answer_gone")
"""What a cell's footing is called where it is printed."""


def footing_as_json(footing: Footing) -> dict[str, Any]:
    """What a cell rests on: judged pairs, means a query, and how many queries make its recall a lower bound."""
    depth = footing.depth
    means = rounded(depth.mean_judged), rounded(depth.mean_positives)
    bounds = depth.shallow, depth.is_lower_bound, footing.on_changed_text, footing.answer_gone
    return dict(zip(FOOTING, (depth.judged, *means, *bounds), strict=True))


def rounded(mean: float | None) -> float | None:
    """A mean as it is shown, with one decimal."""
    return None if mean is None else round(mean, 1)


@dataclass(frozen=True, slots=True)
class Coverage:
    """The whole board: `cells` worst first, `worst` at full crossing whatever `by` and the facets are.

    `missing` names the counted queries that the run does not answer: they score 0.
    """

    use: str
    target: int
    measure: str
    run: str | None
    by: tuple[str, ...]
    cells: list[Cell]
    worst: Cell | None
    unmeasured: list[str]
    missing: list[str]
    headline: Headline

    def as_json(self) -> dict[str, Any]:
        """What `manage.py coverage --json` prints."""
        return {
            "use": self.use,
            "target": self.target,
            "measure": self.measure,
            "run": self.run,
            "by": list(self.by),
            "cells": [cell.as_json() for cell in self.cells],
            "worst": self.worst.as_json() if self.worst else None,
            "unmeasured_locales": self.unmeasured,
            "missing": self.missing,
            "headline": self.headline.as_json(),
        }


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of the report: the crossing, the use that sets the count target, a run and its cut, the facets."""

    by: tuple[str, ...] = ("query_language", "corpus_language")
    use: Use = "gate"
    run: RankedRun | None = None
    k: int = 10
    facets: Mapping[str, str] = field(default_factory=dict)


def coverage(corpus: Corpus, question: Question) -> Coverage:
    """The board of `corpus` for `question`.

    Raises:
        CoverageRefused: an unknown dimension or use, or a run cut before k.
    """
    check(question)
    counts = stratum_counts(corpus, run=question.run, k=question.k)
    beside = Beside(traffic_shares(corpus), missing(corpus, question, counts), footings(corpus))
    return coverage_of(counts, question, beside)


def missing(corpus: Corpus, question: Question, counts: Iterable[StratumCount]) -> list[str]:
    """The counted queries that the question's run does not answer; asked for only where the counts tell of some."""
    if question.run is None or all(count.answered == count.n for count in counts):
        return []
    return missing_from(corpus, question.run)


@dataclass(frozen=True, slots=True)
class Beside:
    """What a board shows beside its counts: traffic shares, queries missing from the run, what each stratum rests on.

    Without `footings` no cell tells what it rests on.
    """

    shares: Mapping[str, float]
    missing: Sequence[str] = ()
    footings: Mapping[int, Footing] | None = None


def coverage_of(counts: Sequence[StratumCount], question: Question, beside: Beside) -> Coverage:
    """The board of strata already counted. The worst cell and the headline know no facet."""
    rolled = partial(cells, use=question.use, footings=beside.footings)
    full, locales = rolled(counts, by=DIMENSIONS), rolled(counts, by=("query_language",))
    return Coverage(
        use=question.use,
        target=COUNT_TARGETS[question.use],
        measure=f"hit@{question.k}",
        run=question.run.name if question.run else None,
        by=question.by,
        cells=rolled(with_facets(counts, question.facets), by=question.by),
        worst=next((cell for cell in full if cell.score is not None), None),
        unmeasured=sorted(cell.dimensions["query_language"] for cell in locales if cell.score is None),
        missing=list(beside.missing),
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
        raise CoverageRefused(f"No dimension is called {unknown[0]}: the dimensions are {', '.join(DIMENSIONS)}.")
    if len(set(question.by)) < len(question.by):
        raise CoverageRefused(f"A dimension is named twice in {', '.join(question.by)}; name each once.")
    if question.use not in COUNT_TARGETS:
        raise CoverageRefused(f"No use is called {question.use}: the uses are {', '.join(COUNT_TARGETS)}.")
    if question.k < 1:
        raise CoverageRefused("k counts documents, so it is at least 1.")
    if question.k > DEEPEST:
        raise CoverageRefused(f"k counts documents, and is at most {DEEPEST:,}.")
    if question.run is not None and question.run.k < question.k:
        held = f"Run {question.run.name} holds the first {question.run.k} documents of a query"
        raise CoverageRefused(f"{held}, too few for k = {question.k}.")


def with_facets(counts: Iterable[StratumCount], facets: Mapping[str, str]) -> list[StratumCount]:
    """The strata that every facet lets through."""
    return [count for count in counts if all(getattr(count, name) == value for name, value in facets.items())]


def cells(
    counts: Iterable[StratumCount],
    *,
    by: tuple[str, ...],
    use: Use,
    footings: Mapping[int, Footing] | None = None,
) -> list[Cell]:
    """The strata rolled up by `by`: reported cells first, the lowest score leading, then the others by their place."""
    rolled: dict[tuple[str, ...], list[StratumCount]] = {}
    for count in counts:
        rolled.setdefault(count.key(by), []).append(count)
    return sorted(
        (
            cell(dict(zip(by, key, strict=True)), strata, use=use, footing=footing_under(strata, footings))
            for key, strata in rolled.items()
        ),
        key=worst_first,
    )


def footing_under(strata: Iterable[StratumCount], footings: Mapping[int, Footing] | None) -> Footing | None:
    """What the queries of several strata rest on; None where that was not asked."""
    if footings is None:
        return None
    return together(footings[count.stratum_id] for count in strata if count.stratum_id in footings)


def cell(
    dimensions: Mapping[str, str], strata: Sequence[StratumCount], *, use: Use, footing: Footing | None = None
) -> Cell:
    """One cell of `strata`; a thin one holds its count and nothing else."""
    hits = [count.hits for count in strata if count.hits is not None]
    measured = len(hits) == len(strata)
    figure = cell_score(sum(hits) if measured else None, sum(count.n for count in strata), use=use)
    return Cell(
        dimensions=dimensions,
        n=figure.n,
        ready=sum(count.ready for count in strata),
        no_answer=sum(count.no_answer for count in strata),
        planned=sum(count.planned for count in strata),
        score=figure.score,
        ci=figure.ci,
        ci_kind=CI_KIND,
        status=figure.status,
        footing=footing,
    )


def worst_first(cell: Cell) -> tuple[bool, float, int, tuple[str, ...]]:
    """The order of cells: a score before none, the lower before the higher, more evidence before less."""
    return cell.score is None, cell.score or 0.0, -cell.n, tuple(cell.dimensions.values())
