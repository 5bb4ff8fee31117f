"""`manage.py import_log SLUG PATH`: what people typed, how often and when."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from curation.actions.logs import import_log
from curation.actions.receipts import Intake, Receipt
from curation.commandline import ImportCommand, corpus_named


class Command(ImportCommand):
    """Import a query log."""

    help = "Import a query log: query or text, and where known locale, date and count; other columns are kept."

    def bring(self, intake: Intake, options: dict[str, Any], now: datetime) -> Receipt:
        """Import it."""
        return import_log(corpus=corpus_named(options["slug"]), intake=intake)
