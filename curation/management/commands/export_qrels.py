"""`manage.py export_qrels SLUG`: the settled grades."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any, TextIO

from curation.commandline import ExportCommand
from curation.formats.qrels import write_qrels
from curation.models import Corpus
from curation.reports.exports import qrel_rows


class Command(ExportCommand):
    """Export qrels."""

    help = "Export the settled grades; trec and jsonl say how each was settled where it was not imported."
    forms = ("jsonl", "beir", "trec")

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Whether text twins are one answer."""
        super().add_arguments(parser)
        parser.add_argument("--fold-twins", action="store_true", help="write text twins as one answer")

    def send(self, corpus: Corpus, out: TextIO, options: dict[str, Any]) -> str:
        """Write them."""
        rows = qrel_rows(corpus, fold_twins=options["fold_twins"])
        write_qrels(out, rows, form=options["format"])
        return f"{len(rows):,} qrels"
