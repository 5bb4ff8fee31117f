"""A gate report in sentences, with its arithmetic: the same words on the page, the command line and in CI."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from datetime import date
from typing import Any

from curation.measures.floors import CLEAR, ENOUGH, FEWEST, SHARP, FloorReading
from curation.measures.gate import SliceOutcome
from curation.models import GateCell, GateReport

from .gate_floors import level_in_words, lowered
from .gate_report import Report, SliceRow
from .moments import day_in_words
from .run_words import counted, queries
from .sentences import ended

TODAY = {"pass": "would pass", "warn": "would warn", "reject": "would be rejected"}
EMPTY = "No query of the set is in this slice, so nothing stands for it"


def title(told: Report) -> str:
    """The verdict and what it hangs on, in one line."""
    verdict = told.report.verdict
    if verdict == GateReport.Verdict.PASS:
        return "Passed: every slice held both floors, and every cell its own"
    if verdict == GateReport.Verdict.WARN:
        return f"Warning: {_why_warned(told)}"
    opening = "Rejected, but waived" if verdict == GateReport.Verdict.WAIVED else "Rejected"
    return f"{opening}: {_why_rejected(told)}"


def detail(told: Report) -> str:
    """The arithmetic behind the title, which floors were lowered, and whether an earlier rule gave the verdict."""
    return " ".join(filter(None, (_behind(told), _under_lowered(told), by_an_earlier_rule(told))))


def by_an_earlier_rule(told: Report) -> str:
    """Which slices the rule of today would judge otherwise; "" where there is none."""
    moved = [each.outcome for each in told.slices if each.outcome.verdict_today != each.outcome.verdict]
    if not moved:
        return ""
    each = ", ".join(f"{one.name} {TODAY[one.verdict_today]}" for one in moved)
    day = day_in_words(told.report.measured_at, told.report.set_version.corpus)
    return f"The verdict is that of {day}, by the rule of that day. By the rule of today: {each}. Gate it again."


def _under_lowered(told: Report) -> str:
    low = lowered(told.report.floors)
    return f"This verdict is under lowered floors ({low})." if low else ""


def _behind(told: Report) -> str:
    worst = told.slices[0]
    if worst.outcome.verdict == "reject":
        return f"{worst.outcome.name}: {arithmetic(worst)} One slice is enough to reject."
    if told.failed_cells:
        return f"{cell_in_words(told.failed_cells[0])} One cell is enough to reject."
    if worst.outcome.verdict == "warn" and worst.outcome.n:
        return f"{worst.outcome.name}: {arithmetic(worst)}"
    return ""


def arithmetic(told: SliceRow) -> str:
    """How a slice stands to the floors that matter: those that failed, else those it fell under, else both."""
    outcome = told.outcome
    if not outcome.readings:
        return f"{reason(told)}."
    failed = [reading for reading in outcome.readings if reading.failed]
    under = [reading for reading in outcome.readings if not reading.held]
    parts = [_against(outcome, reading) for reading in failed or under or outcome.readings]
    return f"{'; '.join(parts)}. {queries(outcome.n).capitalize()}, {_spread(failed or under or outcome.readings)}."


def reason(told: SliceRow) -> str:
    """Why a slice got its verdict."""
    outcome = told.outcome
    if outcome.verdict_today != outcome.verdict:
        return f"By the rule of that day; by the rule of today it {TODAY[outcome.verdict_today]}"
    if not outcome.readings:
        return f"One query has no spread, so it says nothing: it takes {ENOUGH}" if outcome.n else EMPTY
    failed = [reading for reading in outcome.readings if reading.failed]
    if failed:
        return "; ".join(
            f"{-reading.distance:.3f} under its {reading.kind} floor, {_decides(reading)}" for reading in failed
        )
    if outcome.asks is None:
        return "Both floors held"
    under = [str(reading.kind) for reading in outcome.readings if not reading.held]
    opening = f"Under the {' and the '.join(under)} floor, but" if under else "Both floors held, but"
    lost = f"; look at the {queries(len(told.row.lost))} that lost documents" if told.row.lost else ""
    even = any(not reading.decided and reading.se == 0 for reading in outcome.readings)
    zero = f"; a spread of zero in fewer than {ENOUGH} tells nothing" if even else ""
    return f"{opening} {queries(outcome.n)} cannot decide: it takes {outcome.asks:,}{zero}{lost}"


def rule() -> str:
    """When a slice decides, what its figures are where it does not, and the mark of a floor that is not decided."""
    return (
        f"A floor is decided from {ENOUGH} queries with a standard error up to {SHARP:g}, or from {FEWEST} that lie "
        f"more than {CLEAR:g} standard errors off it; a spread of zero in fewer than {ENOUGH} tells nothing. What is "
        "not decided is arithmetic for a person to look at, and warns. SE is that of the mean, by "
        "which the absolute floor is decided; the relative one has its own, which stands with the arithmetic. "
        "Beside a floor, ? says that it is not decided."
    )


def headline_in_words(report: GateReport) -> str:
    """The weighted mean, and the share of the traffic that it speaks of."""
    return f"Traffic-weighted hit@10 {report.headline:.3f} over {report.covered:.0%} of the traffic"


def cell_name(cell: GateCell) -> str:
    """A cell by its place: "locale tr", "tr × en, Latn, question, keyword"."""
    if cell.crossing == GateCell.Crossing.LOCALE:
        return f"locale {cell.query_language}"
    rest = [part for part in (cell.script, cell.query_type, cell.slice) if part]
    return ", ".join([f"{cell.query_language} × {cell.corpus_language}", *rest])


def cell_in_words(cell: GateCell) -> str:
    """A cell with its score and count; a thin one with what it lacks."""
    if cell.score is None or cell.low is None or cell.high is None:
        wanted = f" of {cell.planned:,} planned" if cell.planned else ""
        return f"{cell_name(cell)}: {cell.n:,}{wanted}, and a gate reads {ENOUGH} or more."
    return f"{cell_name(cell)}: hit@10 {cell.score:.2f} ({cell.low:.2f}–{cell.high:.2f}), n = {cell.n:,}."


def run_dated_in_words(report: GateReport) -> str:
    """When what was gated was stored or made, in words behind its name; "" where an earlier report kept no date."""
    if report.run_dated is None:
        return "" if report.run_id else " (a file without a date)"
    came = "stored" if report.run_id else "made"
    return f" ({came} on {day_in_words(report.run_dated, report.set_version.corpus)})"


def baseline_in_words(provenance: dict[str, Any]) -> str:
    """What the run was held against."""
    named = f"{provenance['encoder']} {provenance['revision']}".strip()
    return f"exact float32 at {provenance['dims']:,} dimensions ({named})"


def waived_in_words(waived: dict[str, Any]) -> str:
    """A waiver as it stood when the gate ran."""
    return ended(f"{waived['subject']} is {waived_until(waived)} by {waived['granted_by']}: {waived['reason']}")


def waived_until(waived: dict[str, Any]) -> str:
    """Until which day it stood: "waived until 30 September 2026"."""
    return f"waived until {date.fromisoformat(waived['until']):%-d %B %Y}"


def pooled_in_words(pooled: dict[str, Any]) -> str:
    """The average that gates nothing."""
    return (
        "Alone, this number would have passed." if pooled["would_pass"] else "Alone, this number would not have passed."
    )


def unjudged_in_words(told: Report) -> str:
    """Where to read which documents nobody judged."""
    listed = sum(map(len, told.report.unjudged.values()))
    if listed == told.unjudged_documents:
        return "The JSON report lists the documents."
    report = told.report
    asked = f"{report.set_version} --run {shlex.quote(report.run_name)} --k {report.k}"
    return (
        f"The JSON report lists the first {told.unjudged_depth:,} of each query, {listed:,} of "
        f"{counted(told.unjudged_documents, 'document')}; manage.py measure {asked} --unjudged FILE writes all."
    )


def exact_only_in_words(told: SliceRow) -> str:
    """How much of what a slice counts as relevant only exact search ever offered to a judge; of few, without a rate."""
    row = told.row
    if told.exact_share is None:
        return f"Origin unknown for all {counted(row.positives, 'relevant answer')}"
    unknown = row.positives - row.origins_known
    rest = f", {unknown:,} of unknown origin" if unknown else ""
    known = counted(row.origins_known, "relevant answer")
    share = f"{row.exact_only:,}" if row.origins_known < ENOUGH else f"{told.exact_share:.0%}"
    return f"{share} of {known} known from exact search alone{rest}"


def _against(outcome: SliceOutcome, reading: FloorReading) -> str:
    product = ""
    if reading.kind == "relative" and outcome.baseline:
        product = f", which is {level_in_words(reading.level / outcome.baseline)} × {outcome.baseline:.3f}"
    return f"{outcome.recall:.3f} against a floor of {reading.level:.3f}{product}"


def _spread(readings: Sequence[FloorReading]) -> str:
    """The standard error of each floor: that of the mean for the absolute one, that of the pairs for the relative."""
    told = {str(reading.kind): f"{reading.se:.3f}" for reading in readings}
    if len(told) > 1 and len(set(told.values())) == 1:
        return f"standard error {readings[0].se:.3f} to either floor"
    return f"standard error {' and '.join(f'{se} to the {kind} floor' for kind, se in told.items())}"


def _decides(reading: FloorReading) -> str:
    if reading.se is not None and reading.n >= ENOUGH and reading.se <= SHARP:
        return f"{queries(reading.n)}, a standard error of {reading.se:.3f} is small enough to decide"
    return f"{queries(reading.n)}, more than two standard errors of {reading.se:.3f} off"


def _why_rejected(told: Report) -> str:
    found = []
    for each in told.slices:
        kinds = [reading.kind for reading in each.outcome.readings if reading.failed]
        if kinds:
            found.append(f"{each.outcome.name} fell below its {' and its '.join(kinds)} floor")
    if told.failed_cells:
        lowest = told.failed_cells[0]
        more = f" and {len(told.failed_cells) - 1:,} more" if len(told.failed_cells) > 1 else ""
        found.append(f"{cell_name(lowest)}{more} below {level_in_words(told.floors.cell)} at hit@10")
    return "; ".join(found)


def _why_warned(told: Report) -> str:
    undecided = [each.outcome.name for each in told.slices if each.outcome.verdict == "warn" and each.outcome.n]
    empty = [each.outcome.name for each in told.slices if not each.outcome.n]
    parts = [f"{', '.join(undecided)} cannot decide"] if undecided else []
    if empty:
        parts.append(f"no query in {', '.join(empty)}")
    if told.no_evidence:
        parts.append(f"no evidence for {', '.join(cell.query_language for cell in told.no_evidence)}")
    warning = [note["text"] for note in told.report.notes if note["warns"]]
    return "; ".join(parts) or (warning[0].rstrip(".") if warning else "look at the report")
