"""`manage.py agreement SLUG`: how far judges agree, what they miss, and what wrong grades would change."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.utils import timezone

from curation.actions.runs import run_named, run_stored
from curation.commandline import corpus_named
from curation.measures.hit import DEPTH
from curation.measures.resampling import Estimate
from curation.models import Use
from curation.reporting import ReportCommand
from curation.reports.baseline import exact_run
from curation.reports.counts import DIMENSIONS
from curation.reports.coverage import Question
from curation.reports.headline import LOCALE_FLOOR, at_least
from curation.templatetags.strata import interval, two_decimals
from judging.reports.agreement import Agreement, CellRate, MonthRate, Overall, PairRate, agreement
from judging.reports.flips import CellFlips
from judging.reports.rates import PAIRS, Rate

RATE_HEAD = ("pairs", "agree", "kappa")
FLIPS_HEAD = ("cell", "n", "hit@10", "flips", "flips to worst cell", "expected wrong")
GROUP_HEAD = (*RATE_HEAD, "alpha, ordinal")


class Command(ReportCommand):
    """Print the agreement report."""

    help = f"Agreement by locale, cell, pair of judges and month; under {PAIRS} pairs the counts alone."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The corpus, the crossing and count target of its cells, and the run whose cells wrong grades could turn."""
        parser.add_argument("slug", help="the corpus")
        parser.add_argument(
            "--run", help="'exact' (measured now where need be) or an imported run; else exact as it is"
        )
        parser.add_argument("--by", default=",".join(DIMENSIONS), help="dimensions of a cell, comma-separated")
        parser.add_argument("--use", default=Use.GATE, choices=Use.values, help="sets the count target of a cell")
        parser.add_argument("--json", action="store_true", help="print JSON")

    def make_ready(self, options: dict[str, Any]) -> None:
        """Measure exact search where it is asked for and was not measured."""
        if options["run"]:
            run_named(corpus_named(options["slug"]), options["run"], k=DEPTH, now=timezone.now())

    def tell(self, options: Mapping[str, Any]) -> str:
        """The report."""
        corpus, name = corpus_named(options["slug"]), options["run"]
        run = run_stored(corpus, name) if name else exact_run(corpus)
        found = agreement(corpus, Question(by=tuple(options["by"].split(",")), use=options["use"], run=run))
        return json.dumps(found.as_json(), ensure_ascii=False, indent=1) if options["json"] else "\n".join(told(found))


def told(report: Agreement) -> Iterable[str]:
    """The report as aligned text."""
    yield overall(report.overall)
    if report.left_out:
        yield f"{report.left_out:,} opinions are left out: the text has changed since, or the document is gone."
    yield from table(("locale", *RATE_HEAD), [(each.locale, *rate(each.rate)) for each in report.locales])
    cells = [(cell(each.dimensions), *group(each)) for each in report.cells]
    yield from table(("cell", *GROUP_HEAD), cells)
    people = [(f"{each.first.username}, {each.second.username}", *group(each)) for each in report.judges]
    yield from table(("judges", *GROUP_HEAD), people)
    yield from table(("month", *GROUP_HEAD), [(each.month, *group(each)) for each in report.months])
    places = [(f"{each.tenth} of 10", str(each.missed), str(each.relevant)) for each in report.missed]
    yield from table(("tenth of the list", "missed", "relevant"), places)
    yield from table(FLIPS_HEAD, [flips(each) for each in report.flips])


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


def group(found: CellRate | PairRate | MonthRate) -> tuple[str, ...]:
    """The rate of a cell, of two people or of a month, and alpha on four grades."""
    return (*rate(found.rate), figure(found.alpha) if found.alpha else "count only")


def cell(dimensions: Mapping[str, str]) -> str:
    """A cell by its dimensions: "tr × en × Latn × question × keyword"."""
    return " × ".join(dimensions.values())


def figure(found: Estimate | None) -> str:
    """A figure with its interval."""
    if found is None or found.value is None or found.ci is None:
        return "not defined"
    return f"{two_decimals(found.value)} ({interval(found.ci)})"


def flips(found: CellFlips) -> tuple[str, ...]:
    """One cell: how few flips move it over its floor, or change which cell is worst, and how many are expected."""
    name = cell(found.dimensions)
    if found.across is None or found.score is None:
        return name, f"{found.n:,}", "", "", "", ""
    way = "lift it over" if found.across.lifts else "push it under"
    floor = f"{found.across.count:,} {way} {LOCALE_FLOOR:.2f}"
    past = "" if found.past is None else f"{found.past.count:,}{' lift it off' if found.is_worst else ''}"
    expected = "" if found.expected is None else f"{found.expected:.1f}"
    return name, f"{found.n:,}", f"{at_least(bound=found.lower_bound)}{found.score:.3f}", floor, past, expected


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
