"""`manage.py export_proposals SLUG --miner M --out FILE.jsonl`: what a miner found, for use elsewhere."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from curation.actions.refusal import Refused
from curation.commandline import REFUSED, PlainCommand, corpus_named, write_lines
from curation.formats.json_lines import json_line
from curation.miners.hard_negative import WANTED
from curation.models import Miner, MiningRun
from curation.reports import mined, negative_lines
from curation.reports.picture import one_picture

IDS, _, N_TUPLES = negative_lines.FORMS


class Command(PlainCommand):
    """Write the newest finished run of a miner as JSON Lines."""

    help = "Write what a miner found, as JSON Lines; the same run gives the same bytes."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Which run, in which form, and where to."""
        parser.add_argument("slug", help="the short name of the corpus, as in its address")
        parser.add_argument("--miner", choices=Miner.values, required=True)
        parser.add_argument("--generation", type=int, help="its number; the newest finished run without it")
        parser.add_argument(
            "--form",
            choices=negative_lines.FORMS,
            default=IDS,
            help=f"of hard negatives: {IDS}, or texts to train on, under the column names of sentence-transformers",
        )
        parser.add_argument(
            "--negatives",
            type=int,
            choices=range(1, WANTED + 1),
            metavar="N",
            help=f"with --form n-tuples: negatives of each ({WANTED}); a query with fewer is left out",
        )
        parser.add_argument("--out", type=Path, required=True, help="the file to write")

    def handle(self, *_args: object, slug: str, miner: str, form: str, **options: Any) -> None:
        """Write the file and say how many lines it has."""
        size = options["negatives"] or WANTED
        if options["negatives"] and form != N_TUPLES:
            raise CommandError(f"--negatives is for n-tuples alone; add --form {N_TUPLES}.", returncode=REFUSED)
        if form != IDS and miner != Miner.HARD_NEGATIVE:
            raise CommandError(f"Only hard negatives can be written as {form}.", returncode=REFUSED)
        with one_picture():
            run = run_named(slug, Miner(miner), generation=options["generation"])
            lines = mined.lines_of(run) if form == IDS else negative_lines.lines(run, form=form, size=size)
            count = write_lines(options["out"], map(json_line, lines))
        self.stdout.write(f"{count:,} lines of generation {run.generation.number} written to {options['out']}.")
        if not count and run.miner == Miner.HARD_NEGATIVE:
            self.stdout.write(negative_lines.why_empty(run, form=form, size=size))


def run_named(slug: str, miner: Miner, *, generation: int | None) -> MiningRun:
    """The run to write.

    Raises:
        CommandError: there is none.
    """
    try:
        run = mined.newest_run(corpus_named(slug), miner, generation=generation)
    except Refused as refusal:
        raise CommandError(str(refusal), returncode=REFUSED) from refusal
    if run is None:
        where = "yet" if generation is None else f"in generation {generation}"
        raise CommandError(f"{slug} has no finished {miner} run {where}; mine it first.", returncode=REFUSED)
    return run
