"""`manage.py import_run SLUG PATH --name NAME`: a TREC run becomes a ranked run of the corpus."""

from __future__ import annotations

from argparse import ArgumentParser
from datetime import datetime
from typing import Any

from curation.actions.receipts import Intake, Receipt
from curation.actions.run_files import import_run
from curation.commandline import ImportCommand, corpus_named


class Command(ImportCommand):
    """Import a ranked run."""

    help = "Import a ranked run (TREC, or a table of query-id, corpus-id and score) under a name."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the run's name and depth too."""
        super().add_arguments(parser)
        parser.add_argument("--name", required=True, help="what boards and reports call the run")
        parser.add_argument("--k", type=int, help="documents to keep for each query; all of them without it")

        parser.add_argument(
            "--production", action="store_true", help="these are answers of the production index: mine against them"
        )

    def bring(self, intake: Intake, options: dict[str, Any], now: datetime) -> Receipt:
        """Import it."""
        corpus = corpus_named(options["slug"])
        return import_run(
            corpus=corpus,
            intake=intake,
            name=options["name"],
            now=now,
            k=options["k"],
            production=options["production"],
        )
