"""What stands in a corpus on an ordinary working day."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.utils import timezone

from curation.models import (
    Corpus,
    Document,
    EmbeddingSpace,
    Generation,
    Job,
    Miner,
    MiningRun,
    Proposal,
    Query,
    TargetIndex,
    User,
)
from judging.models import Assignment, Candidate, Judgment, Pool, State


def a_space(corpus: Corpus) -> EmbeddingSpace:
    """The corpus's current vectors, without a file."""
    return EmbeddingSpace.objects.create(
        corpus=corpus, encoder="lsa", revision="1", native_dims=4, dims=4, vectors_file="v.npy", rows=0
    )


def a_pool(query: Query, *, candidates: int = 3) -> Pool:
    """A pool of `query` with a few candidates."""
    space = EmbeddingSpace.objects.filter(corpus=query.corpus).first() or a_space(query.corpus)
    pool = Pool.objects.create(query=query, embedding_space=space, depth=50, drawn_at=timezone.now())
    for number in range(candidates):
        identity = f"d{query.pk}-{number}"
        document = Document.objects.create(corpus=query.corpus, external_id=identity, canonical_id=identity)
        Candidate.objects.create(pool=pool, document=document, canonical_id=identity, exact_rank=number + 1)
    return pool


def holds(user: User, pool: Pool, *, minutes: int = 30) -> Assignment:
    """`user` is in the middle of `pool`, with one mark made."""
    now = timezone.now()
    candidate = pool.candidates.all()[0]
    Judgment.objects.create(
        query=pool.query, document=candidate.document, canonical_id=candidate.canonical_id, assessor=user,
        candidate=candidate, grade=3, state=State.GRADED, text_sha256="0" * 64, judged_at=now,
    )  # fmt: skip
    return Assignment.objects.create(
        pool=pool, assessor=user, place=1, order_seed=1, opened_at=now, lease_until=now + timedelta(minutes=minutes)
    )


def finished(user: User, query: Query, *, seconds: int, at: datetime | None = None) -> Assignment:
    """`user` judged `query` in `seconds`."""
    at = at or timezone.now()
    query.status = Query.Status.JUDGED
    query.save()
    return Assignment.objects.create(
        pool=a_pool(query, candidates=0), assessor=user, place=1, order_seed=1, opened_at=at, lease_until=at,
        finished_at=at, seconds_active=seconds,
    )  # fmt: skip


def a_generation(corpus: Corpus, *, number: int = 7) -> Generation:
    """An open generation against the exact index."""
    due = timezone.now().date()
    index = TargetIndex.objects.create(corpus=corpus, name="exact", kind="exact", remine_due_on=due.replace(day=1))
    return Generation.objects.create(index=index, number=number, due_on=due, opened_at=timezone.now())


def a_mining_run(generation: Generation, miner: Miner, *, state: str = "done", pending: int = 0) -> MiningRun:
    """A run of one miner with `pending` proposals to review and one accepted."""
    now = timezone.now()
    job = Job.objects.create(
        kind="mine",
        unique_key=f"{miner}{state}",
        state=state,
        error="The miner stopped." if state == "failed" else "",
        progress_done=63,
        progress_total=100,
        created_at=now,
    )
    run = MiningRun.objects.create(generation=generation, miner=miner, state=state, job=job, created_at=now)
    statuses = [*["pending"] * pending, *(["accepted"] if pending else [])]
    Proposal.objects.bulk_create(
        Proposal(run=run, fingerprint=str(rank), rank=rank, locale="tr", status=status)
        for rank, status in enumerate(statuses)
    )
    return run
