"""`manage.py diff_sets A B`: what came, went and changed between two set versions of a corpus."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Iterable, Mapping
from typing import Any

from curation.reporting import ReportCommand
from curation.reports.set_diff import SetDiff, diff_of
from curation.reports.set_versions import set_version


class Command(ReportCommand):
    """Compare two set versions."""

    help = "Queries added, withdrawn and changed between two set versions, with the counts of each slice."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The two versions."""
        parser.add_argument("before", metavar="A", help="the older version, such as hard@3")
        parser.add_argument("now", metavar="B", help="the newer version, such as hard@4")
        parser.add_argument("--json", action="store_true", help="print JSON")

    def tell(self, options: Mapping[str, Any]) -> str:
        """The comparison."""
        before, now = options["before"], options["now"]
        found = diff_of(set_version(before), set_version(now))
        if options["json"]:
            return json.dumps({"before": before, "now": now, **found.as_json()}, ensure_ascii=False, indent=1)
        return "\n".join(lines_of(found, before, now))


def lines_of(found: SetDiff, before: str, now: str) -> Iterable[str]:
    """The comparison for a reader: slices, then each query."""
    if found.is_empty:
        yield f"{before} and {now} hold the same queries and grades."
        return
    yield f"{'slice':<16}{before:>12}{'added':>10}{'withdrawn':>11}{'moved':>8}{now:>12}"
    for each in (*found.slices, found.total):
        added, left, moved = (_signed(change) for change in (each.added, -each.withdrawn, each.moved))
        name = each.slice or "all"
        yield f"{name:<16}{each.before:>12,}{added:>10}{left:>11}{moved:>8}{each.now:>12,}"
    yield from (f"{title}: {was} → {is_now}" for title, was, is_now in found.rule_rows)
    yield from (f"+ {member.external_id}  {member.text}" for member in found.added)
    yield from (f"- {member.external_id}  {member.text}" for member in found.withdrawn)
    for change in found.changed:
        yield from (f"~ {change.member.external_id}  {was} → {is_now}" for _, was, is_now in change.rows)


def _signed(change: int) -> str:
    """A change with its sign; none has none."""
    return f"{change:+,}" if change else "0"
