"""A gate report for CI: JUnit XML, a Markdown summary, and plain text for a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from curation.formats.junit import Case, State, junit
from curation.measures.floors import FloorReading

from . import gate_words as words
from .gate_floors import level_in_words
from .gate_notes import LARGE_SHARE
from .gate_report import Report, SliceRow, dimensions_of
from .waivers import subject_of_cell, subject_of_slice

STATES: dict[str, State] = {"pass": "passed", "warn": "skipped", "reject": "failed"}
COLUMNS = ("slice", "n", "baseline", "candidate", "change", "SE", "absolute floor", "relative floor", "verdict")
LISTED = 20


def as_junit(told: Report) -> str:
    """One case a slice, a cell that has a score or is missed, and a warning; what is waived is skipped, not failed."""
    waived = {each["subject"] for each in told.report.waived}
    shown = [cell for cell in told.cells if cell.verdict != "thin"]
    cells = [(subject_of_cell(dimensions_of(cell)), cell.verdict, (words.cell_in_words(cell),)) for cell in shown]
    slices = [(subject_of_slice(each.row.slice), each.row.verdict, _slice_said(each)) for each in told.slices]
    cases = [_case(name, verdict, waived=waived, said=said) for name, verdict, said in [*slices, *cells]]
    cases += [Case("note", "skipped", note["text"]) for note in told.report.notes if note["warns"]]
    suite = f"gate {told.report.set_version} {told.report.run_name}"
    return junit(suite, cases, at=told.report.measured_at.isoformat())


def as_markdown(told: Report) -> str:
    """A summary for the page of a merge request."""
    head = f"| {' | '.join(COLUMNS)} |"
    rule = f"|{'|'.join(' --- ' if name in {'slice', 'verdict'} else ' ---: ' for name in COLUMNS)}|"
    rows = [f"| {' | '.join(row)} |" for row in table(told)]
    lines = [
        f"## {words.title(told)}",
        "",
        subject(told),
        "",
        *filter(None, [words.detail(told)]),
        "",
        head,
        rule,
        *rows,
        "",
    ]
    return "\n".join([*lines, *(f"- {line}" for line in beneath(told))]) + "\n"


def as_text(told: Report) -> str:
    """The report for a terminal: the verdict, every slice worst first with its arithmetic, cells, the rest."""
    rows = [list(COLUMNS), *table(told)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(COLUMNS))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    per_slice = [f"{each.row.slice}: {_once(words.arithmetic(each), f'{words.reason(each)}.')}" for each in told.slices]
    return "\n".join([words.title(told), subject(told), "", *lines, "", *per_slice, "", *beneath(told)])


def subject(told: Report) -> str:
    """What was measured against what."""
    report = told.report
    version = report.set_version
    generation = f", generation {version.generation.number}" if version.generation else ""
    build = f", commit {report.commit}" if report.commit else ""
    against = words.baseline_in_words(report.baseline)
    run = f"{report.run_name}{words.run_dated_in_words(report)}"
    return f"Run {run} against {against}. Set {version}{generation}, recall@{report.k}{build}."


def table(told: Report) -> list[list[str]]:
    """The slices, worst first, and all of them pooled, which is not gated."""
    pooled = told.report.pooled
    last = ["all slices pooled", f"{pooled['n']:,}", *_scores(pooled["baseline"], pooled["recall"])]
    last += [signed(pooled["difference"]["value"]), three(pooled["se"]), "", "", "not gated"]
    return [*(_row(each) for each in told.slices), last]


def beneath(told: Report) -> Iterator[str]:
    """Everything below the table, a sentence a line: when a slice decides, the lowest cell, the notes last."""
    yield words.rule()
    yield from _cells(told)
    yield f"All slices pooled are not gated. {words.pooled_in_words(told.report.pooled)}"
    for each in told.slices:
        if each.row.positives:
            yield f"{each.row.slice}: {words.exact_only_in_words(each)}. {dial(each)}"
    if told.share_of_corpus <= LARGE_SHARE:  # a note tells of a larger one
        yield f"k = {told.report.k} is {share_in_words(told.share_of_corpus)} of the corpus."
    yield from (words.waived_in_words(each) for each in told.report.waived)
    yield from (note["text"] for note in told.report.notes)
    yield from _since(told)
    if told.report.missing:
        yield f"Missing from the run: {listed(told.report.missing)}."
    if told.report.unjudged:
        yield f"With unjudged documents: {listed(list(told.report.unjudged))}. {words.unjudged_in_words(told)}"


def dial(told: SliceRow) -> str:
    """What depth costs: recall at each k, the baseline's in brackets."""
    points = [f"@{k} {three(recall)} ({three(own)})" for k, recall, own in told.row.dial]
    return f"Recall {', '.join(points)}." if points else ""


def three(value: float | None) -> str:
    """A figure with three decimals; a dash where there is none."""
    return "–" if value is None else f"{value:.3f}"


def share_in_words(share: float) -> str:
    """A share of the corpus in per cent: 0.5%, 12.5%."""
    return f"{share:.1%}"


def signed(value: float | None) -> str:
    """A change with its sign, and a true minus."""
    return "–" if value is None else f"{value:+.3f}".replace("-", "−")


def listed(names: Sequence[str]) -> str:
    """The first of many ids, and how many more there are."""
    return ", ".join(names[:LISTED]) + beyond(names)


def beyond(names: Sequence[str]) -> str:
    """How many ids there are behind the listed ones, in words that follow them."""
    return f" and {len(names) - LISTED:,} more" if len(names) > LISTED else ""


def _since(told: Report) -> Iterator[str]:
    before = told.since
    if before is None:
        return
    yield f"The report before: run {before.earlier.run_name} on {before.earlier.set_version}."
    for each in before.slices:
        levels = "" if before.why_not else f"; recall {three(each.recall_then)}, now {three(each.recall_now)}"
        then, now = signed(each.relative_then), signed(each.relative_now)
        yield f"{each.slice}: {then} to its relative floor, now {now}{levels}."
    yield from filter(None, (before.why_not, before.other_floors))


def _cells(told: Report) -> Iterator[str]:
    if told.lowest is None:
        yield "No cell holds the 100 queries that a gate reads."
    else:
        yield f"Lowest cell: {words.cell_in_words(told.lowest)} Floor {level_in_words(told.floors.cell)}."
    yield from (f"Below its floor: {words.cell_in_words(cell)}" for cell in told.failed_cells)
    yield from (f"Not evidence: {words.cell_in_words(cell)}" for cell in told.no_evidence)
    if told.report.headline is not None:
        alarm = f"an alarm below {level_in_words(told.floors.headline)}, never a pass"
        yield f"{words.headline_in_words(told.report)}: {alarm}."


def _row(told: SliceRow) -> list[str]:
    outcome = told.outcome
    floors = [_floor(reading) for reading in (outcome.absolute, outcome.relative)]
    scores = [*_scores(outcome.baseline, outcome.recall), signed(told.change), three(outcome.se)]
    return [outcome.name, f"{outcome.n:,}", *scores, *floors, outcome.verdict]


def _scores(*values: float | None) -> Iterable[str]:
    return map(three, values)


def _floor(reading: FloorReading | None) -> str:
    if reading is None:
        return "–"
    return f"{'held' if reading.held else 'under'} {reading.level:.3f}{'' if reading.decided else ' ?'}"


def _slice_said(told: SliceRow) -> tuple[str, str]:
    return words.reason(told), words.arithmetic(told)


def _case(name: str, verdict: str, *, waived: set[str], said: tuple[str, ...]) -> Case:
    stands = verdict == "reject" and name in waived
    message = f"Waived: {said[0]}" if stands else said[0]
    return Case(name, "skipped" if stands else STATES[verdict], message, said[-1])


def _once(*sentences: str) -> str:
    """An empty slice has one sentence for its arithmetic and its reason."""
    return " ".join(dict.fromkeys(sentences))
