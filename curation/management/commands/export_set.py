"""`manage.py export_set NAME@n --format FORM --out DIR`: a frozen set in a layout that other tools read."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from curation.commandline import REFUSED, PlainCommand
from curation.formats.export.beside import MOVED, moves_in_words
from curation.formats.export.folder import FORMS, write_folder
from curation.formats.export.rows import ExportedSet
from curation.formats.faults import WriteRefused
from curation.reports.set_content import SetBelied
from curation.reports.set_exports import exported_set
from curation.reports.set_versions import NoSuchVersion, set_version


class Command(PlainCommand):
    """Write a folder; exit 2 and one sentence where it cannot be written."""

    help = "Export a set version as a folder that other tools read; the same set and corpus give the same bytes."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Which set, in which layout, and where to."""
        parser.add_argument("spec", metavar="NAME@n", help="the set version, such as hard@4")
        parser.add_argument("--format", choices=FORMS, required=True, help="whose layout to write")
        parser.add_argument("--out", type=Path, required=True, help="the folder to make")

    def handle(self, *_args: object, spec: str, out: Path, **options: Any) -> None:
        """Write the folder and say what it holds."""
        try:
            with exported_set(set_version(spec)) as exported:
                written = write_folder(out, exported, form=options["format"])
        except (NoSuchVersion, SetBelied, WriteRefused) as refusal:
            raise CommandError(str(refusal), returncode=REFUSED) from refusal
        except OSError as fault:
            raise CommandError(f"{out} cannot be written: {fault.strerror}.", returncode=REFUSED) from fault
        self.stdout.write(f"{told(exported)} {'written to' if written else 'stand already in'} {out}.")
        if moves := moves_in_words(exported):
            self.stderr.write(f"The documents are those of today: {moves}. {MOVED} names them.")


def told(exported: ExportedSet) -> str:
    """What an export holds, and which of its grades no document of the corpus carries any more."""
    gone = sum(not qrel.standing for qrel in exported.qrels)
    left = f" ({gone:,} of them for articles that the corpus no longer holds)" if gone else ""
    lines = sum(len(qrel.documents) for qrel in exported.qrels)
    by = "" if lines == len(exported.qrels) else f" (layouts by document: {lines:,} lines)"
    return f"{len(exported.queries):,} queries and {len(exported.qrels):,} grades{left} of {exported.name}{by}"
