"""`manage.py mismatches SLUG`: the documents that judges flagged, and why."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any

from curation.commandline import corpus_named
from curation.reporting import ReportCommand
from judging.models import Mismatch
from judging.reports.mismatches import as_json, standing


class Command(ReportCommand):
    """List the flagged documents of a corpus."""

    help = "The documents that judges flagged and nobody dealt with, the newest first; as JSON, those dealt with too."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Which corpus."""
        parser.add_argument("slug", help="the short name of the corpus, as in its address")
        parser.add_argument("--json", action="store_true", help="print JSON")

    def tell(self, options: Mapping[str, Any]) -> str:
        """Those that wait, and how many were dealt with."""
        flags = standing(corpus_named(options["slug"]))
        if options["json"]:
            return json.dumps([as_json(flag) for flag in flags], ensure_ascii=False, indent=1)
        waiting = [flag for flag in flags if flag.dealt_with_at is None]
        count = f"{len(waiting)} open, {len(flags) - len(waiting)} dealt with."
        return "\n".join([*map(in_words, waiting), count])


def in_words(flag: Mismatch) -> str:
    """One line for a reader: "d3 for query q1: Other document (translation d3-tr), by marek: its limit is another"."""
    rendering = f" (translation {flag.document.external_id})" if flag.document else ""
    what = f"{flag.candidate.document.external_id} for query {flag.assignment.pool.query.external_id}"
    note = f": {flag.note}" if flag.note else ""
    return f"{what}: {flag.get_reason_display()}{rendering}, by {flag.assessor.username}{note}"
