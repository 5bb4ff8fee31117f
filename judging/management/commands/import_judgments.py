"""`manage.py import_judgments SLUG PATH`: opinions, each with its judge, its time and its note."""

from __future__ import annotations

from argparse import ArgumentParser
from datetime import datetime
from typing import Any

from curation.actions.receipts import Intake, Receipt
from curation.commandline import ImportCommand, corpus_named
from curation.formats.grades import grade_mapping
from judging.actions.judgment_files import Judge, import_judgments


class Command(ImportCommand):
    """Import judgments."""

    help = "Import judgments (a table, JSONL, TREC or BEIR): query, document, judge, grade; where known time, note."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the judge and the mapping of grades too."""
        super().add_arguments(parser)
        parser.add_argument("--judge", default="", help="whose judgments they are, where the file does not say")
        parser.add_argument("--map-grade", action="append", default=[], metavar="4=3", help="read grade 4 as 3")

    def bring(self, intake: Intake, options: dict[str, Any], now: datetime) -> Receipt:
        """Import them."""
        judge = Judge(options["judge"], grade_mapping(options["map_grade"]))
        return import_judgments(corpus=corpus_named(options["slug"]), intake=intake, now=now, judge=judge)
