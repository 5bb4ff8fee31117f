"""`manage.py export_needs SLUG`: the needs, for import elsewhere or for a spreadsheet."""

from __future__ import annotations

from typing import Any, TextIO

from curation.commandline import ExportCommand
from curation.formats.needs import need_object, write_needs
from curation.formats.spreadsheet import write_spreadsheet
from curation.models import Corpus
from curation.reports.exports import need_rows

SPREADSHEET = "csv"


class Command(ExportCommand):
    """Export needs."""

    help = "Export needs. csv is for spreadsheets: text that one would run as a formula gets an apostrophe."
    forms = ("jsonl", SPREADSHEET)

    def send(self, corpus: Corpus, out: TextIO, options: dict[str, Any]) -> str:
        """Write them."""
        rows = need_rows(corpus)
        if options["format"] == SPREADSHEET:
            marked = write_spreadsheet(out, [need_object(row) for row in rows])
            return f"{len(rows):,} needs; {marked:,} cells of text got an apostrophe, which importing takes away."
        write_needs(out, rows)
        return f"{len(rows):,} needs"
