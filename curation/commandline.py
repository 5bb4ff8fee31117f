"""What the commands that bring files in and out have in common; judging's use it too."""

from __future__ import annotations

import json
import time
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date, datetime
from io import StringIO
from pathlib import Path
from typing import Any, TextIO

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, SystemCheckError
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

from curation.actions.import_progress import ImportProgress
from curation.actions.receipts import Intake, Receipt
from curation.actions.refusal import Refused
from curation.formats.faults import Fault, FileRefused, WriteRefused
from curation.formats.opening import Limits
from curation.formats.pairs import split_pairs
from curation.formats.tables import Reading
from curation.models import Corpus
from curation.reports.picture import one_picture
from curation.retrieval.vectors import VectorsRefused
from curation.ways_out import newer_than_ours, way_out

REFUSED = 2
STOPPED = 130  # what a shell gives for Ctrl-C
MOST_LISTED = 50
SECONDS_BETWEEN_FIGURES = 2


class PlainCommand(BaseCommand):
    """A command that also says in one sentence what the machine lacks: a database, its tables, a place to write."""

    def execute(self, *args: Any, **options: Any) -> str | None:  # noqa: ANN401  (as Django has it)
        """Run; a fault of the database that has a known way out becomes that sentence."""
        try:
            return super().execute(*args, **options)
        except SystemCheckError as fault:
            fault.returncode = REFUSED  # Django says 1, which is an answer of some commands
            raise
        except (DatabaseError, OSError, UnicodeEncodeError) as fault:
            if words := way_out(fault):
                raise CommandError(words, returncode=REFUSED) from fault
            raise
        except KeyboardInterrupt as stop:
            raise CommandError("Stopped.", returncode=STOPPED) from stop


def day(written: str) -> date:
    """A day of the command line.

    Raises:
        ArgumentTypeError: it is none.
    """
    try:
        return date.fromisoformat(written)
    except ValueError as error:
        raise ArgumentTypeError(f"{written} is no day of the form 2026-07-01") from error


def require_known_database() -> None:
    """Refuse a database that a newer Hardset wrote to, before this one changes it.

    Raises:
        CommandError: it holds tables that this version does not know.
    """
    if newer := newer_than_ours(MigrationExecutor(connection)):
        raise CommandError(newer, returncode=REFUSED)


def write_out(path: Path, text: str) -> None:
    """Write an export to `path`, whole or not at all, as `write_lines` does."""
    write_lines(path, (text,))


def require_writable(path: Path) -> None:
    """Refuse a place before the work is done whose outcome is to be written there; nothing is left behind.

    Raises:
        CommandError: no file can be written there.
    """
    try:
        was_there = path.exists()
        if was_there and not path.is_file() and not path.is_dir():
            return  # a pipe or a device, which to open is to use
        path.open("ab").close()
        if not was_there:
            path.unlink()
    except OSError as fault:
        raise CommandError(f"{path} cannot be written: {fault.strerror}.", returncode=REFUSED) from fault


def write_lines(path: Path, lines: Iterable[str]) -> int:
    """Write an export to `path` as it comes, which may be more than memory holds; how many lines.

    A file appears under its name once it is whole; what is no file (a pipe, say) is written to at once.

    Raises:
        CommandError: that cannot be done there.
    """
    at_once = path.exists() and not path.is_file()
    aside = path if at_once else path.with_name(f"{path.name}.part")
    try:
        with aside.open("wb") as out:
            count = sum(bool(out.write(line.encode())) for line in lines)
        if not at_once:
            aside.replace(path)
    except OSError as fault:
        raise CommandError(f"{path} cannot be written: {fault.strerror}.", returncode=REFUSED) from fault
    finally:
        if not at_once and aside.is_file():
            aside.unlink()
    return count


class ImportCommand(PlainCommand):
    """A command that imports one file: exit 0, or 2 where anything was refused."""

    path_needed = True
    told_at = 0.0  # when the progress was last shown, of the monotonic clock

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the options that every import knows."""
        parser.add_argument("slug", help="the short name of the corpus, as in its address")
        parser.add_argument(
            "path", type=Path, nargs=None if self.path_needed else "?", help="a file, a zip or a folder"
        )
        parser.add_argument("--map", action="append", default=[], metavar="FIELD=COLUMN", help="read FIELD from COLUMN")
        parser.add_argument("--where", action="append", default=[], metavar="COLUMN=VALUE", help="read these rows only")
        parser.add_argument("--dry-run", action="store_true", help="say what would happen and store nothing")
        parser.add_argument("--keep-good", action="store_true", help="store the good rows and list the others")
        parser.add_argument("--json", action="store_true", help="answer as JSON")

    def handle(self, *_args: object, **options: Any) -> None:  # noqa: ANN401  (argparse gives any type)
        """Import, answer, and exit with 2 where anything was refused."""
        self.told_at = time.monotonic()
        intake = replace(intake_of(options), progress=ImportProgress(lambda _done, _total, words: self.say(words)))
        try:
            receipt = self.bring(intake, options, timezone.now())
        except (Refused, FileRefused, VectorsRefused) as refusal:
            receipt = Receipt(0, 0, 0, (Fault(0, "", str(refusal)),), dry_run=options["dry_run"])
        if options["json"]:
            self.stdout.write(json.dumps(receipt.as_json(), ensure_ascii=False, indent=1))
        else:
            self.stdout.write("\n".join(in_words(receipt)))
        if receipt.errors:
            raise SystemExit(REFUSED)

    def bring(self, intake: Intake, options: dict[str, Any], now: datetime) -> Receipt:
        """Call the one action of this command.

        Raises:
            Refused, FileRefused, VectorsRefused: nothing is stored.
        """
        raise NotImplementedError

    def say(self, words: str, *, last: bool = False) -> None:
        """Tell how far it is on the error stream, so that --json stays JSON: every two seconds, and the last word."""
        now = time.monotonic()
        if last or now - self.told_at > SECONDS_BETWEEN_FIGURES:
            self.told_at = now
            self.stderr.write(words)


def intake_of(options: dict[str, Any]) -> Intake:
    """The file and how to read it. On the command line a file may be as large as it may be unpacked."""
    most = settings.UNPACKED_BYTES
    reading = Reading(
        columns=split_pairs(options["map"], option="--map"),
        where=split_pairs(options["where"], option="--where"),
        limits=Limits(packed=most, unpacked=most),
    )
    return Intake(options["path"], reading, keep_good=options["keep_good"], dry_run=options["dry_run"])


def corpus_named(slug: str) -> Corpus:
    """The corpus.

    Raises:
        Refused: there is none of that name.
    """
    corpus = Corpus.objects.filter(slug=slug).first()
    if corpus is None:
        known = ", ".join(Corpus.objects.order_by("slug").values_list("slug", flat=True)) or "none yet"
        raise Refused(f"There is no corpus {slug}. Known: {known}. A first import_corpus makes one.")
    return corpus


def in_words(receipt: Receipt) -> Iterable[str]:
    """The answer for a reader: counts, then what was refused, then what is worth knowing."""
    yield f"{'read':>10} {'stored':>10} {'merged':>10} {'refused':>10}"
    counts = (receipt.read, receipt.stored, receipt.merged, receipt.refused)
    yield " ".join(f"{count:>10,}" for count in counts)
    if receipt.dry_run:
        yield "A dry run: nothing was stored."
    if receipt.standing:
        yield "Documents that were here: " + ", ".join(f"{count:,} {name}" for name, count in receipt.standing.items())
    yield from _listed("Refused", [(fault.line, fault.id, fault.reason) for fault in receipt.errors])
    yield from _listed("Worth knowing", [(notice.line, notice.id, notice.text) for notice in receipt.notices])


def _listed(title: str, rows: Sequence[tuple[int, str, str]]) -> Iterable[str]:
    if not rows:
        return
    yield f"\n{title}:"
    for line, name, words in rows[:MOST_LISTED]:
        where = " ".join(part for part in (f"line {line:,}" if line else "", name) if part)
        yield f"  {where}: {words}" if where else f"  {words}"
    if len(rows) > MOST_LISTED:
        yield f"  and {len(rows) - MOST_LISTED:,} more; --json lists all."


class ExportCommand(PlainCommand):
    """A command that writes one file, to --out or to the standard output."""

    forms: tuple[str, ...] = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the options that every export knows."""
        parser.add_argument("slug", help="the short name of the corpus, as in its address")
        parser.add_argument(
            "--format", choices=self.forms, default=self.forms[0], help=f"how to write it ({self.forms[0]})"
        )
        parser.add_argument("--out", type=Path, help="the file to write; the standard output without it")

    def handle(self, *_args: object, **options: Any) -> None:  # noqa: ANN401  (argparse gives any type)
        """Write, and say how much on the error stream."""
        out = StringIO(newline="")
        try:
            corpus = corpus_named(options["slug"])
            self.make_ready(corpus, options)
            with one_picture():
                told = self.send(corpus, out, options)
        except (Refused, WriteRefused, VectorsRefused) as refusal:
            raise CommandError(str(refusal), returncode=REFUSED) from refusal
        if options["out"]:
            write_out(options["out"], out.getvalue())
        else:
            self.stdout.write(out.getvalue(), ending="")
        self.stderr.write(told)

    def make_ready(self, corpus: Corpus, options: dict[str, Any]) -> None:
        """Store first what is to be written; nothing, but for an export that measures.

        Raises:
            Refused, VectorsRefused: it cannot be had.
        """

    def send(self, corpus: Corpus, out: TextIO, options: dict[str, Any]) -> str:
        """Write everything to `out`, as it stands at one moment; what to say about it.

        Raises:
            WriteRefused: the form cannot hold it.
            Refused, VectorsRefused: what is asked for cannot be had.
        """
        raise NotImplementedError
