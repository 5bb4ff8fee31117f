"""`manage.py bench`: what we measured beside the peer in one run, or with a crowd at work."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Callable
from typing import Any

from django.core.management.base import CommandError

from curation import registry
from curation.commandline import PlainCommand
from curation.management.benches import Row, boards, pairs, searching

BENCHES: dict[str, Callable[[], list[Row]]] = {
    "exact": searching.exact_search,
    "pairs": pairs.near_duplicate_pairs,
    "mining_memory": pairs.mining_memory,
    "coverage": boards.coverage,
}

MOST = {"judges": 1_000, "seconds": 86_400, "pools": 100_000, "per_second": 100_000, "opens": 1_000_000}
"""How much a bench takes on: a crowd that does not fit into one machine measures that alone."""


class Command(PlainCommand):
    """Run one benchmark, or all of them."""

    help = "Speeds on this machine, as ratios to peers measured in the same run; or of a page with a crowd at work."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Which one, and how to print it."""
        crowds, usual = registry.benches(), registry.Crowd()
        words = f"one benchmark; without it all but {', '.join(sorted(crowds))}"
        parser.add_argument("name", nargs="?", choices=sorted({*BENCHES, *crowds}), help=words)
        parser.add_argument("--json", action="store_true", help="print JSON")
        crowd = parser.add_argument_group("judging", "A server and a database of its own, with many judges at once.")
        crowd.add_argument("--judges", type=int, default=usual.people, help=f"how many ({usual.people})")
        crowd.add_argument("--seconds", type=float, default=usual.seconds, help=f"how long ({usual.seconds:.0f})")
        crowd.add_argument("--pools", type=int, default=usual.queries, help=f"drawn pools ({usual.queries})")
        crowd.add_argument("--per-second", type=float, help="judgments a second of all together; no pause without it")
        crowd.add_argument("--opens", type=int, help="open so many queries and put them off, instead of judging")

    def handle(self, *args: Any, **options: Any) -> None:
        """Measure, then print."""
        crowds = registry.benches()
        if options["name"] in crowds:
            figures = crowds[options["name"]](crowd_of(options))
            self.stdout.write(json.dumps(figures.row) if options["json"] else "\n".join(figures.in_words()))
            return
        names = [options["name"]] if options["name"] else sorted(BENCHES)
        rows = [{"bench": name, **row, **ratio(row)} for name in names for row in BENCHES[name]()]
        self.stdout.write(json.dumps(rows, indent=1) if options["json"] else "\n".join(map(in_words, rows)))


def crowd_of(options: dict[str, Any]) -> registry.Crowd:
    """Who is to be at work.

    Raises:
        CommandError: that is nobody, nothing to work on, or more than one machine holds.
    """
    for name, most in MOST.items():
        if options[name] is not None and not 0 < options[name] <= most:  # NaN is not
            written = f"--{name.replace('_', '-')}"
            raise CommandError(f"{written} is a number above 0 and up to {most:,}, not {options[name]}.", returncode=2)
    return registry.Crowd(
        people=options["judges"],
        seconds=options["seconds"],
        queries=options["pools"],
        per_second=options["per_second"],
        opens=options["opens"],
    )


def ratio(row: Row) -> Row:
    """How many times faster than the peer ours was."""
    return {"ratio": row["peer_s"] / row["ours_s"]} if "peer_s" in row else {}


def in_words(row: Row) -> str:
    """One line of the table."""
    ours = f"{row['what']}: {1000 * row['ours_s']:.1f} ms"
    if "peer_s" in row:
        return f"{ours}; {row['peer']} {1000 * row['peer_s']:.1f} ms; ratio {row['ratio']:.2f}"
    if "peak_mib" in row:
        return f"{ours}, at most {row['peak_mib']:,.0f} MiB beyond the mapped file"
    own = f"{1000 * row['cpu_s']:.1f} ms of it in this process"
    return f"{ours}, {own}; {row['sql']} SQL queries on {row['database']}"
