"""Freezing in the background: a page asks for it, and shows how far it is."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.utils import timezone

from curation.actions import jobs
from curation.actions.freezing import STEPS, one_wins, prepare, store, unblocked
from curation.actions.holds import Held
from curation.models import Corpus, Job, User

KIND = "freeze"


def ask_to_freeze(*, corpus: Corpus, name: str, asked_by: User, now: datetime) -> Job:
    """The job that freezes `corpus` under `name`; asked for again while it waits or runs, it is the same.

    Raises:
        Blocked, Refused: what can be seen at once is in the way (see `unblocked`).
    """
    unblocked(corpus=corpus, name=name)
    key = f"{KIND}:{corpus.pk}:{name}"
    return jobs.ask(kind=KIND, unique_key=key, params={"name": name}, corpus=corpus, asked_by=asked_by, now=now)


def work(held: Held) -> dict[str, Any]:
    """Freeze what the corpus counts when the job begins; the version and the end of the job stand or fall together."""
    name = str(held.params["name"])
    prepared = prepare(
        corpus=held.corpus,
        name=name,
        frozen_by=held.job.asked_by,
        now=timezone.now(),
        tell=lambda step, words: held.progress(step, STEPS, words),
    )
    result: dict[str, Any] = {}
    with one_wins(name), held.closing(result):
        version = store(prepared)
        result |= {"set": str(version), "name": version.name, "number": version.number}
    return result
