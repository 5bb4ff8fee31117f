"""Cells: strata rolled up, each with its count, and a score only where the count carries it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from curation.measures.hit import CI_KIND, CellScore, cell_score
from curation.measures.targets import COUNT_TARGETS, Use

from .counts import DIMENSIONS, StratumCount, place_in
from .footing import Footing, together
from .spellings import again_in, coming_once, hits_once

FOOTING = ("judged_pairs", "judged_depth", "positives", "shallow", "lower_bound", "on_changed_text", "answer_gone")
"""What a cell's footing is called where it is printed."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A roll-up of strata. `score` and `ci` are None below the count target and without a run.

    `beside` is the same of a second run, None where none was asked. `footing` tells what the n queries rest on. A query
    and its other spellings count once where it holds several, in n and in what is `coming`; the `spellings` are in no n
    and no score. Its strata are `unmet` counted queries short of their plans; what one holds beyond its own makes up
    for no other.
    """

    dimensions: Mapping[str, str]
    n: int
    ready: int
    coming: int
    no_answer: int
    planned: int
    score: float | None
    ci: tuple[float, float] | None
    ci_kind: str
    status: str
    beside: CellScore | None = None
    footing: Footing = field(default_factory=Footing)
    spellings: int = 0
    unmet: int = 0

    @property
    def is_lower_bound(self) -> bool:
        """Whether its score may be too low, because a query under it was judged less deep than needed."""
        return self.footing.depth.is_lower_bound

    def as_json(self) -> dict[str, Any]:
        """The cell as the command and the export print it."""
        shown = {
            name: getattr(self, name)
            for name in ("n", "spellings", "ready", "coming", "no_answer", "score", "ci", "ci_kind", "status")
        }
        beside = {"beside": asdict(self.beside)} if self.beside else {}
        return {**self.dimensions, **shown, **beside, **footing_as_json(self.footing)}


def footing_as_json(footing: Footing) -> dict[str, Any]:
    """What a cell rests on: judged pairs, means a query, and how many queries make its recall a lower bound."""
    depth = footing.depth
    means = rounded(depth.mean_judged), rounded(depth.mean_positives)
    bounds = depth.shallow, depth.is_lower_bound, footing.on_changed_text, footing.answer_gone
    return dict(zip(FOOTING, (depth.judged, *means, *bounds), strict=True))


def rounded(mean: float | None) -> float | None:
    """A mean as it is shown, with one decimal."""
    return None if mean is None else round(mean, 1)


class Rolled:
    """Strata that are rolled up several ways on one page: each way once."""

    def __init__(self, counts: Sequence[StratumCount], *, use: Use) -> None:
        """Of `counts`, scores where a cell reaches the target of `use`."""
        self.counts, self.use = counts, use
        self._cells: dict[tuple[str, ...], list[Cell]] = {}

    def by(self, *dimensions: str) -> list[Cell]:
        """The cells of `dimensions`, as `cells` gives them."""
        if dimensions not in self._cells:
            self._cells[dimensions] = cells(self.counts, by=dimensions, use=self.use)
        return self._cells[dimensions]


def cells(counts: Iterable[StratumCount], *, by: tuple[str, ...], use: Use) -> list[Cell]:
    """The strata rolled up by `by`: reported cells first, the lowest score leading, then the others by their place."""
    rolled: dict[tuple[str, ...], list[StratumCount]] = {}
    place = place_in(by)
    for count in counts:
        rolled.setdefault(place(count), []).append(count)
    found = (cell(dict(zip(by, key, strict=True)), strata, use=use) for key, strata in rolled.items())
    return sorted(found, key=worst_first)


def cell(dimensions: Mapping[str, str], strata: Sequence[StratumCount], *, use: Use) -> Cell:
    """One cell of `strata`; a thin one holds its count and nothing else."""
    again = again_in(strata)
    spellings = sum([part.n for part in again])
    n = sum([count.n for count in strata]) - spellings
    figure = cell_score(hits_once(strata), n, use=use)
    second = hits_once(strata, "beside_hits")
    return Cell(
        dimensions=dimensions,
        n=n,
        ready=sum([count.ready for count in strata]),
        coming=coming_once(strata),
        no_answer=sum([count.no_answer for count in strata]),
        planned=sum([count.planned for count in strata]),
        score=figure.score,
        ci=figure.ci,
        ci_kind=CI_KIND,
        status=figure.status,
        beside=None if second is None else cell_score(second, n, use=use),
        footing=together([count.footing for count in strata]).without([part.footing for part in again]),
        spellings=spellings,
        unmet=sum([count.planned - count.n for count in strata if count.planned > count.n]),
    )


def worst_of(counts: Iterable[StratumCount], *, use: Use) -> Cell | None:
    """The lowest reported cell at full crossing, where every stratum is a cell; None where none is reported."""
    enough = [count for count in counts if count.n >= COUNT_TARGETS[use]]
    scored = ((cell_score(count.hits, count.n, use=use).score, count) for count in enough)
    worst = min(
        ((score, -count.n, count.key(DIMENSIONS), count) for score, count in scored if score is not None), default=None
    )
    return cell(worst[3].dimensions, [worst[3]], use=use) if worst else None


def worst_first(cell: Cell) -> tuple[bool, float, int, tuple[str, ...]]:
    """The order of cells: a score before none, the lower before the higher, more evidence before less."""
    return cell.score is None, cell.score or 0.0, -cell.n, tuple(cell.dimensions.values())
