"""What counted queries rest on: how deep they were judged, and which of their texts and answers moved since."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from curation.measures.depth import JudgedDepth, depth_of

NO_DEPTH = JudgedDepth()


@dataclass(frozen=True, slots=True)
class Footing:
    """What the counted queries of a stratum or cell rest on.

    `on_changed_text` of them have a relevant grade that was given to another text than the present one. `answer_gone`
    queries are not among them: all their relevant documents are gone. `grown` tells how many of them were judged before
    each of the moments that were asked about.
    """

    depth: JudgedDepth = NO_DEPTH
    on_changed_text: int = 0
    answer_gone: int = 0
    grown: tuple[int, ...] = ()

    def without(self, parts: Sequence[Footing]) -> Footing:
        """What is left where the counted queries of `parts` are taken out; those whose answer is gone stay."""
        if not parts:
            return self
        out = together(parts)
        depth = JudgedDepth(
            queries=self.depth.queries - out.depth.queries,
            judged=self.depth.judged - out.depth.judged,
            positives=self.depth.positives - out.depth.positives,
            shallow=self.depth.shallow - out.depth.shallow,
        )
        grown = tuple(whole - part for whole, part in zip(self.grown, out.grown, strict=True))
        changed = self.on_changed_text - out.on_changed_text
        return replace(self, depth=depth, on_changed_text=changed, grown=grown)


def together(told: Iterable[Footing]) -> Footing:
    """What several queries, strata or cells rest on."""
    each = list(told)
    depths = [one.depth for one in each]
    return Footing(
        JudgedDepth(
            queries=sum([depth.queries for depth in depths]),
            judged=sum([depth.judged for depth in depths]),
            positives=sum([depth.positives for depth in depths]),
            shallow=sum([depth.shallow for depth in depths]),
        ),
        on_changed_text=sum([one.on_changed_text for one in each]),
        answer_gone=sum([one.answer_gone for one in each]),
        grown=tuple(map(sum, zip(*[one.grown for one in each], strict=True))),
    )


def footing_of_query(told: Mapping[str, int | None]) -> Footing:
    """What is told of one query; each grade from a file is one document judged."""
    positives, articles = told["positives"] or 0, told["articles"] or 0
    if not positives:
        return Footing(answer_gone=int(bool(told["answers"])))
    depth = depth_of(told["deep"] or 0, positives, articles=articles)
    return Footing(depth, on_changed_text=int(bool(told["changed"])))
