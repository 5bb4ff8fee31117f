"""Findings are kept beside their candidates, so that a page opens without reading all its texts again."""

from __future__ import annotations

from collections.abc import Mapping

from judging.models import Candidate
from judging.reports.findings import Kept


def keep_findings(*, fresh: Mapping[int, Kept]) -> None:
    """Keep what was found by candidate, in one transaction; found twice it is the same, so the last one may stay."""
    if fresh:
        candidates = [Candidate(pk=pk, highlights=kept) for pk, kept in fresh.items()]
        Candidate.objects.bulk_update(candidates, ["highlights"])
