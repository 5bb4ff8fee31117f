"""`manage.py import_plan SLUG PATH`: what each stratum shall hold, from a table."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from curation.actions.plan_files import import_plan
from curation.actions.receipts import Intake, Receipt
from curation.commandline import ImportCommand, corpus_named


class Command(ImportCommand):
    """Import a plan."""

    help = (
        "Import a plan: query_language, script, query_type, planned; where known the other dimensions, use, priority."
    )

    def bring(self, intake: Intake, options: dict[str, Any], _now: datetime) -> Receipt:
        """Import it."""
        return import_plan(corpus=corpus_named(options["slug"]), intake=intake)
