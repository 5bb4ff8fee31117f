"""`manage.py export_judgments SLUG`: every opinion, or with --merged what they come to together."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any, TextIO

from curation.commandline import ExportCommand
from curation.formats.json_lines import json_line
from curation.formats.judgments import write_judgments
from curation.models import Corpus
from judging.reports.exports import judgment_rows, merged_lines


class Command(ExportCommand):
    """Export judgments."""

    help = "Export judgments, one row a judge. jsonl keeps time, note and fingerprint; trec and beir the grades alone."
    forms = ("jsonl", "beir", "trec")

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take --merged too."""
        super().add_arguments(parser)
        parser.add_argument("--merged", action="store_true", help="one JSON line an answer: its grade, and how it came")

    def send(self, corpus: Corpus, out: TextIO, options: dict[str, Any]) -> str:
        """Write them."""
        if options["merged"]:
            lines = [json_line(fields) for fields in merged_lines(corpus)]
            out.writelines(lines)
            return f"{len(lines):,} answers"
        rows = judgment_rows(corpus)
        write_judgments(out, rows, form=options["format"])
        return f"{len(rows):,} judgments"
