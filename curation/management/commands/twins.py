"""`manage.py twins SLUG`: text twins that are graded differently for one query."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any

from curation.commandline import corpus_named
from curation.reporting import ReportCommand
from curation.reports.twins import TwinGrades, differing_twins


class Command(ReportCommand):
    """List contradicting twins."""

    help = "Text twins whose settled grades for one query differ, those that differ in relevance first."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The corpus."""
        parser.add_argument("slug", help="the short name of the corpus, as in its address")
        parser.add_argument("--json", action="store_true", help="print JSON")

    def tell(self, options: Mapping[str, Any]) -> str:
        """Each pair, or that there is none."""
        found = differing_twins(corpus_named(options["slug"]))
        if options["json"]:
            return json.dumps([each.as_json() for each in found], ensure_ascii=False, indent=1)
        return "\n".join(map(in_words, found)) or "No text twins are graded differently."


def in_words(twins: TwinGrades) -> str:
    """One line for a reader: "q1: d3 2 agreed, d4 0 agreed (contradict each other)"."""
    grades = ", ".join(f"{each.canonical_id} {each.grade} {each.source}" for each in twins.qrels)
    return f"{twins.query.external_id}: {grades}{' (contradict each other)' if twins.contradicts else ''}"
