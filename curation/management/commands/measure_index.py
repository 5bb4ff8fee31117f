"""`manage.py measure_index SLUG NAME`: ask a connected index every query, and store its answers as a run."""

from __future__ import annotations

import json
from argparse import ArgumentParser

from django.core.management.base import CommandError
from django.utils import timezone

from curation.actions.index_run import DEPTH, measure_index
from curation.actions.refusal import Refused
from curation.commandline import REFUSED, PlainCommand, corpus_named
from curation.indexes.base import IndexRefused
from curation.reports.indexes_page import connected_index
from curation.retrieval.encoders import TextsRefused
from curation.retrieval.vectors import VectorsRefused


class Command(PlainCommand):
    """Measure an index."""

    help = "Ask a connected index every query, and store its answers as a run of its name, for boards and judging."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Which one, and how to print it."""
        parser.add_argument("slug", help="the short name of the corpus, as in its address")
        parser.add_argument("name", help="the name of the index")
        parser.add_argument("--k", type=int, help=f"documents of each query ({DEPTH} at first, then as many as before)")
        parser.add_argument("--json", action="store_true", help="print JSON")

    def handle(self, *_args: object, slug: str, name: str, k: int | None, json: bool, **_options: object) -> None:
        """Measure, and tell how many queries are in the run."""
        try:
            run = measure_index(index=connected_index(corpus_named(slug), name), k=k, now=timezone.now())
        except (Refused, IndexRefused, TextsRefused, VectorsRefused) as refusal:
            raise CommandError(str(refusal), returncode=REFUSED) from refusal
        told = {"run": run.name, "k": run.k, "queries": run.scores.count(), "sha256": run.sha256}
        self.stdout.write(as_json(told) if json else in_words(told))


def as_json(told: dict[str, object]) -> str:
    """One object."""
    return json.dumps(told)


def in_words(told: dict[str, object]) -> str:
    """One sentence."""
    return f"Run {told['run']}: {told['queries']:,} queries, {told['k']} documents each at most."
