"""`manage.py import_queries SLUG [PATH]`: queries with their needs, golds and, where brought along, vectors."""

from __future__ import annotations

from argparse import ArgumentParser
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

from curation.actions.queries import import_queries
from curation.actions.query_vectors import import_query_vectors
from curation.actions.receipts import Intake, Receipt
from curation.actions.refusal import Refused
from curation.commandline import ImportCommand, corpus_named


class Command(ImportCommand):
    """Import queries."""

    help = "Import queries: query_id, text, locale, and where known need, script, type, slice and gold."
    path_needed = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the vectors of queries too."""
        super().add_arguments(parser)
        parser.add_argument("--query-vectors", type=Path, help="JSONL of id and vector, for vectors made elsewhere")

    def bring(self, intake: Intake, options: dict[str, Any], now: datetime) -> Receipt:
        """Import the queries, then their vectors; alone, the vectors are for queries that are here."""
        corpus = corpus_named(options["slug"])
        vectors: Path | None = options["query_vectors"]
        if vectors is None and options["path"] is None:
            raise Refused("Name a file of queries, or --query-vectors.")
        if vectors is not None and not vectors.is_file():
            raise Refused(f"No file can be read at {vectors}.")
        receipt = import_queries(corpus=corpus, intake=intake, now=now) if options["path"] else None
        if vectors is None or (receipt and not receipt.stored + receipt.merged):
            return receipt or Receipt(0, 0, 0)
        brought = import_query_vectors(corpus=corpus, intake=replace(intake, path=vectors))
        return receipt.joined(brought, what="query vectors") if receipt else brought
