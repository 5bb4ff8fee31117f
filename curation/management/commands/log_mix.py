"""`manage.py log_mix SLUG`: what people search for beside what the set asks, locale by locale."""

from __future__ import annotations

import csv
import json
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping
from dataclasses import replace
from io import StringIO
from typing import Any

from django.utils import timezone

from curation.actions.log_reading import forget, read_lines
from curation.actions.refusal import Refused
from curation.commandline import corpus_named, day
from curation.reporting import ReportCommand
from curation.reports.log_mix import LocaleMix, LogMix, Share, log_mix
from curation.reports.log_mix_rows import COLUMNS, as_json, place, rows, standing
from curation.reports.run_words import counted
from curation.reports.schedule import today_in
from curation.retrieval.locales import corpus_language


class Command(ReportCommand):
    """Print the traffic mix, or write it as JSON or CSV."""

    help = "The mix of the query log against that of the set, and the strata that the set has stopped representing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Which locale, which days, and how to print it."""
        parser.add_argument("slug", help="the corpus")
        parser.add_argument("--locale", help="this locale alone; und is what no locale is known of")
        parser.add_argument("--since", type=day, help="the first day, as 2026-07-01; the last full quarter without it")
        parser.add_argument("--until", type=day, help="the last day, as 2026-09-30")
        parser.add_argument("--read-again", action="store_true", help="read the classes of all lines anew first")
        form = parser.add_mutually_exclusive_group()
        form.add_argument("--json", action="store_true", help="print JSON")
        form.add_argument("--csv", action="store_true", help="print one row a class or stratum")

    def make_ready(self, options: dict[str, Any]) -> None:
        """Read the lines anew where that is asked for."""
        if options["read_again"]:
            corpus = corpus_named(options["slug"])
            forget(corpus=corpus)
            self.stderr.write(f"{read_lines(corpus=corpus):,} log lines read.")

    def tell(self, options: Mapping[str, Any]) -> str:
        """The mix in the form that is asked for."""
        corpus = corpus_named(options["slug"])
        today = today_in(corpus, timezone.now())
        mix = log_mix(corpus, today=today, since=options["since"], until=options["until"])
        mix = of_locale(mix, options["locale"]) if options["locale"] else mix
        if options["json"]:
            return json.dumps(as_json(mix), ensure_ascii=False, indent=1)
        return in_table(mix) if options["csv"] else "\n".join(in_words(mix))


def in_table(mix: LogMix) -> str:
    """One row a class or stratum, as CSV."""
    out = StringIO(newline="")
    writer = csv.DictWriter(out, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows(mix))
    return out.getvalue()


def of_locale(mix: LogMix, tag: str) -> LogMix:
    """What the report says of one locale.

    Raises:
        Refused: it says nothing of it.
        UnknownLocale, ScriptNeeded: the tag names none.
    """
    locale = corpus_language(tag)
    found = tuple(each for each in mix.locales if each.locale == locale)
    if not found:
        known = ", ".join(each.locale for each in mix.locales) or "none"
        raise Refused(f"Neither the log of these days nor the set holds {locale}. Known: {known}.")
    return replace(mix, locales=found)


def in_words(mix: LogMix) -> Iterator[str]:
    """The report as lines."""
    if not mix.extent.lines:
        yield "The corpus has no search log; import one with import_log."
        return
    yield f"{mix.period.words if mix.period else 'The log names no days: all of it'}, {mix.extent.lines:,} log lines."
    if mix.extent.unread:
        yield f"{mix.extent.unread:,} lines are not read yet and are in no figure."
    if mix.period and mix.extent.undated:
        yield f"{mix.extent.undated:,} lines name no day and are in no period."
    for locale in mix.locales:
        yield from _locale_in_words(locale)


def _locale_in_words(mix: LocaleMix) -> Iterator[str]:
    apart = ""
    if mix.apart.distance is not None:
        apart = f", distance {mix.apart.distance:.3f} (by chance {mix.apart.by_chance:.3f})"
    guessed = f" ({mix.guessed:,} placed by a guess)" if mix.guessed else ""
    queries = counted(mix.queries, "counted query", "counted queries")
    yield f"\n{mix.locale}: {counted(mix.searches, 'search', 'searches')}{guessed}, {queries}{apart}"
    if mix.is_thin:
        yield "  under 100 searches: counts only"
    for dimension in mix.dimensions:
        for name, share in dimension.classes.items():
            yield _line(dimension.name, name or "not known", share)
    for stratum, share in mix.strata.items():
        yield _line("stratum", " ".join(place(stratum).values()), share) + f"  {standing(share)}".rstrip()


def _line(dimension: str, name: str, share: Share) -> str:
    traffic, in_set = (f"{100 * each:.1f} %" if each is not None else "–" for each in (share.traffic, share.in_set))
    return f"  {dimension:<10}  {name:<44}  {share.searches:>10,}  {traffic:>7}  {share.queries:>6,}  {in_set:>7}"
