"""The product's worker with two kinds of jobs more (one of slow steps, one that searches), and miners that take time."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable
from typing import Any

import django
import numpy as np

from curation.celery import app

django.setup()

from curation import registry  # noqa: E402  (models need Django set up)
from curation.actions import mining  # noqa: E402
from curation.actions.families.found import Found  # noqa: E402
from curation.actions.families.telling import Tell  # noqa: E402
from curation.actions.holds import Held  # noqa: E402
from curation.models import Corpus, Miner, MiningRun  # noqa: E402
from curation.retrieval.exact import top_k  # noqa: E402

__all__ = ["app"]


def walk(held: Held) -> dict[str, Any]:
    """As many slow steps as asked for, and then one corpus a step, all in the last transaction."""
    steps = held.params["steps"]
    for step in range(steps):
        held.progress(step, steps)
        time.sleep(held.params["seconds"])
    with held.closing({"steps": steps}):
        Corpus.objects.bulk_create(Corpus(slug=f"{held.params['name']}-{step}", name="Walked") for step in range(steps))
    return {}


def search(held: Held) -> dict[str, Any]:
    """One exact search over 20,000 x 128 numbers."""
    vectors = np.random.default_rng(29).standard_normal((20_000, 128), dtype=np.float32)
    hits = top_k(vectors, vectors[:1], 50)
    return {"found": hits.rows.shape[1], "first": int(hits.rows[0, 0])}


def slowed(find: Callable[[MiningRun, Tell], Found]) -> Callable[[MiningRun, Tell], Found]:
    """The same miner, which waits a moment at its first reports, so that it can be killed at work."""

    def found(run: MiningRun, tell: Tell) -> Found:
        reports = itertools.count()

        def reported(done: int, total: int, words: str = "", /) -> None:
            tell(done, total, words)
            if next(reports) < SLOW_REPORTS:
                time.sleep(1.1)

        return find(run, reported)

    return found


SLOW_REPORTS = 2
slow: dict[Miner, Callable[[MiningRun, Tell], Found]] = {name: slowed(find) for name, find in mining.FAMILIES.items()}
mining.FAMILIES = slow
registry.add_job_kind("walk", walk)
registry.add_job_kind("search", search)
