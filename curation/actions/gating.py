"""Gates: a run is measured against a frozen set, judged, and the report is stored; a waived rejection stays one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from django.db import transaction

from curation.actions.refusal import Refused
from curation.formats.tables import Reading
from curation.measures.hit import DEPTH
from curation.models import Corpus, GateCell, GateReport, GateSlice, RankedRun, SetVersion, User, Waiver
from curation.models.measurements import DEEPEST
from curation.reports.gate_baseline import Baseline, exact_baseline, file_baseline, run_baseline
from curation.reports.gate_floors import floors_of
from curation.reports.gate_notes import Note, newest_generation, notes_of
from curation.reports.gate_outcome import Outcome
from curation.reports.gate_reading import GateReading, SliceReading, read_gate
from curation.reports.measured import measured, standing_documents
from curation.reports.picture import one_picture
from curation.reports.run_answers import Answers, answers_of_file, answers_of_run, too_shallow
from curation.reports.schedule import today_in
from curation.reports.set_content import Content, content_intact
from curation.reports.unjudged import first_of_each
from curation.reports.waivers import (
    standing_waivers,
    subject_of_cell,
    subject_of_slice,
    waiver_of_cell,
    waiver_of_slice,
)

K = 200
MOST_COMMIT = 200
CELLS = f"the hit@{DEPTH} of cells"
BATCH = 500
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Asked:
    """What is gated: a stored run or the file of one, at a depth, against exact search measured now (None) or before.

    `commit` names the build, `manifest` is that of the candidate index; both are kept with the report. `dated` is when
    the answers of a file were made, None where nobody says.
    """

    run: RankedRun | Path
    k: int = K
    baseline: RankedRun | Path | None = None
    commit: str = ""
    manifest: Mapping[str, Any] = field(default_factory=dict)
    reading: Reading = field(default_factory=Reading)
    dated: datetime | None = None


@dataclass(frozen=True, slots=True)
class Judged:
    """A report with its verdict, of which nothing is stored yet."""

    report: GateReport
    reading: GateReading


def gate(*, version: SetVersion, asked: Asked, by: User | None, now: datetime) -> GateReport:
    """Measure a run against `version` and store the verdict.

    Raises:
        As `judge`.
    """
    judged = judge(version=version, asked=asked, by=by, now=now)
    with transaction.atomic():
        return store(judged)


def judge(
    *, version: SetVersion, asked: Asked, by: User | None, now: datetime, progress: Progress | None = None
) -> Judged:
    """Measure a run against `version`; write nothing. `progress(done, total)` counts queries and may raise to stop.

    All is read at one moment: what is imported or settled meanwhile is wholly in the report or wholly left out.

    Raises:
        Refused: k is no depth, or the build is named at too great length.
        SetBelied: the rows of the set do not give its hash any more.
        AnswersRefused, FileRefused, VectorsRefused: the run or its baseline cannot be had.
        MeasureRefused: the floors of the corpus are no shares.
    """
    require(asked)
    with one_picture():
        for row in (version.corpus, asked.run, asked.baseline):
            if isinstance(row, Corpus | RankedRun):
                row.refresh_from_db()
        outcome = measure_gate(version, asked, progress)
        standing = standing_waivers(version.corpus, today_in(version.corpus, now))
        waived = waivers_used(outcome.reading, standing)
        notes, generation = notes_of(version, outcome, manifest=asked.manifest, now=now), newest_generation(version)
    report = GateReport(
        set_version=version,
        verdict=verdict_of(outcome.reading, waived, notes),
        notes=[asdict(note) for note in notes],
        waived=[waiver_in_words(subject, waiver) for subject, waiver in waived.items()],
        generation=generation,
        measured_by=by,
        measured_at=now,
        commit=asked.commit,
        manifest=dict(asked.manifest),
        **_figures(outcome),
    )
    return Judged(report, outcome.reading)


def store(judged: Judged) -> GateReport:
    """Write a report with its rows, inside a transaction of the caller's."""
    judged.report.save(force_insert=True)
    _store_rows(judged.report, judged.reading)
    return judged.report


def require(asked: Asked) -> None:
    """Refuse what no report holds.

    Raises:
        Refused: k is no depth, or the build is named at too great length.
    """
    if not 1 <= asked.k <= DEEPEST:
        raise Refused(f"k counts documents, from 1 to {DEEPEST:,}.")
    if len(asked.commit) > MOST_COMMIT:
        raise Refused(f"A build is named in at most {MOST_COMMIT} characters; this has {len(asked.commit):,}.")


def offered_k(depth: int, *, documents: int) -> int:
    """The k that a run of `depth` documents a query is gated at unless another is asked: K, or as deep as it goes."""
    return K if depth >= min(K, documents) else depth


def why_not_at(name: str, depth: int, *, k: int, documents: int) -> str:
    """Why a run of `depth` documents a query cannot be gated at `k`; "" where it can."""
    asked = ((DEPTH, CELLS), (k, f"recall@{k}"))
    found = (too_shallow(name, depth, k=min(least, documents), measure=measure) for least, measure in asked)
    return next(filter(None, found), "")


def verdict_of(reading: GateReading, waived: Mapping[str, Waiver], notes: Sequence[Note]) -> str:
    """The verdict that is stored: waived where every rejection is, and a warning where a note turns a pass into one."""
    if reading.verdict == "reject":
        return GateReport.Verdict.WAIVED if set(rejected(reading)) <= waived.keys() else GateReport.Verdict.REJECT
    warns = reading.verdict == "warn" or any(note.warns for note in notes)
    return GateReport.Verdict.WARN if warns else GateReport.Verdict.PASS


def measure_gate(version: SetVersion, asked: Asked, progress: Progress | None = None) -> Outcome:
    """Everything that is measured, with nothing written."""
    content, floors = content_intact(version), floors_of(version.corpus)
    answers = (
        answers_of_file(asked.run, content, reading=asked.reading, dated=asked.dated)
        if isinstance(asked.run, Path)
        else answers_of_run(asked.run, content)
    )
    answers.require_depth(DEPTH, documents=standing_documents(version.corpus), measure=CELLS)
    held: list[Baseline] = []

    def own(k: int) -> Answers:
        held.append(baseline_of(version.corpus, content, asked, k=k, progress=progress))
        return held[0].answers

    found = measured(version.corpus, content, candidate=answers, baseline=own, k=asked.k)
    seed = int(version.sha256[:8], 16)
    return Outcome(answers, held[0], found, read_gate(found, floors, seed=seed), floors)


def baseline_of(
    corpus: Corpus, content: Content, asked: Asked, *, k: int, progress: Progress | None = None
) -> Baseline:
    """What the run is held against: a stored run, the file of one, or exact search for `k` documents now.

    Raises:
        AnswersRefused, FileRefused, VectorsRefused: it cannot be had.
    """
    if isinstance(asked.baseline, RankedRun):
        return run_baseline(corpus, content, run=asked.baseline)
    if asked.baseline is not None:
        return file_baseline(corpus, content, path=asked.baseline, reading=asked.reading)
    return exact_baseline(corpus, content, k=k, progress=progress)


def rejected(reading: GateReading) -> list[str]:
    """What was rejected, in the words that a waiver names it by."""
    slices = [each.outcome.name for each in reading.slices if each.outcome.verdict == "reject"]
    cells = [cell.dimensions for _, cell in reading.cells if cell.verdict == "reject"]
    return [*map(subject_of_slice, slices), *map(subject_of_cell, cells)]


def waivers_used(reading: GateReading, standing: list[Waiver]) -> dict[str, Waiver]:
    """Each rejected subject with the waiver that covers it."""
    slices = {
        subject_of_slice(each.outcome.name): waiver_of_slice(standing, each.outcome.name)
        for each in reading.slices
        if each.outcome.verdict == "reject"
    }
    cells = {
        subject_of_cell(cell.dimensions): waiver_of_cell(standing, cell.dimensions)
        for _, cell in reading.cells
        if cell.verdict == "reject"
    }
    return {subject: waiver for subject, waiver in {**slices, **cells}.items() if waiver is not None}


def waiver_in_words(subject: str, waiver: Waiver) -> dict[str, Any]:
    """A waiver as a report keeps it, whatever becomes of it later."""
    return {
        "subject": subject,
        "waiver": waiver.subject,
        "reason": waiver.reason,
        "until": waiver.until.isoformat(),
        "granted_by": str(waiver.granted_by),
    }


def _figures(outcome: Outcome) -> dict[str, Any]:
    told, pooled = outcome.measured, outcome.reading.pooled
    headline = outcome.reading.headline
    return {
        "run": outcome.answers.run,
        "run_name": outcome.answers.name,
        "run_sha256": outcome.answers.sha256,
        "run_dated": outcome.answers.dated,
        "baseline": dict(outcome.baseline.provenance),
        "k": told.k,
        "documents": told.documents,
        "floors": outcome.floors.as_json(),
        "headline": headline.value if headline else None,
        "covered": headline.covered if headline else None,
        "pooled": {
            "n": pooled.outcome.n,
            "recall": pooled.outcome.recall,
            "se": pooled.outcome.se,
            "baseline": pooled.outcome.baseline,
            "difference": asdict(pooled.difference),
            "would_pass": pooled.outcome.verdict == "pass",
        },
        "missing": told.missing,
        "unjudged": first_of_each(told.unjudged),
        "unjudged_documents": told.unjudged_documents,
    }


def _store_rows(report: GateReport, reading: GateReading) -> None:
    GateSlice.objects.bulk_create(_slice_row(report, each) for each in reading.slices)
    GateCell.objects.bulk_create(
        (
            GateCell(
                report=report,
                crossing=crossing,
                **cell.dimensions,
                n=cell.n,
                planned=cell.planned,
                score=cell.score,
                low=cell.ci[0] if cell.ci else None,
                high=cell.ci[1] if cell.ci else None,
                verdict=cell.verdict,
            )
            for crossing, cell in reading.cells
        ),
        batch_size=BATCH,
    )


def _slice_row(report: GateReport, reading: SliceReading) -> GateSlice:
    outcome = reading.outcome
    return GateSlice(
        report=report,
        slice=outcome.name,
        n=outcome.n,
        recall=outcome.recall,
        se=outcome.se,
        baseline=outcome.baseline,
        relative_distance=outcome.relative.distance if outcome.relative else None,
        relative_se=outcome.relative.se if outcome.relative else None,
        verdict=outcome.verdict,
        asks=outcome.asks,
        difference=asdict(reading.difference),
        dial=[list(row) for row in reading.dial],
        lost=reading.lost,
        positives=reading.positives,
        origins_known=reading.origins_known,
        exact_only=reading.exact_only,
    )
