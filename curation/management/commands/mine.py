"""`manage.py mine SLUG`: ask for mining runs, or do them here."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from django.core.management.base import CommandError
from django.utils import timezone

from curation import tasks
from curation.actions import generations
from curation.actions.mining import last_draw
from curation.actions.refusal import Refused
from curation.commandline import REFUSED, PlainCommand, corpus_named
from curation.miners.keyword_draw import MOST, Draw
from curation.models import Corpus, Job, Miner
from curation.reports import workers

ALL = "all"
DRAWN = {
    "top": "the most asked of each stratum",
    "random": "drawn by chance from each stratum",
    "proportional": "shared out among the strata by their searches",
    "seed": "of the draw; the same one draws the same queries",
}


class Command(PlainCommand):
    """Mine a corpus in its open generation."""

    help = "Mine a corpus against its production index, in the open generation; the first one is opened where none is."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Which families, and who does the work."""
        parser.add_argument("slug", help="the short name of the corpus, as in its address")
        parser.add_argument("--miner", choices=[*Miner.values, ALL], default=ALL)
        for way, what in DRAWN.items():
            parser.add_argument(f"--{way}", type=int, metavar="N", help=f"keyword queries: {what}")
        parser.add_argument("--wait", action="store_true", help="do the work here, without worker or broker")
        parser.add_argument("--json", action="store_true", help="one JSON object for each miner")

    def handle(self, *_args: object, slug: str, miner: str, wait: bool, **options: Any) -> None:
        """Ask, do or send, and print one line for each miner; exit with 2 where a run failed."""
        miners = list(Miner) if miner == ALL else [Miner(miner)]
        given = {way: options[way] for way in DRAWN if options[way] is not None}
        try:
            corpus = corpus_named(slug)
            draw = draw_given(corpus, given) if given else None
            asked = generations.mine_now(corpus=corpus, miners=miners, asked_by=None, now=timezone.now(), draw=draw)
        except Refused as refusal:
            raise CommandError(str(refusal), returncode=REFUSED) from refusal
        if not wait:
            tasks.send(*(job.pk for job in asked))
        tell = as_json if options["json"] else in_words
        states = set()
        for job in map(tasks.wait_for, (job.pk for job in asked)) if wait else asked:
            states.add(job.state)
            self.stdout.write(tell(job))
            self.stdout.flush()
        if not wait and not options["json"]:
            self.stdout.write(waiting())
        if Job.State.FAILED in states:
            raise SystemExit(REFUSED)


def draw_given(corpus: Corpus, given: dict[str, int]) -> Draw:
    """The newest numbers of the corpus with those that are given.

    Raises:
        Refused: a number is beyond what can be drawn.
    """
    for way, number in given.items():
        if not 0 <= number <= MOST:
            raise Refused(f"--{way} takes a whole number from 0 to {MOST:,}, not {number}.")
    return replace(last_draw(corpus), **given)


def as_json(job: Job) -> str:
    """The state of a run and what it found, on one line."""
    told: dict[str, Any] = {
        "miner": job.params["miner"],
        "generation": job.params["generation"],
        "state": job.state,
        "summary": job.result,
        **({"error": job.error} if job.error else {}),
    }
    return json.dumps(told, ensure_ascii=False)


def in_words(job: Job) -> str:
    """The same for a reader."""
    found = job.error or ", ".join(figures(job.result.items())) or "waits for a worker"
    return f"{job.params['miner']:<14} {job.state:<9} {found}"


def figures(summary: Iterable[tuple[str, Any]]) -> Iterable[str]:
    """The counts of a run, as words; how hard it is fills a page of its own (`generations`)."""
    for name, value in summary:
        if isinstance(value, dict):
            counts = ((key, count) for key, count in value.items() if not isinstance(count, dict))
            yield from figures((f"{named(name)} {key}", count) for key, count in counts)
        elif not isinstance(value, list):
            yield f"{name.replace('_', ' ')} {value:,}"


def named(breakdown: str) -> str:
    """What a breakdown counts by: "script" of "by_script"."""
    return breakdown.replace("by_", "").replace("_", " ")


def waiting() -> str:
    """Who will do it."""
    silence = workers.silence(now=timezone.now())
    if silence:
        return f"{silence} The runs are stored and start when one does; --wait does them here."
    return "The workers have the runs; the Mining page shows their progress."
