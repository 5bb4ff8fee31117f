"""`manage.py bench`: what we measured beside the peer, in one run."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Callable
from typing import Any

from django.core.management.base import BaseCommand

from curation.management.benches import Row, boards, pairs, searching

BENCHES: dict[str, Callable[[], list[Row]]] = {
    "exact": searching.exact_search,
    "pairs": pairs.near_duplicate_pairs,
    "mining_memory": pairs.mining_memory,
    "coverage": boards.coverage,
}


class Command(BaseCommand):
    """Run one benchmark, or all of them."""

    help = "Speeds on this machine, as ratios to peers measured in the same run."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Which one, and how to print it."""
        parser.add_argument("name", nargs="?", choices=sorted(BENCHES), help="one benchmark; all without it")
        parser.add_argument("--json", action="store_true", help="print JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        """Measure, then print."""
        names = [options["name"]] if options["name"] else sorted(BENCHES)
        rows = [{"bench": name, **row, **ratio(row)} for name in names for row in BENCHES[name]()]
        self.stdout.write(json.dumps(rows, indent=1) if options["json"] else "\n".join(map(in_words, rows)))


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
    return f"{ours}, {row['sql']} SQL queries on {row['database']}"
