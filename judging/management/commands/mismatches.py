"""`manage.py mismatches SLUG`: the documents that judges flagged, and why."""

from __future__ import annotations

import json
from argparse import ArgumentParser

from django.core.management.base import CommandError

from curation.actions.refusal import Refused
from curation.commandline import REFUSED, PlainCommand, corpus_named
from judging.models import Mismatch
from judging.reports.mismatches import as_json, standing


class Command(PlainCommand):
    """List the flagged documents of a corpus."""

    help = "The documents that judges flagged and nobody dealt with, the newest first; as JSON, those dealt with too."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Which corpus."""
        parser.add_argument("slug", help="the short name of the corpus, as in its address")
        parser.add_argument("--json", action="store_true", help="print JSON")

    def handle(self, *_args: object, slug: str, **options: object) -> None:
        """Ask the report, print its answer."""
        try:
            flags = standing(corpus_named(slug))
        except Refused as refusal:
            raise CommandError(str(refusal), returncode=REFUSED) from refusal
        if options["json"]:
            self.stdout.write(json.dumps([as_json(flag) for flag in flags], ensure_ascii=False, indent=1))
            return
        waiting = [flag for flag in flags if flag.dealt_with_at is None]
        count = f"{len(waiting)} open, {len(flags) - len(waiting)} dealt with."
        self.stdout.write("\n".join([*map(in_words, waiting), count]))


def in_words(flag: Mismatch) -> str:
    """One line for a reader: "d3 for query q1: Other document (translation d3-tr), by marek: its limit is another"."""
    rendering = f" (translation {flag.document.external_id})" if flag.document else ""
    what = f"{flag.candidate.document.external_id} for query {flag.assignment.pool.query.external_id}"
    note = f": {flag.note}" if flag.note else ""
    return f"{what}: {flag.get_reason_display()}{rendering}, by {flag.assessor.username}{note}"
