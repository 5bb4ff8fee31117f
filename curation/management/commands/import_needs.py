"""`manage.py import_needs SLUG PATH`: what people want to know, with the article that answers it where known."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from curation.actions.need_files import import_needs
from curation.actions.receipts import Intake, Receipt
from curation.commandline import ImportCommand, corpus_named


class Command(ImportCommand):
    """Import needs."""

    help = "Import needs: information_need_id, information_need, and where known context, gold_canonical_id and slice."

    def bring(self, intake: Intake, options: dict[str, Any], now: datetime) -> Receipt:
        """Import them."""
        return import_needs(corpus=corpus_named(options["slug"]), intake=intake)
