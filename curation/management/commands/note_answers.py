"""`manage.py note_answers REPORT MEASURE VALUE`: answer quality, noted beside a gate report and merged with nothing."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError
from django.utils import timezone

from curation.actions.answer_scores import Noted, note_answers
from curation.actions.refusal import Refused
from curation.commandline import REFUSED, PlainCommand
from curation.models import GateReport


class Command(PlainCommand):
    """Note a score of generated answers."""

    help = "Note a score of generated answers beside a gate report. The gate never reads it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Which report, which measure."""
        parser.add_argument("report", type=int, help="the number of the report, as in its address and in --json")
        parser.add_argument("measure", help="such as faithfulness")
        parser.add_argument("value", type=float)
        parser.add_argument("--note", default="", help="how it was measured")

    def handle(self, *_args: object, **options: Any) -> None:
        """Note it, and say so."""
        report = GateReport.objects.filter(pk=options["report"]).select_related("set_version").first()
        if report is None:
            raise CommandError(f"There is no gate report {options['report']}.", returncode=REFUSED)
        noted = Noted(options["measure"], options["value"], options["note"])
        try:
            score = note_answers(report=report, noted=noted, by=None, now=timezone.now())
        except Refused as refusal:
            raise CommandError(str(refusal), returncode=REFUSED) from refusal
        self.stdout.write(f"Noted beside the report of {report}: {score}. No floor reads it.")
