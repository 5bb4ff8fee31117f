"""`manage.py export_queries SLUG`: the queries, for people, evaluators or a spreadsheet."""

from __future__ import annotations

from typing import Any, TextIO

from curation.commandline import ExportCommand
from curation.formats.queries import query_object, write_queries
from curation.formats.spreadsheet import write_spreadsheet
from curation.models import Corpus
from curation.reports.exports import query_rows

SPREADSHEET = "csv"


class Command(ExportCommand):
    """Export queries."""

    help = "Export queries. csv is for spreadsheets: text that one would run as a formula gets an apostrophe."
    forms = ("jsonl", "beir", "trec", SPREADSHEET)

    def send(self, corpus: Corpus, out: TextIO, options: dict[str, Any]) -> str:
        """Write them."""
        rows = query_rows(corpus)
        if options["format"] == SPREADSHEET:
            marked = write_spreadsheet(out, [query_object(row) for row in rows])
            return f"{len(rows):,} queries; {marked:,} cells of text got an apostrophe, which importing takes away."
        write_queries(out, rows, form=options["format"])
        return f"{len(rows):,} queries"
