"""`manage.py traffic SLUG`: how the searches of a corpus split over locales, and stating it anew."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from django.utils import timezone

from curation.actions.refusal import Refused
from curation.actions.traffic import Statement, state_from_log, state_traffic
from curation.commandline import corpus_named, day
from curation.formats.traffic import read_traffic
from curation.models import Corpus, TrafficReading, User
from curation.reporting import ReportCommand
from curation.reports.traffic import Reading, readings


class Command(ReportCommand):
    """Tell or state traffic shares."""

    help = "Traffic shares by locale: the reading in use and those before it; --file or --from-log states a new one."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The corpus, and where new shares come from."""
        parser.add_argument("slug", help="the short name of the corpus, as in its address")
        new = parser.add_mutually_exclusive_group()
        new.add_argument("--file", type=Path, help="state the shares of a file: JSON, or lines of locale and share")
        new.add_argument("--from-log", action="store_true", help="state the shares of searches in the imported log")
        parser.add_argument("--since", type=day, metavar="DAY", help="first day of the log to count")
        parser.add_argument("--until", type=day, metavar="DAY", help="last day of the log to count")
        parser.add_argument("--as-of", type=day, metavar="DAY", help="the day a file's shares stand for")
        parser.add_argument("--note", default="", help="where a file's shares come from, in words")
        parser.add_argument("--by", metavar="USERNAME", help="who states them")
        parser.add_argument("--json", action="store_true", help="print JSON")

    def make_ready(self, options: dict[str, Any]) -> None:
        """State what was given."""
        options["stated"] = state(corpus_named(options["slug"]), options, timezone.now())

    def tell(self, options: Mapping[str, Any]) -> str:
        """The readings, the one that was stated with what it leaves out."""
        told = readings(corpus_named(options["slug"]))
        if options["json"]:
            return json.dumps([each.as_json() for each in told], ensure_ascii=False, indent=1)
        lines = [line for each in told for line in (in_words(each), remark(each, options["stated"])) if line]
        return "\n".join(lines) or f"No traffic is stated for {options['slug']}; use --file or --from-log."


def state(corpus: Corpus, options: Mapping[str, Any], now: datetime) -> TrafficReading | None:
    """Keep what the options state; nothing where they state nothing.

    Raises:
        Refused, FileRefused: it cannot be kept.
    """
    if (options["since"] or options["until"]) and not options["from_log"]:
        raise Refused("--since and --until choose days of the log; add --from-log.")
    if (options["as_of"] or options["note"]) and not options["file"]:
        raise Refused("--as-of and --note tell of a file's shares; add --file.")
    by = person_named(options["by"])
    if options["from_log"]:
        return state_from_log(corpus=corpus, since=options["since"], until=options["until"], now=now, stated_by=by)
    if options["file"]:
        shares = read_traffic(options["file"])
        statement = Statement(shares, TrafficReading.Source.FILE, options["note"], options["as_of"])
        return state_traffic(corpus=corpus, statement=statement, now=now, stated_by=by)
    return None


def person_named(username: str | None) -> User | None:
    """Who states it, None where nobody is named.

    Raises:
        Refused: nobody has that username.
    """
    if username is None:
        return None
    person = User.objects.filter(username=username).first()
    if person is None:
        raise Refused(f"Nobody has the username {username}.")
    return person


def in_words(reading: Reading) -> str:
    """One reading for a reader: "2026-07-14 typed by Lena (in use): en 98.0 %, tr 2.0 %"."""
    days = f" {reading.since} to {reading.until}" if reading.since and reading.until else ""
    by = f" by {reading.stated_by}" if reading.stated_by else ""
    use = " (in use)" if reading.counts else ""
    shares = ", ".join(f"{locale} {100 * share:.1f} %" for locale, share in reading.shares.items())
    return f"{reading.as_of} {reading.source}{days}{by}{use}: {shares}"


def remark(reading: Reading, stated: TrafficReading | None) -> str:
    """What is to be said of the reading in use, and of the one that was stated just now."""
    told = reading.remark if reading.counts or (stated and stated.pk == reading.pk) else ""
    return f"  {told}" if told else ""
