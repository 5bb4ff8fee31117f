"""What judging does in the background: drawing pools, and looking after what nobody asked to draw."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from celery import shared_task
from django.utils import timezone

from curation import registry
from curation.actions.holds import Held
from curation.actions.pooling import KIND, ask_for_pools
from curation.tasks import send
from judging.actions.candidates import add_candidate
from judging.actions.demo import judge_twice
from judging.actions.pools import draw_pools
from judging.reports.pools import candidates_of, corpora_due, judged_by, waiting_pairs
from judging.reports.undecided import undecided_on


def draw(held: Held) -> dict[str, Any]:
    """Draw the pools of the job's corpus."""
    drawing = draw_pools(corpus=held.corpus, now=timezone.now(), progress=held.progress, writing=held.writing)
    return asdict(drawing)


@shared_task
def sweep_pools() -> None:
    """Ask for the pools that nobody asked for."""
    now = timezone.now()
    for corpus in corpora_due(now=now):
        send(ask_for_pools(corpus=corpus, asked_by=None, now=now).pk)


registry.add_job_kind(KIND, draw)
registry.add_pools(
    registry.Pools(
        send=add_candidate,
        waiting=waiting_pairs,
        judged_by=judged_by,
        candidates=candidates_of,
        undecided=undecided_on,
    )
)
registry.add_demo_step(
    registry.DemoStep(
        "Second opinions", lambda corpus, now: f"{judge_twice(corpus=corpus, now=now)} disagreements wait for a lead"
    )
)
