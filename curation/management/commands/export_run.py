"""`manage.py export_run SLUG NAME`: a ranked run for evaluators, in TREC's six columns.

The exact run at full width goes to a file with its provenance beside it, so that a gate takes it for a baseline; so
does one that came in with a provenance. `exact --k 200` measures it as deep as a gate reads.
"""

from __future__ import annotations

import json
from argparse import ArgumentParser
from dataclasses import replace
from typing import Any, TextIO

from django.utils import timezone

from curation.actions.refusal import Refused
from curation.actions.runs import EXACT, run_named, run_stored
from curation.commandline import ExportCommand, write_out
from curation.formats.runs import Ranking, fingerprint, write_run
from curation.models import Corpus, RankedRun
from curation.reports.exports import run_rankings
from curation.reports.gate_baseline import ANSWERS, beside, provenance


class Command(ExportCommand):
    """Export a ranked run."""

    help = "Export a ranked run. Its scores count down to 1, because evaluators break equal scores the other way round."
    forms = ("trec",)

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the run's name too."""
        super().add_arguments(parser)
        parser.add_argument("name", help="the run, as boards call it")
        parser.add_argument(
            "--k",
            type=int,
            help="documents of each query (all that the run holds); exact is measured now where it is not as deep",
        )

    def make_ready(self, corpus: Corpus, options: dict[str, Any]) -> None:
        """Measure exact search where it is asked for deeper than it is stored."""
        if options["k"] is not None and options["k"] < 1:
            raise Refused("k counts documents, and is 1 or more.")
        if options["k"] is not None:
            run_named(corpus, options["name"], k=options["k"], now=timezone.now())

    def send(self, corpus: Corpus, out: TextIO, options: dict[str, Any]) -> str:
        """Write it."""
        run = run_stored(corpus, options["name"])
        depth = run.k if options["k"] is None else depth_asked(run, options["k"])
        rankings = [cut(ranking, depth) for ranking in run_rankings(run)]
        write_run(out, rankings, tag="hardset")
        told = run.provenance or provenance_of(run)
        if options["out"] and told:
            bound = {**told, ANSWERS: fingerprint(rankings, depth)}
            write_out(beside(options["out"]), json.dumps(bound, indent=1))
        return f"{len(rankings):,} queries, {depth:,} documents each at most"


def depth_asked(run: RankedRun, k: int) -> int:
    """`k`.

    Raises:
        Refused: the run holds fewer.
    """
    if run.k < k:
        raise Refused(f"{run.name} holds the first {run.k:,} documents of a query, fewer than {k:,}; leave --k out.")
    return k


def cut(ranking: Ranking, depth: int) -> Ranking:
    """Its first `depth` documents."""
    return replace(ranking, document_ids=ranking.document_ids[:depth], scores=ranking.scores[:depth])


def provenance_of(run: RankedRun) -> dict[str, Any]:
    """What makes the run of exact search a baseline; {} for another run, or of cut vectors."""
    space = run.embedding_space
    return provenance(space) if run.name == EXACT and space and space.dims == space.native_dims else {}
