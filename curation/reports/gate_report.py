"""A stored gate report, read back for the page, the command line and its exports: all of them show the same figures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

from django.db.models import Case, QuerySet, Value, When

from curation.measures.floors import FloorReading, Floors
from curation.measures.gate import SliceOutcome, Verdict
from curation.models import Corpus, GateCell, GateReport, GateSlice, RankedRun

from .gate_reading import CROSSINGS
from .gate_since import Since, since
from .unjudged import first_of_each

WORDS = {"pass": "passed", "reject": "rejected", "warn": "warning", "waived": "waived"}
EXIT = {"pass": 0, "reject": 1, "warn": 3, "waived": 3}
"""What `manage.py gate` ends with; 2 is a gate that could not run."""


@dataclass(frozen=True)
class SliceRow:
    """A slice of a report: its stored row and the outcome that its figures tell."""

    row: GateSlice
    outcome: SliceOutcome

    @property
    def change(self) -> float | None:
        """Candidate minus baseline."""
        value: float | None = self.row.difference.get("value")
        return value

    @property
    def exact_share(self) -> float | None:
        """Which share of the relevant answers whose origin is known is known from exact search alone."""
        return self.row.exact_only / self.row.origins_known if self.row.origins_known else None


@dataclass(frozen=True)
class Report:
    """A gate report with its slices, the worst first, and its cells, the lowest first."""

    report: GateReport
    floors: Floors
    slices: Sequence[SliceRow]
    cells: Sequence[GateCell]

    @property
    def exit_code(self) -> int:
        """What the command line ends with."""
        return EXIT[self.report.verdict]

    @cached_property
    def lowest(self) -> GateCell | None:
        """The lowest cell that has a score; None where none has."""
        return next((cell for cell in self.cells if cell.score is not None), None)

    @cached_property
    def since(self) -> Since | None:
        """The report before it, beside this one."""
        return since(self.report)

    @property
    def failed_cells(self) -> list[GateCell]:
        """Cells below their floor, the lowest first."""
        return [cell for cell in self.cells if cell.verdict == "reject"]

    def waiver_of(self, subject: str) -> dict[str, Any] | None:
        """The waiver that stood for a rejected subject, None where none did."""
        return next((each for each in self.report.waived if each["subject"] == subject), None)

    @property
    def no_evidence(self) -> list[GateCell]:
        """Planned locales that the set holds too few queries of."""
        return [cell for cell in self.cells if cell.verdict == "warn"]

    @property
    def locales(self) -> list[GateCell]:
        """The locales that have a score, the lowest first."""
        return [cell for cell in self.cells if cell.crossing == GateCell.Crossing.LOCALE and cell.score is not None]

    @property
    def share_of_corpus(self) -> float:
        """The depth over the documents of the corpus, at most 1."""
        return min(1.0, self.report.k / self.report.documents) if self.report.documents else 1.0

    @property
    def unjudged_documents(self) -> int:
        """How many documents among the first k nobody judged, those that the report does not list included."""
        counted = self.report.unjudged_documents
        return sum(map(len, self.report.unjudged.values())) if counted is None else counted

    @property
    def unjudged_depth(self) -> int:
        """How many documents of a query the report lists at most."""
        return max(map(len, self.report.unjudged.values()), default=0)

    def as_json(self) -> dict[str, Any]:
        """What `manage.py gate --json` prints and the page hands out."""
        return {**_head(self), **_body(self)}


def reports_of(corpus: Corpus) -> QuerySet[GateReport]:
    """The gate reports of a corpus, the newest first, without the lists that only one page shows."""
    found = GateReport.objects.filter(set_version__corpus=corpus)
    found = found.select_related("set_version__corpus", "set_version__generation", "measured_by", "generation", "run")
    return found.defer("unjudged", "missing", "manifest").order_by("-measured_at", "-pk")


def newest_verdict(corpus: Corpus) -> QuerySet[GateReport, Any]:
    """The verdict of the newest report in a word, for a menu; None where nothing was gated."""
    told = Case(*(When(verdict=verdict, then=Value(word)) for verdict, word in WORDS.items()))
    newest = GateReport.objects.filter(set_version__corpus=corpus).order_by("-measured_at", "-pk")
    return newest.annotate(told=told).values("told")


def rejected_last(corpus: Corpus) -> Report | None:
    """The newest report where it is a rejection that nobody waived; one SQL query where it is none."""
    rows = GateReport.objects.filter(set_version__corpus=corpus).select_related("set_version__corpus")
    newest = rows.defer("unjudged", "missing", "manifest").order_by("-measured_at", "-pk").first()
    return report_of(newest) if newest and newest.verdict == GateReport.Verdict.REJECT else None


def run_again(report: GateReport) -> RankedRun | None:
    """The stored run that holds what was gated: its own, or one that was imported with the very same answers."""
    if report.run is not None or not report.run_sha256:
        return report.run
    return report.set_version.corpus.ranked_runs.filter(sha256=report.run_sha256).order_by("-measured_at").first()


def report_of(report: GateReport) -> Report:
    """All of a report; two SQL queries beside its own row."""
    floors = Floors(**report.floors)
    rows = report.slices.order_by("pk")
    return Report(
        report, floors, [SliceRow(row, outcome_of(row, floors)) for row in rows], list(report.cells.order_by("pk"))
    )


def outcome_of(row: GateSlice, floors: Floors) -> SliceOutcome:
    """The outcome that a stored slice tells."""
    absolute = relative = None
    if row.recall is not None and row.baseline is not None and row.relative_distance is not None:
        absolute = FloorReading("absolute", floors.absolute, row.recall - floors.absolute, row.se, row.n)
        level = floors.relative * row.baseline
        relative = FloorReading("relative", level, row.relative_distance, row.relative_se, row.n)
    return SliceOutcome(
        name=row.slice,
        n=row.n,
        recall=row.recall,
        se=row.se,
        baseline=row.baseline,
        absolute=absolute,
        relative=relative,
        verdict=cast("Verdict", row.verdict),
        asks=row.asks,
    )


def dimensions_of(cell: GateCell) -> dict[str, str]:
    """Where a cell stands, dimension by dimension of its crossing."""
    return {name: getattr(cell, name) for name in CROSSINGS[cell.crossing]}


def _head(told: Report) -> dict[str, Any]:
    report = told.report
    version = report.set_version
    return {
        "report": report.pk,
        "verdict": report.verdict,
        "exit_code": told.exit_code,
        "set_version": str(version),
        "set_sha256": version.sha256,
        "set_generation": version.generation.number if version.generation else None,
        "newest_generation": report.generation.number if report.generation else None,
        "corpus": version.corpus.slug,
        "run": report.run_name,
        "run_sha256": report.run_sha256,
        "run_dated": report.run_dated.isoformat() if report.run_dated else None,
        "baseline": report.baseline,
        "measure": f"recall@{report.k}",
        "ci_kind": "sample_se",
        "k": report.k,
        "documents": report.documents,
        "k_share_of_corpus": told.share_of_corpus,
        "floors": report.floors,
        "commit": report.commit,
        "manifest": report.manifest,
        "measured_at": report.measured_at.isoformat(),
        "measured_by": str(report.measured_by) if report.measured_by else None,
    }


def _body(told: Report) -> dict[str, Any]:
    report = told.report
    return {
        "slices": [_slice(row) for row in told.slices],
        "pooled": {**report.pooled, "verdict": "not gated"},
        "cells": {"measure": "hit@10", "ci_kind": "wilson", "rows": [_cell(cell) for cell in told.cells]},
        "headline": {
            "measure": "hit@10, traffic-weighted",
            "value": report.headline,
            "covered": report.covered,
            "verdict": "not gated",
        },
        "notes": report.notes,
        "waived": report.waived,
        "missing": report.missing,
        "unjudged": first_of_each(report.unjudged),
        "unjudged_documents": told.unjudged_documents,
        "unjudged_queries": len(report.unjudged),
        "since": told.since.as_json() if told.since else None,
        "answer_scores": [
            {"measure": score.measure, "value": score.value, "note": score.note}
            for score in report.answer_scores.order_by("pk")
        ],
    }


def _slice(told: SliceRow) -> dict[str, Any]:
    row, outcome = told.row, told.outcome
    return {
        "slice": row.slice,
        "verdict": row.verdict,
        "n": row.n,
        "recall": row.recall,
        "se": row.se,
        "ci": outcome.ci,
        "baseline": row.baseline,
        "difference": row.difference,
        "floors": [_floor(reading) for reading in outcome.readings],
        "queries_to_decide": row.asks,
        "dial": [dict(zip(("k", "recall", "baseline"), point, strict=True)) for point in row.dial],
        "lost": row.lost,
        "positives": row.positives,
        "positives_of_known_origin": row.origins_known,
        "positives_from_exact_only": row.exact_only,
    }


def _floor(reading: FloorReading) -> dict[str, Any]:
    return {
        "kind": reading.kind,
        "level": reading.level,
        "distance": reading.distance,
        "se": reading.se,
        "decided": reading.decided,
        "held": reading.held,
    }


def _cell(cell: GateCell) -> dict[str, Any]:
    return {
        "crossing": cell.crossing,
        **dimensions_of(cell),
        "n": cell.n,
        "planned": cell.planned,
        "score": cell.score,
        "ci": None if cell.low is None else [cell.low, cell.high],
        "verdict": cell.verdict,
    }
