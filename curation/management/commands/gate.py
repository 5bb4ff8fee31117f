"""`manage.py gate NAME@n --run FILE|RUN`: may this change pass? The exit code says it."""

from __future__ import annotations

import json
import traceback
from argparse import ArgumentParser
from collections.abc import Mapping
from datetime import date, datetime, time
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings
from django.core.management.base import CommandError
from django.utils import timezone

from curation.actions.gating import Asked, K, gate
from curation.actions.refusal import Refused
from curation.actions.runs import EXACT, run_named, run_stored
from curation.commandline import REFUSED, PlainCommand, require_writable, write_out
from curation.formats.manifest_records import read_object
from curation.formats.opening import Limits
from curation.formats.tables import Reading
from curation.models import Corpus, RankedRun
from curation.reports.gate_exports import as_junit, as_markdown, as_text
from curation.reports.gate_report import Report, report_of
from curation.reports.set_versions import set_version


class Command(PlainCommand):
    """Gate a run on a frozen set."""

    help = (
        "Hold a run to its floors on a frozen set, slice by slice, against exact float32 search. "
        "Exit 0: passed. 1: rejected. 3: a warning, or a waived rejection. 2: the gate itself could not run."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """What is gated, against what, and where the answer goes."""
        parser.add_argument("set", metavar="NAME@n", help="the frozen set, as in hard@4")
        parser.add_argument(
            "--run", required=True, metavar="FILE|RUN", help="a run's file, or the name of a stored one"
        )
        parser.add_argument(
            "--run-date", metavar="DAY", help="when the answers of a file were made: 2026-07-13, or 2026-07-13T14:04"
        )
        against = "'exact' measures it now; a file needs its provenance beside it, a stored run was imported with one"
        parser.add_argument("--baseline", default=EXACT, metavar="exact|FILE|RUN", help=against)
        parser.add_argument("--k", type=int, default=K, help=f"the depth that the next stage reads ({K})")
        parser.add_argument("--json", action="store_true", help="print JSON")
        parser.add_argument("--junit", type=Path, metavar="FILE", help="write JUnit XML for CI")
        parser.add_argument("--markdown", type=Path, metavar="FILE", help="write a summary in Markdown")
        parser.add_argument(
            "--commit", default="", metavar="TEXT", help="the build that is gated; kept with the report"
        )
        parser.add_argument(
            "--manifest", type=Path, metavar="FILE", help="the candidate's manifest; kept with the report"
        )

    def execute(self, *args: Any, **options: Any) -> str | None:
        """Run; whatever stops the gate ends with 2, because 1 says that the run was rejected."""
        try:
            return super().execute(*args, **options)
        except (CommandError, SystemExit):
            raise
        except Exception as fault:
            traceback.print_exc(file=self.stderr)
            raise CommandError("The gate could not run: this is a fault of the program.", returncode=REFUSED) from fault

    def handle(self, *_args: object, **options: Any) -> None:
        """Gate, print, write, and exit by the verdict."""
        for path in filter(None, (options["junit"], options["markdown"])):
            require_writable(path)
        try:
            version = set_version(options["set"])
            now = timezone.now()
            asked = asked_for(version.corpus, options, now=now)
            report = gate(version=version, asked=asked, by=None, now=now)
        except ValueError as refusal:
            raise CommandError(str(refusal), returncode=REFUSED) from refusal
        except OSError as fault:
            words = f"{fault.filename or 'A file'} cannot be read: {(fault.strerror or 'unknown').lower()}."
            raise CommandError(words, returncode=REFUSED) from fault
        told = report_of(report)
        self.stdout.write(in_json(told) if options["json"] else as_text(told))
        for option, write in (("junit", as_junit), ("markdown", as_markdown)):
            if options[option]:
                write_out(options[option], write(told))
        if told.exit_code:
            raise SystemExit(told.exit_code)


def asked_for(corpus: Corpus, options: Mapping[str, Any], *, now: datetime) -> Asked:
    """What the command's words ask.

    Raises:
        Refused: no run has that name, k is no depth, the manifest cannot be read, or a date is none or not needed.
        VectorsRefused: exact search was to be measured and cannot be.
    """
    run, dated = run_asked(corpus, options["run"], k=options["k"]), options["run_date"]
    if isinstance(run, RankedRun) and dated is not None:
        raise Refused(f"--run-date is for the file of a run; {run.name} is stored, and is as old as that.")
    return Asked(
        run=run,
        k=options["k"],
        baseline=baseline_asked(corpus, options["baseline"]),
        commit=options["commit"],
        manifest=manifest_in(options["manifest"]) if options["manifest"] else {},
        reading=unlimited(),
        dated=None if dated is None else moment_named(corpus, dated, now=now),
    )


def moment_named(corpus: Corpus, named: str, *, now: datetime) -> datetime:
    """A moment by the clock of the corpus, now at the latest; a day is its end, so that what came that day is no later.

    Raises:
        Refused: it is neither a day nor a moment, or a day that is yet to come.
    """
    here = ZoneInfo(corpus.time_zone)
    try:
        told = _end_of_day(named) or datetime.fromisoformat(named)
        moment = (told if told.tzinfo else told.replace(tzinfo=here)).astimezone(here)
    except (ValueError, OverflowError) as fault:
        written = "--run-date takes a day or a moment, such as 2026-07-13 or 2026-07-13T14:04"
        raise Refused(f"{written}; {named!r} is neither.") from fault
    if moment.date() > now.astimezone(here).date():
        raise Refused(f"No run can have been made on {moment:%-d %B %Y}, which is yet to come; correct --run-date.")
    return min(moment, now)


def _end_of_day(named: str) -> datetime | None:
    try:
        return datetime.combine(date.fromisoformat(named), time.max)
    except ValueError:
        return None


def run_asked(corpus: Corpus, named: str, *, k: int) -> RankedRun | Path:
    """The file of that name where there is one, else the stored run."""
    path = Path(named)
    return path if path.is_file() else run_named(corpus, named, k=k, now=timezone.now())


def baseline_asked(corpus: Corpus, named: str) -> RankedRun | Path | None:
    """The file of that name where there is one, else the stored run; None for exact search, measured now.

    Raises:
        Refused: there is neither.
    """
    if named == EXACT:
        return None
    path = Path(named)
    return path if path.is_file() else run_stored(corpus, named)


def unlimited() -> Reading:
    """On the command line a file may be as large as it may be unpacked."""
    return Reading(limits=Limits(packed=settings.UNPACKED_BYTES, unpacked=settings.UNPACKED_BYTES))


def manifest_in(path: Path) -> dict[str, Any]:
    """The manifest of the candidate, as it is.

    Raises:
        ManifestRefused: see `read_object`.
        Refused: there is no such file.
    """
    try:
        return read_object(path.read_bytes(), name=path.name)
    except OSError as fault:
        raise Refused(f"The manifest {path.name} cannot be read.") from fault


def in_json(told: Report) -> str:
    """The report as the page hands it out too."""
    return json.dumps(told.as_json(), ensure_ascii=False, indent=1, sort_keys=True)
