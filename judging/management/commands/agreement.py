"""`manage.py agreement SLUG`: how far judges agree, what they miss, and what wrong grades would change."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Iterable, Sequence
from typing import Any

from django.core.management.base import CommandError
from django.utils import timezone

from curation.actions.refusal import Refused
from curation.actions.runs import run_named
from curation.commandline import PlainCommand, corpus_named
from curation.measures.hit import DEPTH
from curation.measures.resampling import Estimate
from curation.reports.baseline import exact_run
from curation.reports.headline import LOCALE_FLOOR
from judging.reports.agreement import Agreement, Overall, agreement
from judging.reports.flips import CellFlips
from judging.reports.rates import PAIRS, Rate

RATE_HEAD = ("pairs", "agree", "kappa")


class Command(PlainCommand):
    """Print the agreement report."""

    help = f"Agreement by locale, cell, pair of judges and month; under {PAIRS} pairs the counts alone."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The corpus, and the run whose cells wrong grades could turn."""
        parser.add_argument("slug", help="the corpus")
        parser.add_argument(
            "--run", help="'exact' (measured now where need be) or an imported run; else exact as it is"
        )
        parser.add_argument("--json", action="store_true", help="print JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        """Ask the report, print its answer."""
        try:
            corpus = corpus_named(options["slug"])
            name = options["run"]
            run = run_named(corpus, name, k=DEPTH, now=timezone.now()) if name else exact_run(corpus)
        except (Refused, ValueError) as refusal:
            raise CommandError(str(refusal), returncode=2) from refusal
        report = agreement(corpus, run=run)
        self.stdout.write(
            json.dumps(report.as_json(), ensure_ascii=False, indent=1) if options["json"] else "\n".join(told(report))
        )


def told(report: Agreement) -> Iterable[str]:
    """The report as aligned text."""
    yield overall(report.overall)
    if report.left_out:
        yield f"{report.left_out:,} opinions are left out: the text has changed since, or the document is gone."
    yield from table(("locale", *RATE_HEAD), [(each.locale, *rate(each.rate)) for each in report.locales])
    pairs = [(f"{each.query_language} × {each.corpus_language}", *rate(each.rate)) for each in report.cells]
    yield from table(("cell", *RATE_HEAD), pairs)
    people = [(f"{each.first.username}, {each.second.username}", *rate(each.rate)) for each in report.judges]
    yield from table(("judges", *RATE_HEAD), people)
    yield from table(("month", *RATE_HEAD), [(each.month, *rate(each.rate)) for each in report.months])
    places = [(f"{each.tenth} of 10", str(each.missed), str(each.relevant)) for each in report.missed]
    yield from table(("tenth of the list", "missed", "relevant"), places)
    yield from table(("cell", "n", "hit@10", "flips", "expected wrong"), [flips(each) for each in report.flips])


def overall(found: Overall) -> str:
    """All pairs in one sentence."""
    figures = f", Fleiss' kappa {figure(found.rate.kappa)}" if found.rate.kappa else ""
    grades = (
        f" On four grades: kappa {figure(found.kappa)}, ordinal alpha {figure(found.alpha)}." if found.alpha else ""
    )
    return f"{found.rate.agree:,} of {found.rate.pairs:,} pairs agree on relevant or not{figures}.{grades}"


def rate(found: Rate) -> tuple[str, str, str]:
    """Pairs, those that agree, and kappa."""
    return f"{found.pairs:,}", f"{found.agree:,}", figure(found.kappa) if found.kappa else "count only"


def figure(found: Estimate | None) -> str:
    """A figure with its interval."""
    if found is None or found.value is None or found.ci is None:
        return "not defined"
    return f"{found.value:.2f} ({found.ci[0]:.2f}–{found.ci[1]:.2f})"


def flips(cell: CellFlips) -> tuple[str, ...]:
    """One cell: how few flips move it over its floor, and how many are expected."""
    name = f"{cell.query_language} × {cell.corpus_language}"
    if cell.across is None or cell.score is None:
        return name, f"{cell.n:,}", "", "", ""
    way = "lift it over" if cell.across.lifts else "push it under"
    expected = "" if cell.expected is None else f"{cell.expected:.1f}"
    return name, f"{cell.n:,}", f"{cell.score:.3f}", f"{cell.across.count:,} {way} {LOCALE_FLOOR:.2f}", expected


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterable[str]:
    """Aligned columns below an empty line; nothing without rows."""
    if not rows:
        return
    yield ""
    lines = [head, *rows]
    widths = [max(len(line[column]) for line in lines) for column in range(len(head))]
    yield from (
        "  ".join(text.ljust(width) for text, width in zip(line, widths, strict=True)).rstrip() for line in lines
    )
