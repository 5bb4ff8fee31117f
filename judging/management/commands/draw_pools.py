"""`manage.py draw_pools SLUG`: a pool for every READY query, drawn here; needs no running worker."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError
from django.utils import timezone

from curation.actions.pooling import ask_for_pools
from curation.actions.refusal import Refused
from curation.commandline import PlainCommand, corpus_named
from curation.models import Job
from curation.tasks import wait_for
from judging.models import Retriever


class Command(PlainCommand):
    """Draw pools."""

    help = "Draw the candidates of every READY query without a pool, from the retrievers that its stratum asks for."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The corpus."""
        parser.add_argument("slug", help="the corpus")
        parser.add_argument("--json", action="store_true", help="print JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        """Ask for the job, do it, say what came of it."""
        try:
            corpus = corpus_named(options["slug"])
        except Refused as refusal:
            raise CommandError(str(refusal), returncode=2) from refusal
        job = wait_for(ask_for_pools(corpus=corpus, asked_by=None, now=timezone.now()).pk)
        if job.state != Job.State.DONE:
            raise CommandError(job.error or "The job was cancelled.", returncode=2)
        self.stdout.write(json.dumps(job.result, indent=1) if options["json"] else in_words(job.result))


def in_words(result: dict[str, Any]) -> str:
    """One sentence, another for each retriever that some pools lack, and another where queries had to wait."""
    told = [f"{result['pools']:,} pools drawn, {result['candidates']:,} candidates."]
    for name, count in sorted(result["without"].items()):
        told.append(f"{count:,} of them without {Retriever(name).label}: {result['without_because'][name]}")
    if result["waiting"]:
        told.append(f"{result['waiting']:,} queries wait: {result['because']}")
    return " ".join(told)
