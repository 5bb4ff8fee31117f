"""`manage.py overlap INDEX --queries FILE|log`: overlap@10 by hand."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from dataclasses import asdict
from datetime import date, datetime, timedelta
from pathlib import Path

from django.core.management.base import CommandError
from django.utils import timezone

from curation.actions.drift import CANNOT, queries_of, stage_of, store_reading, take_in
from curation.actions.refusal import Refused
from curation.commandline import REFUSED, PlainCommand
from curation.formats.live_queries import LiveQueryRefused, LiveText, read_line
from curation.measures.overlap import SAMPLED, is_alarming
from curation.models import TargetIndex
from curation.reports.gate_floors import level_in_words
from curation.reports.index_names import index_meant, spec_of
from curation.reports.overlap import MOST_DOCUMENTS, Measured, NothingMeasured, drawn, measure_overlap
from curation.reports.run_words import queries as in_number
from curation.reports.schedule import today_in
from curation.reports.watch import watch_of

LOG = "log"
BELOW = 1


class Command(PlainCommand):
    """Exit 0 where overlap@10 is at least the threshold, 1 where it is below, 2 where it could not be measured."""

    help = (
        "Measure overlap@10 of an index against exact search. "
        "Exit 0: at least the threshold of its alarm (0.85 where its manifest names none); 1: below; 2: not measured."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Which index, which queries, how many."""
        parser.add_argument("index", help="NAME, or SLUG/NAME where several corpora have an index of that name")
        parser.add_argument("--queries", default=LOG, metavar="FILE|log", help="a file of live queries, or those told")
        parser.add_argument("--sample", type=int, default=SAMPLED, help=f"how many are drawn ({SAMPLED})")
        parser.add_argument("--documents", type=int, default=MOST_DOCUMENTS, help="the corpus sample, at most")
        parser.add_argument("--seed", default="by hand", help="of the draw")
        parser.add_argument(
            "--store",
            action="store_true",
            help="measure what was asked yesterday, and keep it as that day's reading, if there is none",
        )
        parser.add_argument("--json", action="store_true", help="answer as JSON")

    def handle(self, *_args: object, index: str, queries: str, sample: int, **options: object) -> None:
        """Measure and tell; with `--store` what was asked yesterday alone."""
        now = timezone.now()
        try:
            named = index_meant(index)
            day = today_in(named.corpus, now) - timedelta(days=1) if options["store"] else None
            told = in_log(named, day, now) if queries == LOG else asked_on(day, in_file(Path(queries)), named)
            part = drawn(told, count=at_least_one(sample), seed=str(options["seed"]))
            measured = measure_overlap(named, part, most_documents=at_least_one(int(str(options["documents"]))))
        except (*CANNOT, Refused) as refusal:
            raise CommandError(str(refusal), returncode=REFUSED) from refusal
        stored = store_reading(index=named, day=day, measured=measured, now=now) if day else None
        words = [*in_words(named, measured), *kept_words(day, stored=stored)]
        self.stdout.write(as_json(named, measured, stored=stored) if options["json"] else "\n".join(words))
        if is_alarming(measured.overlap, below=watch_of(named).threshold):
            raise SystemExit(BELOW)


def in_log(index: TargetIndex, day: date | None, now: datetime) -> list[LiveText]:
    """Those that were told of a day, of all days without one; what waits in a file is read first.

    Raises:
        IndexRefused: a file is there and cannot be read.
        NothingMeasured: none was asked on that day.
    """
    take_in(index, now=now)
    told = queries_of(index, day)
    if day is not None and not told:
        raise NothingMeasured(
            f"There is no live query of {index.name} to measure that was asked on {day}; without --store those of every"
            " day are measured."
        )
    return told


def asked_on(day: date | None, queries: list[LiveText], index: TargetIndex) -> list[LiveText]:
    """Those that were asked on a day of the corpus's time zone; all of them without one."""
    return [query for query in queries if day is None or day == today_in(index.corpus, query.asked_at)]


def at_least_one(count: int) -> int:
    """The count.

    Raises:
        Refused: it is none.
    """
    if count < 1:
        raise Refused(f"A draw of {count} measures nothing; draw at least 1.")
    return count


def in_file(path: Path) -> list[LiveText]:
    """The live queries of a file.

    Raises:
        Refused: it cannot be read, or a line of it.
    """
    found: list[LiveText] = []
    number = 0
    try:
        with path.open("rb") as lines:
            for number, line in enumerate(lines, 1):  # noqa: B007  (the refusal below names it)
                if line.strip():
                    found.append(read_line(line))
    except OSError as fault:
        raise Refused(f"{path} cannot be read: {(fault.strerror or 'unknown').lower()}.") from fault
    except LiveQueryRefused as refusal:
        raise Refused(f"Line {number:,} of {path.name}: {refusal}") from refusal
    if not found:
        raise Refused(f"{path.name} holds no live query; name a file that does, or measure those told (--queries log).")
    return found


def in_words(index: TargetIndex, measured: Measured) -> list[str]:
    """What was measured, a line each."""
    below = watch_of(index).threshold
    side = "below" if is_alarming(measured.overlap, below=below) else "at or above"
    lines = [
        f"{spec_of(index)}, {stage_in_words(index)}: overlap@10 is {measured.overlap:.3f} over"
        f" {in_number(measured.sampled)}, {side} {level_in_words(below)}",
        f"exact search over {measured.share:.1%} of the corpus; {in_number(measured.told)} came with what was served",
    ]
    if measured.unplaced:
        lines.append(f"without a vector, and left out: {in_number(measured.unplaced)}")
    return [*lines, "This is no recall and is not compared with a floor."]


def stage_in_words(index: TargetIndex) -> str:
    """Where the index stands; one that is in neither stage is asked production's live queries by hand alone."""
    if index.is_production:
        return "in production"
    return "in the shadow stage" if index.in_shadow else "not in the shadow stage yet"


def kept_words(day: date | None, *, stored: bool | None) -> list[str]:
    """What became of it with `--store`."""
    if stored is None:
        return []
    return [f"It is stored as the reading of {day}." if stored else f"{day} has a reading already, which stays."]


def as_json(index: TargetIndex, measured: Measured, *, stored: bool | None) -> str:
    """What was measured, for programs; `stored` is null without `--store`."""
    told = {"index": spec_of(index), "stage": stage_of(index).value, "measure": "overlap@10"}
    threshold = {"threshold": watch_of(index).threshold}
    return json.dumps({**told, **threshold, **asdict(measured), "stored": stored}, ensure_ascii=False, indent=1)
