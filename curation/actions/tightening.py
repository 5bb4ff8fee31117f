"""A tighter bar for near-duplicate groups: from the scores that a run kept where they serve, else by mining."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from curation.actions import generations, jobs, mining
from curation.actions.mining import Settings
from curation.actions.production import hold_indexes
from curation.actions.refusal import Refused
from curation.models import Corpus, Generation, Job, Miner, MiningRun, User
from curation.reports.thresholds import THRESHOLD, TIGHTENED_FROM, mined_for, newest_groups, why_not_kept


def tighten(*, corpus: Corpus, threshold: float, asked_by: User | None, now: datetime) -> MiningRun | Job:
    """Ask for the groups of the kept scores at `threshold`, which reads no vectors; the run that is shown has it: that.

    The same rule as mining gives the groups, verdicts on groups that stay are carried over, and choosing the bar that
    was mined brings all groups back.

    Raises:
        Refused: nothing was mined, the bar is looser than the mined one or above 1, or the scores serve no more.
    """
    with transaction.atomic():
        shown = newest_groups(corpus)
        if shown is None:
            raise Refused(f"No near-duplicate groups were mined in {corpus.slug} yet; mine them first.")
        generation = shown.generation
        hold_indexes(corpus)
        _require_rest(generation)
        mined = mined_for(shown)
        _require(mined, threshold)
        if shown.params[THRESHOLD] == threshold:
            return shown
        job = jobs.ask(
            kind=mining.KIND,
            unique_key=mining.key_of(generation, Miner.NEAR_DUPLICATE),
            params={"miner": Miner.NEAR_DUPLICATE, "generation": generation.number},
            corpus=corpus,
            asked_by=asked_by,
            now=now,
        )
        params = {THRESHOLD: threshold, TIGHTENED_FROM: mined.pk}
        MiningRun.objects.create(
            generation=generation, miner=Miner.NEAR_DUPLICATE, job=job, created_at=now, params=params
        )
        return job


def tighten_or_mine(*, corpus: Corpus, threshold: float, asked_by: User | None, now: datetime) -> MiningRun | Job:
    """Groups at `threshold`: from kept scores where they serve, else a run that is asked for.

    Raises:
        Refused: the corpus has no index, the threshold is no cosine, or groups are being mined at this moment.
    """
    if not 0 < threshold <= 1:
        raise Refused(f"{threshold:g} is no similarity; choose one above 0, up to 1.")
    with transaction.atomic():
        shown = newest_groups(corpus)
        generation = generations.current(corpus=corpus, now=now)
        _require_rest(generation)
        if shown and shown.generation_id == generation.pk:
            mined = mined_for(shown)
            if not why_not_kept(mined) and mined.params[THRESHOLD] <= threshold:
                return tighten(corpus=corpus, threshold=threshold, asked_by=asked_by, now=now)
        settings = Settings(threshold=threshold)
        [job] = generations.mine_now(
            corpus=corpus, miners=[Miner.NEAR_DUPLICATE], asked_by=asked_by, now=now, settings=settings
        )
        return job


def _require_rest(generation: Generation) -> None:
    live = MiningRun.objects.filter(generation__index=generation.index_id, miner=Miner.NEAR_DUPLICATE)
    if live.filter(state__in=Job.LIVE).exists():
        raise Refused("Near-duplicate groups are being mined at this moment; wait for that run, or cancel it.")


def _require(mined: MiningRun, threshold: float) -> None:
    why_not = why_not_kept(mined)
    if why_not:
        raise Refused(why_not)
    if not mined.params[THRESHOLD] <= threshold <= 1:
        raise Refused(
            f"Scores were kept from a similarity of {mined.params[THRESHOLD]:g} on, so choose one from there to 1;"
            " a looser one needs mining again."
        )
