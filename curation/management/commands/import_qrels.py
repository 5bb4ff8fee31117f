"""`manage.py import_qrels SLUG PATH`: settled grades, by document id or canonical id."""

from __future__ import annotations

from argparse import ArgumentParser
from datetime import datetime
from typing import Any

from curation.actions.qrel_files import import_qrels
from curation.actions.receipts import Intake, Receipt
from curation.commandline import ImportCommand, corpus_named
from curation.formats.grades import grade_mapping


class Command(ImportCommand):
    """Import qrels."""

    help = (
        "Import settled grades (TREC, BEIR, Quepid, OpenSearch or ranx). A file of 0 and 1 is binary: its 1 becomes 3."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the mapping of grades too, and the language of texts."""
        super().add_arguments(parser)
        parser.add_argument("--locale", default="", help="the language of queries that the file names by their text")
        parser.add_argument("--map-grade", action="append", default=[], metavar="4=3", help="read grade 4 as 3")

    def bring(self, intake: Intake, options: dict[str, Any], now: datetime) -> Receipt:
        """Import them."""
        grades = grade_mapping(options["map_grade"])
        corpus = corpus_named(options["slug"])
        return import_qrels(corpus=corpus, intake=intake, now=now, map_grades=grades, locale=options["locale"])
