"""`manage.py export_proposals SLUG --miner M --out FILE.jsonl`: what a miner found, for use elsewhere."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path

from django.core.management.base import CommandError

from curation.actions.refusal import Refused
from curation.commandline import REFUSED, PlainCommand, corpus_named, write_out
from curation.formats.json_lines import json_line
from curation.models import Miner
from curation.reports.mined import lines_of, newest_run


class Command(PlainCommand):
    """Write the newest finished run of a miner as JSON Lines."""

    help = "Write what a miner found, as JSON Lines; the same run gives the same bytes."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Which run, and where to."""
        parser.add_argument("slug", help="the short name of the corpus, as in its address")
        parser.add_argument("--miner", choices=Miner.values, required=True)
        parser.add_argument("--generation", type=int, help="its number; the newest finished run without it")
        parser.add_argument("--out", type=Path, required=True, help="the file to write")

    def handle(self, *_args: object, slug: str, miner: str, generation: int | None, **options: object) -> None:
        """Write the file and say how many lines it has."""
        out = Path(str(options["out"]))
        try:
            corpus = corpus_named(slug)
        except Refused as refusal:
            raise CommandError(str(refusal), returncode=REFUSED) from refusal
        run = newest_run(corpus, Miner(miner), generation=generation)
        if run is None:
            where = "yet" if generation is None else f"in generation {generation}"
            raise CommandError(f"{slug} has no finished {miner} run {where}; mine it first.", returncode=REFUSED)
        lines = [json_line(line) for line in lines_of(run)]
        write_out(out, "".join(lines))
        self.stdout.write(f"{len(lines):,} lines of generation {run.generation.number} written to {out}.")
