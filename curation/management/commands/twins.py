"""`manage.py twins SLUG`: text twins that are graded differently for one query."""

from __future__ import annotations

import json
from argparse import ArgumentParser

from django.core.management.base import CommandError

from curation.actions.refusal import Refused
from curation.commandline import REFUSED, PlainCommand, corpus_named
from curation.reports.twins import TwinGrades, differing_twins


class Command(PlainCommand):
    """List contradicting twins."""

    help = "Text twins whose settled grades for one query differ, those that differ in relevance first."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The corpus."""
        parser.add_argument("slug", help="the short name of the corpus, as in its address")
        parser.add_argument("--json", action="store_true", help="print JSON")

    def handle(self, *_args: object, slug: str, **options: object) -> None:
        """Ask the report, print its answer."""
        try:
            found = differing_twins(corpus_named(slug))
        except Refused as refusal:
            raise CommandError(str(refusal), returncode=REFUSED) from refusal
        if options["json"]:
            self.stdout.write(json.dumps([each.as_json() for each in found], ensure_ascii=False, indent=1))
            return
        self.stdout.write("\n".join(map(in_words, found)) or "No text twins are graded differently.")


def in_words(twins: TwinGrades) -> str:
    """One line for a reader: "q1: d3 2 agreed, d4 0 agreed (contradict each other)"."""
    grades = ", ".join(f"{each.canonical_id} {each.grade} {each.source}" for each in twins.qrels)
    return f"{twins.query.external_id}: {grades}{' (contradict each other)' if twins.contradicts else ''}"
