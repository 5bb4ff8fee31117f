"""`manage.py mine SLUG`: ask for mining runs, or do them here."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.core.management.base import CommandError
from django.utils import timezone

from curation import tasks
from curation.actions import generations
from curation.actions.mining import Settings, last_draw
from curation.actions.refusal import Refused
from curation.actions.tightening import tighten_or_mine
from curation.commandline import REFUSED, PlainCommand, corpus_named
from curation.miners.keyword_draw import MOST
from curation.models import Corpus, Job, Miner, MiningRun, TargetIndex
from curation.reports import workers
from curation.reports.generations import mined_index, open_generation
from curation.reports.run_words import run_in_words
from curation.reports.thresholds import threshold_of

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
        parser.add_argument("--below", type=int, metavar="N", help="rare terms: those in fewer articles than this")
        parser.add_argument(
            "--threshold",
            type=float,
            help="with --miner near_duplicate: the least cosine of two members of a group; from the scores that the"
            " newest run kept where they reach so low, else by mining",
        )
        parser.add_argument("--wait", action="store_true", help="do the work here, without worker or broker")
        parser.add_argument("--json", action="store_true", help="one JSON object for each miner")

    def handle(self, *_args: object, slug: str, miner: str, wait: bool, **options: Any) -> None:
        """Ask, do or send, and print one line for each miner; exit with 2 where a run failed."""
        miners = list(Miner) if miner == ALL else [Miner(miner)]
        try:
            index = mined_index(corpus_named(slug))
            opens = index is not None and open_generation(index) is None
            asked = asked_for(slug, miners, options)
        except Refused as refusal:
            raise CommandError(str(refusal), returncode=REFUSED) from refusal
        if index and opens:
            (self.stderr if options["json"] else self.stdout).write(opened_in_words(index, miners))
        jobs = [each for each in asked if isinstance(each, Job)]
        if not wait:
            tasks.send(*(job.pk for job in jobs))
        tell = as_json if options["json"] else in_words
        states = set()
        for each in asked:
            done = tasks.wait_for(each.pk) if wait and isinstance(each, Job) else each
            states.add(done.state)
            self.stdout.write(tell(done))
            self.stdout.flush()
        if jobs and not wait and not options["json"]:
            self.stdout.write(waiting())
        if Job.State.FAILED in states:
            raise SystemExit(REFUSED)


def settings_given(corpus: Corpus, options: Mapping[str, Any]) -> Settings:
    """What the command line sets; of the draw, the newest numbers of the corpus stand where only some are given.

    Raises:
        Refused: a number is beyond what can be drawn.
    """
    given = {way: options[way] for way in DRAWN if options[way] is not None}
    for way, number in given.items():
        if not 0 <= number <= MOST:
            raise Refused(f"--{way} takes a whole number from 0 to {MOST:,}, not {number}.")
    return Settings(draw=replace(last_draw(corpus), **given) if given else None, below=options["below"])


def asked_for(slug: str, miners: Sequence[Miner], options: Mapping[str, Any]) -> Sequence[Job | MiningRun]:
    """The jobs that were asked for, or the run that regrouped kept scores.

    Raises:
        Refused: the corpus cannot be mined, or a threshold is given for another family.
    """
    corpus, now, threshold = corpus_named(slug), timezone.now(), options["threshold"]
    if options["below"] is not None and Miner.RARE_ENTITY not in miners:
        raise Refused("The limit --below is for rare terms alone; add --miner rare_entity.")
    if threshold is None:
        settings = settings_given(corpus, options)
        return generations.mine_now(corpus=corpus, miners=miners, asked_by=None, now=now, settings=settings)
    if list(miners) != [Miner.NEAR_DUPLICATE]:
        raise Refused("A threshold is for near-duplicate groups alone; add --miner near_duplicate.")
    return [tighten_or_mine(corpus=corpus, threshold=threshold, asked_by=None, now=now)]


def as_json(asked: Job | MiningRun) -> str:
    """The state of a run and what it found, on one line; of near-duplicates also the texts that are the very same."""
    run = asked.mining_run if isinstance(asked, Job) else asked
    run.refresh_from_db()
    error = asked.error if isinstance(asked, Job) else ""
    threshold = threshold_of(run)
    told: dict[str, Any] = {
        "miner": run.miner,
        "generation": run.generation.number,
        "state": asked.state,
        "summary": run.summary,
        **({"true_duplicates": threshold.twins} if threshold else {}),
        **({"error": error} if error else {}),
    }
    return json.dumps(told, ensure_ascii=False)


def in_words(asked: Job | MiningRun) -> str:
    """The same for a reader."""
    run = asked if isinstance(asked, MiningRun) else asked.mining_run
    run.refresh_from_db()
    error = asked.error if isinstance(asked, Job) else ""
    found = error or (run_in_words(run) if run.state == MiningRun.State.DONE else "")
    state = asked.get_state_display().lower()
    again = "Shown already." if asked is run else ""
    return " ".join(filter(None, (f"{Miner(run.miner).label}, {state}.", found, again)))


def opened_in_words(index: TargetIndex, miners: Sequence[Miner]) -> str:
    """That the runs opened a generation, and which families are not mined in it."""
    generation = generations.current(corpus=index.corpus, now=timezone.now())
    left = [str(miner.label) for miner in Miner if miner not in miners]
    told = f"Generation {generation.number} of index {index.name} was opened"
    slug = index.corpus.slug
    return f"{told}. Not mined in it yet: {', '.join(left)}; mine {slug} asks for all four." if left else f"{told}."


def waiting() -> str:
    """Who will do it."""
    silence = workers.silence(now=timezone.now())
    if silence:
        return f"{silence} The runs are stored and start when one does; --wait does them here."
    return "The workers have the runs; the Mining page shows their progress."
