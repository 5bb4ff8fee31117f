"""Mining runs: asked for in a generation, each done by a job of its own."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction

from curation.actions import jobs
from curation.models import Generation, Job, Miner, MiningRun, User

KIND = "mine"


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
