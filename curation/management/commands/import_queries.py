"""`manage.py import_queries SLUG PATH`: queries with their needs, and golds where the file names them."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from curation.actions.queries import import_queries
from curation.actions.receipts import Intake, Receipt
from curation.commandline import ImportCommand, corpus_named


class Command(ImportCommand):
    """Import queries."""

    help = "Import queries: query_id, text, locale, and where known need, script, type, slice and gold."

    def bring(self, intake: Intake, options: dict[str, Any], now: datetime) -> Receipt:
        """Import them."""
        return import_queries(corpus=corpus_named(options["slug"]), intake=intake, now=now)
