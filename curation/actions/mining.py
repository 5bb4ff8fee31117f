"""Mining runs: asked for in a generation, each done by a job of its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any

from django.db import transaction

from curation.actions import jobs
from curation.actions.families import hard_negative, near_duplicate, rare_entity, short_keyword, tightened
from curation.actions.families.found import Found, store
from curation.actions.families.telling import Tell, counted
from curation.actions.holds import Held
from curation.actions.refusal import Refused
from curation.miners.keyword_draw import Draw
from curation.models import Corpus, Generation, Job, Miner, MiningRun, User
from curation.reports.partition import partition_of
from curation.reports.thresholds import TIGHTENED_FROM

KIND = "mine"


def _near_duplicates(run: MiningRun, tell: Tell) -> Found:
    find = tightened.find if TIGHTENED_FROM in run.params else near_duplicate.find
    return find(run, tell)


FAMILIES: Mapping[Miner, Callable[[MiningRun, Tell], Found]] = {
    Miner.NEAR_DUPLICATE: _near_duplicates,
    Miner.HARD_NEGATIVE: hard_negative.find,
    Miner.RARE_ENTITY: rare_entity.find,
    Miner.SHORT_KEYWORD: short_keyword.find,
}
STEPS: Mapping[Miner, str] = {
    Miner.NEAR_DUPLICATE: "steps done: blocks compared, then groups described",
    Miner.HARD_NEGATIVE: "searches done: each query in each retriever",
    Miner.RARE_ENTITY: "chunks read, each of them three times",
    Miner.SHORT_KEYWORD: "steps done",
}


def ask_for(
    *,
    generation: Generation,
    miners: Sequence[Miner],
    asked_by: User | None,
    now: datetime,
    draw: Draw | None = None,
    threshold: float | None = None,
) -> list[Job]:
    """A waiting run for each of `miners`, by its job; one that lives in this generation already is taken instead.

    `draw` says how many keyword queries are proposed; without it they are as many as in the index's newest run.
    `threshold` is that of near-duplicate groups; without it the encoder's own.

    Raises:
        Refused: the run of keyword queries that lives draws other numbers than those asked for.
    """
    asked = []
    for miner in miners:
        with transaction.atomic():
            job = jobs.ask(
                kind=KIND,
                unique_key=key_of(generation, miner),
                params={"miner": miner, "generation": generation.number},
                corpus=generation.index.corpus,
                asked_by=asked_by,
                now=now,
            )
            params: dict[str, Any] = {}
            if miner == Miner.SHORT_KEYWORD:
                params = {"draw": asdict(draw or last_draw(generation.index.corpus))}
            elif miner == Miner.NEAR_DUPLICATE and threshold is not None:
                params = {"threshold": threshold}
            fresh = {"generation": generation, "miner": miner, "created_at": now, "params": params}
            run, _ = MiningRun.objects.get_or_create(job=job, defaults=fresh)
            if draw is not None and "draw" in params and run.params != params:
                raise Refused("Keyword queries are being mined with other numbers; wait for that run, or cancel it.")
        asked.append(job)
    return asked


def key_of(generation: Generation, miner: Miner) -> str:
    """By what two runs of one family in one generation are the same job."""
    return f"{KIND}:{generation.pk}:{miner}"


def last_draw(corpus: Corpus) -> Draw:
    """How many keyword queries the newest run of `corpus` was asked to draw, else as many as a first one does."""
    runs = MiningRun.objects.filter(generation__index__corpus=corpus, miner=Miner.SHORT_KEYWORD)
    newest = runs.exclude(params={}).order_by("-pk").first()
    return Draw(**newest.params.get("draw", {})) if newest else Draw()


def mine(held: Held) -> dict[str, Any]:
    """Do the mining run of a held job: its rows, its figures, the partition it left and its end are one transaction.

    Raises:
        LostHold: the run was cancelled or another worker holds it; nothing was written.
    """
    run = MiningRun.objects.select_related("generation__index__corpus").get(job=held.job)
    miner = Miner(run.miner)

    def tell(done: int, total: int, words: str = "", /) -> None:
        held.progress(done, total, words or counted(done, total, STEPS[miner]))

    found = FAMILIES[miner](run, tell)
    with held.closing(found.summary):
        found.summary["partition"] = partition_of(run.generation.index.corpus).as_json()
        store(run, found)
    return found.summary
