"""Mining runs: asked for in a generation, each done by a job of its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db import transaction

from curation.actions import jobs
from curation.actions.families import hard_negative, near_duplicate, rare_entity, short_keyword
from curation.actions.families.found import Found, store
from curation.actions.holds import Held
from curation.miners.progress import Progress
from curation.models import Generation, Job, Miner, MiningRun, User
from curation.reports.partition import partition_of

KIND = "mine"
FAMILIES: Mapping[Miner, Callable[[MiningRun, Progress], Found]] = {
    Miner.NEAR_DUPLICATE: near_duplicate.find,
    Miner.HARD_NEGATIVE: hard_negative.find,
    Miner.RARE_ENTITY: rare_entity.find,
    Miner.SHORT_KEYWORD: short_keyword.find,
}
STEPS: Mapping[Miner, str] = {
    Miner.NEAR_DUPLICATE: "steps done: blocks compared, then groups described",
    Miner.HARD_NEGATIVE: "searches done: each query in each retriever",
    Miner.RARE_ENTITY: "chunks read, each of them twice",
    Miner.SHORT_KEYWORD: "steps done: texts read, then queries of the log",
}


def ask_for(*, generation: Generation, miners: Sequence[Miner], asked_by: User | None, now: datetime) -> list[Job]:
    """A waiting run for each of `miners`, by its job; one that lives in this generation already is taken instead."""
    asked = []
    for miner in miners:
        with transaction.atomic():
            job = jobs.ask(
                kind=KIND,
                unique_key=f"{KIND}:{generation.pk}:{miner}",
                params={"miner": miner, "generation": generation.number},
                corpus=generation.index.corpus,
                asked_by=asked_by,
                now=now,
            )
            fresh = {"generation": generation, "miner": miner, "created_at": now}
            MiningRun.objects.get_or_create(job=job, defaults=fresh)
        asked.append(job)
    return asked


def mine(held: Held) -> dict[str, Any]:
    """Do the mining run of a held job: its rows, its figures, the partition it left and its end are one transaction.

    Raises:
        LostHold: the run was cancelled or another worker holds it; nothing was written.
    """
    run = MiningRun.objects.select_related("generation__index__corpus").get(job=held.job)
    miner = Miner(run.miner)

    def progress(done: int, total: int) -> None:
        held.progress(done, total, f"{done:,} of {total:,} {STEPS[miner]}")

    found = FAMILIES[miner](run, progress)
    with held.closing(found.summary):
        found.summary["partition"] = partition_of(run.generation.index.corpus).as_json()
        store(run, found)
    return found.summary
