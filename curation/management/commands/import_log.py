"""`manage.py import_log SLUG PATH`: what people typed, how often and when."""

from __future__ import annotations

from argparse import ArgumentParser
from datetime import datetime
from typing import Any

from curation.actions.log_reading import read_lines
from curation.actions.logs import import_log
from curation.actions.receipts import Intake, Receipt
from curation.commandline import ImportCommand, corpus_named


class Command(ImportCommand):
    """Import a query log."""

    help = "Import a query log: query or text, and where known locale, date and count; other columns are kept."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the locale of lines that name none, too."""
        super().add_arguments(parser)
        parser.add_argument("--locale", default="", help="the locale of lines that name none, such as tr")

    def bring(self, intake: Intake, options: dict[str, Any], now: datetime) -> Receipt:
        """Import it, then read the classes of its lines."""
        corpus = corpus_named(options["slug"])
        receipt = import_log(corpus=corpus, intake=intake, locale=options["locale"])
        if receipt.stored and not receipt.dry_run:
            read_lines(corpus=corpus)
        return receipt
