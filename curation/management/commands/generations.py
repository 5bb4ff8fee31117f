"""`manage.py generations SLUG`: what was mined when, and one generation against another."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Iterable, Mapping
from typing import Any

from curation.actions.refusal import Refused
from curation.commandline import corpus_named
from curation.measures.hit import DEPTH, CellScore
from curation.models import Corpus, Generation
from curation.reporting import ReportCommand
from curation.reports.comparison import Comparison, Hardness, SliceChange, compare, told
from curation.reports.generations import GenerationRow, generation_numbered, generation_rows
from curation.reports.partition import Partition, partition_of


class Command(ReportCommand):
    """List the generations of a corpus, or set one against another."""

    help = "The generations of a corpus with the partition of its queries; with --compare, what changed between two."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Which corpus, and which two generations."""
        parser.add_argument("slug", help="the short name of the corpus, as in its address")
        parser.add_argument("--compare", nargs=2, type=int, metavar=("OLDER", "NEWER"), help="two numbers")
        parser.add_argument("--json", action="store_true", help="print JSON")

    def tell(self, options: Mapping[str, Any]) -> str:
        """All of them, or two of them side by side."""
        corpus, two = corpus_named(options["slug"]), options["compare"]
        told, lines = compared(corpus, *two) if two else listed(corpus)
        return json.dumps(told, ensure_ascii=False, indent=1) if options["json"] else "\n".join(lines)


def listed(corpus: Corpus) -> tuple[object, Iterable[str]]:
    """Every generation, the newest first, and the partition."""
    rows, partition = generation_rows(corpus), partition_of(corpus)
    listed = [{**told(row.generation), "days_late": row.days_late, "queries_kept": row.kept} for row in rows]
    lines = [line_of(row) for row in rows] or ["Nothing is mined yet; manage.py mine opens the first generation."]
    return {"generations": listed, "partition": partition.as_json()}, [*lines, slices_in_words(partition)]


def line_of(row: GenerationRow) -> str:
    """One generation on one line."""
    generation = row.generation
    late = f", {row.days_late} days late" if row.days_late else ""
    is_open = "" if generation.closed_at else " so far (open)"
    return (
        f"{generation.number:>4}  due {generation.due_on}  opened {generation.opened_at:%Y-%m-%d}{late}  "
        f"{generation.index.name}  {row.kept:,} queries kept{is_open}"
    )


def slices_in_words(partition: Partition) -> str:
    """The sum of the slices, and whether it is all queries."""
    if partition.holds:
        return f"Partition: {partition.words}, all {partition.queries:,} queries, each in one slice."
    return f"Partition broken: {partition.fault}"


def compared(corpus: Corpus, older: int, newer: int) -> tuple[object, Iterable[str]]:
    """`newer` against `older`.

    Raises:
        Refused: there is no such generation, or they are not in this order.
    """
    if older >= newer:
        raise Refused(f"Generation {newer} does not come after generation {older}; name the older one first.")
    report = compare(*(_numbered(corpus, number) for number in (older, newer)))
    return report.as_json(), [*families_of(report), *slices_of(report), *hardness_of(report), report.as_json()["note"]]


def _numbered(corpus: Corpus, number: int) -> Generation:
    found = generation_numbered(corpus, number)
    if found is None:
        raise Refused(f"{corpus.slug} has no generation {number}; manage.py generations {corpus.slug} lists them.")
    return found


def families_of(report: Comparison) -> Iterable[str]:
    """What each family found anew, again, with other members and no more."""
    heads = (report.older.number, report.newer.number, "new", "carried", "changed", "dropped")
    yield f"{'family':<15}" + "".join(f"{head:>9}" for head in heads)
    for each in report.families:
        counts = (each.older, each.newer, each.new, each.carried, each.changed, each.dropped)
        yield f"{each.miner:<15}" + "".join(f"{'-' if count is None else f'{count:,}':>9}" for count in counts)


def slices_of(report: Comparison) -> Iterable[str]:
    """The exact baseline of each slice."""
    yield f"\nhit@{DEPTH} of exact search on the queries of each generation; under 30 queries the count alone"
    for each in report.slices:
        yield f"{each.slice:<15} {cell(each.older):<34} {cell(each.newer):<34} {moved(each)}".rstrip()


def cell(score: CellScore) -> str:
    """A score with its interval and count, or the count."""
    if score.score is None or score.ci is None:
        return f"n = {score.n:,}, {score.status}"
    return f"{score.score:.3f} ({score.ci[0]:.3f}-{score.ci[1]:.3f}), n = {score.n:,}"


def moved(each: SliceChange) -> str:
    """The shift with its interval, and which way it went."""
    if each.shift is None:
        return ""
    low, high = each.shift.ci
    return f"{each.shift.value:+.3f} ({low:+.3f} to {high:+.3f}) {each.shift.verdict}"


def hardness_of(report: Comparison) -> Iterable[str]:
    """Margins and decay, slice by slice."""
    if not report.hardness:
        return
    yield "\nmargin of the best relevant document above the best, and what is still confused of older ones, of those"
    yield "that the index ranks high without their being settled relevant, judged or not" + "".join(
        f"; generation {number}: {told['found']:,}, {told['judged']:,} of them judged"
        for number, told in report.counted
        if told
    )
    if not report.same_scale:
        yield "The two were mined from different indexes, so their scores, and margins, are on different scales."
    for each in report.hardness:
        yield f"{each.slice:<15} {margin(each.older):<40} {margin(each.newer):<40} {decayed(each)}".rstrip()


def margin(found: Mapping[str, Any] | None) -> str:
    """Median and mean with the number of queries."""
    if found is None:
        return "-"
    if found["n"] < 1:
        return f"n = 0, unranked {found['unranked']:,}"
    figures = f"median {found['median']:.4f}, mean {found['mean']:.4f}"
    return f"{figures}, n = {found['n']:,} (+{found['unranked']:,} unranked)"


def decayed(each: Hardness) -> str:
    """The counts of the decay, and its share where 30 queries were asked again."""
    if each.decay is None:
        return ""
    share = "" if each.decay["share"] is None else f" = {each.decay['share']:.3f}"
    standing = each.decay["negatives"] - each.decay["relevant"]
    return f"still confused {each.decay['still']:,} of {standing:,}{share} ({each.decay['queries']:,} queries)"
