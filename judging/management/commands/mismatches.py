"""`manage.py mismatches SLUG`: the documents that judges flagged, and why."""

from __future__ import annotations

import json
from argparse import ArgumentParser

from django.core.management.base import CommandError

from curation.actions.refusal import Refused
from curation.commandline import REFUSED, PlainCommand, corpus_named
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
        lines = [f"{flag.candidate.document.external_id}  {flag.get_reason_display()}  {flag.note}" for flag in waiting]
        self.stdout.write("\n".join([*lines, f"{len(waiting)} open, {len(flags) - len(waiting)} dealt with."]))
