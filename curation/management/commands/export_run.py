"""`manage.py export_run SLUG NAME`: a ranked run for evaluators, in TREC's six columns.

The exact run at full width goes to a file with its provenance beside it, so that a gate takes it for a baseline; so
does one that came in with a provenance.
"""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any, TextIO

from curation.actions.refusal import Refused
from curation.actions.runs import EXACT
from curation.commandline import ExportCommand, write_out
from curation.formats.runs import fingerprint, write_run
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

    def send(self, corpus: Corpus, out: TextIO, options: dict[str, Any]) -> str:
        """Write it."""
        run = corpus.ranked_runs.filter(name=options["name"]).first()
        if run is None:
            known = ", ".join(corpus.ranked_runs.order_by("name").values_list("name", flat=True)) or "none yet"
            raise Refused(f"Corpus {corpus.slug} has no run called {options['name']}. Its runs: {known}.")
        rankings = run_rankings(run)
        write_run(out, rankings, tag="hardset")
        told = run.provenance or provenance_of(run)
        if options["out"] and told:
            bound = {**told, ANSWERS: fingerprint(rankings, run.k)}
            write_out(beside(options["out"]), json.dumps(bound, indent=1))
        return f"{len(rankings):,} queries, {run.k:,} documents each at most"


def provenance_of(run: RankedRun) -> dict[str, Any]:
    """What makes the run of exact search a baseline; {} for another run, or of cut vectors."""
    space = run.embedding_space
    return provenance(space) if run.name == EXACT and space and space.dims == space.native_dims else {}
