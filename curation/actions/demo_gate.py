"""The demo's set and report: what counts is frozen before anybody disagrees, and BM25 is held to its floors on it.

BM25 is a real candidate, so the verdict is whatever its answers give.
"""

from __future__ import annotations

from datetime import datetime

from curation.actions.adding import add_index, described
from curation.actions.freezing import Blocked, freeze
from curation.actions.gating import Asked, gate
from curation.actions.index_run import DEPTH, measure_index
from curation.models import Corpus, GateReport, RankedRun, TargetIndex

SET, CANDIDATE = "hard", "bm25"


def freeze_first(*, corpus: Corpus, now: datetime) -> str:
    """Freeze the first version, unless the corpus has one; what stands now, in words."""
    newest = corpus.set_versions.order_by("-frozen_at").first()
    if newest is None:
        try:
            newest = freeze(corpus=corpus, name=SET, frozen_by=None, now=now)
        except Blocked as blocked:
            return str(blocked)
    return f"{newest}, {newest.certificate['queries']:,} queries"


def measure_candidate(*, corpus: Corpus, now: datetime) -> RankedRun:
    """The run of BM25, asked every query, unless it was measured."""
    index = corpus.indexes.filter(name=CANDIDATE).first() or add_index(
        index=described(corpus=corpus, name=CANDIDATE, kind=TargetIndex.Kind.BM25, location=""), now=now
    )
    return index.ranked_runs.first() or measure_index(index=index, now=now)


def gate_first(*, corpus: Corpus, run: RankedRun, now: datetime) -> str:
    """Gate `run` on the newest set, unless anything was gated there; the newest verdict in words."""
    version = corpus.set_versions.select_related("corpus", "generation").order_by("-frozen_at").first()
    if version is None:
        return "nothing is frozen, so nothing is gated"
    report = GateReport.objects.filter(set_version__corpus=corpus).order_by("-pk").first()
    report = report or gate(version=version, asked=Asked(run, k=DEPTH), by=None, now=now)
    return f"{report.run_name} on {report.set_version}: {report.get_verdict_display().lower()}"
