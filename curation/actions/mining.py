"""Mining runs: asked for in a generation, each done by a job of its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from django.db import transaction

from curation.actions import jobs
from curation.actions.families import hard_negative, near_duplicate, rare_entity, short_keyword, tightened
from curation.actions.families.found import Found, discard, finish, keep
from curation.actions.families.telling import Tell, counted
from curation.actions.holds import Held
from curation.actions.refusal import Refused
from curation.miners.keyword_draw import NOTHING_DRAWN, Draw
from curation.miners.rare_entity import BELOW, LEAST_BELOW, MOST_BELOW
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
    Miner.RARE_ENTITY: "steps done: terms found, weighed and drafted",
    Miner.SHORT_KEYWORD: "steps done",
}


@dataclass(frozen=True, slots=True)
class Settings:
    """What a lead sets of the runs that are asked for; None leaves it as it was, in the newest run of the corpus.

    `draw` says how many keyword queries are proposed, `below` is the number of articles that a rare term stays under.
    `threshold` is that of near-duplicate groups, the encoder's own where it is None.
    """

    draw: Draw | None = None
    below: int | None = None
    threshold: float | None = None

    def chosen_for(self, miner: Miner) -> dict[str, Any]:
        """What is set of a miner's runs, as its run keeps it."""
        chosen: Mapping[Miner, dict[str, Any]] = {
            Miner.SHORT_KEYWORD: {"draw": self.draw and asdict(self.draw)},
            Miner.RARE_ENTITY: {"below": self.below},
            Miner.NEAR_DUPLICATE: {"threshold": self.threshold},
        }
        return {name: value for name, value in chosen.get(miner, {}).items() if value is not None}


AS_BEFORE = Settings()


def ask_for(
    *,
    generation: Generation,
    miners: Sequence[Miner],
    asked_by: User | None,
    now: datetime,
    settings: Settings = AS_BEFORE,
) -> list[Job]:
    """A waiting run for each of `miners`, by its job; one that lives in this generation already is taken instead.

    Raises:
        Refused: a number is out of its range, or a run that lives was asked for with other numbers.
    """
    if settings.below is not None and not LEAST_BELOW <= settings.below <= MOST_BELOW:
        raise Refused(
            f"The limit of rare terms is a whole number from {LEAST_BELOW} to {MOST_BELOW:,}, not {settings.below}."
        )
    if settings.draw and settings.draw.is_empty:
        raise Refused(NOTHING_DRAWN)
    asked = []
    for miner in miners:
        chosen = settings.chosen_for(miner)
        with transaction.atomic():
            job = jobs.ask(
                kind=KIND,
                unique_key=key_of(generation, miner),
                params={"miner": miner, "generation": generation.number},
                corpus=generation.index.corpus,
                asked_by=asked_by,
                now=now,
            )
            params = kept(generation.index.corpus, miner) | chosen
            fresh = {"generation": generation, "miner": miner, "created_at": now, "params": params}
            run, _ = MiningRun.objects.get_or_create(job=job, defaults=fresh)
            if any(run.params.get(name) != value for name, value in chosen.items()):
                raise Refused(f"{miner.label} are being mined with other numbers; wait for that run, or cancel it.")
        asked.append(job)
    return asked


def key_of(generation: Generation, miner: Miner) -> str:
    """By what two runs of one family in one generation are the same job."""
    return f"{KIND}:{generation.pk}:{miner}"


def kept(corpus: Corpus, miner: Miner) -> dict[str, Any]:
    """The numbers that a run takes over where a lead sets none."""
    if miner == Miner.SHORT_KEYWORD:
        return {"draw": asdict(last_draw(corpus))}
    return {"below": last_below(corpus)} if miner == Miner.RARE_ENTITY else {}


def last_draw(corpus: Corpus) -> Draw:
    """How many keyword queries the newest run of `corpus` was asked to draw, else as many as a first one does.

    Runs of older versions may have been asked for none at all; that is not carried on.
    """
    asked = Draw(**_last(corpus, Miner.SHORT_KEYWORD).get("draw", {}))
    return Draw() if asked.is_empty else asked


def last_below(corpus: Corpus) -> int:
    """The limit that the newest run of rare terms in `corpus` was asked for, else that of a first one."""
    return int(_last(corpus, Miner.RARE_ENTITY).get("below", BELOW))


def _last(corpus: Corpus, miner: Miner) -> Mapping[str, Any]:
    runs = MiningRun.objects.filter(generation__index__corpus=corpus, miner=miner)
    newest = runs.exclude(params={}).order_by("-pk").first()
    return newest.params if newest else {}


def mine(held: Held) -> dict[str, Any]:
    """Do the mining run of a held job: its figures, the verdicts it takes over and its end are one transaction.

    Its rows are stored before, where nobody sees them until the run is done; what a worker that died at it had stored
    goes first.

    Raises:
        LostHold: the run was cancelled or another worker holds it; `discard_unfinished` takes away what it stored.
    """
    run = MiningRun.objects.select_related("generation__index__corpus").get(job=held.job)
    discard([run.pk], writing=held.writing)
    miner = Miner(run.miner)

    def tell(done: int, total: int, words: str = "", /) -> None:
        held.progress(done, total, words or counted(done, total, STEPS[miner]))

    found = FAMILIES[miner](run, tell)
    keep(found, writing=held.writing)
    with held.closing(found.summary):
        held.beat()  # the job's row before the run's, as whoever cancels them takes them
        found.summary["partition"] = partition_of(run.generation.index.corpus).as_json()
        finish(run, found)
    return found.summary


def discard_unfinished() -> None:
    """Delete what runs had stored that were cancelled or failed: nobody ever saw it."""
    ended = MiningRun.objects.filter(state__in=[MiningRun.State.CANCELLED, MiningRun.State.FAILED])
    discard(list(ended.values_list("pk", flat=True)))
