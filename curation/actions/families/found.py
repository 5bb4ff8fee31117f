"""What a mining run found, and how it is stored: in parts while nobody reads them, and whole with the end of the run.

A run is read once it is done, so rows of one that is not are seen by nobody. They go in transactions of a fraction of a
second each: whoever cancels, or writes anything else, waits for one of them alone (docs/adr/0026).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import Model, QuerySet

from curation.actions.lookups import MOST_VALUES, overwrite, rows_in
from curation.actions.writing import Guard
from curation.models import (
    Corpus,
    Document,
    Generation,
    HardNegative,
    MiningRun,
    NearDuplicateGroup,
    NearDuplicateMember,
    Proposal,
)

BATCH = 500
AT_ONCE = 2_000  # rows in one transaction


@dataclass(frozen=True)
class Found:
    """Rows not yet stored, what they were made with, and the figures of the run.

    Members and proposals point at their groups, which are stored first.
    """

    params: dict[str, Any]
    summary: dict[str, Any]
    groups: Sequence[NearDuplicateGroup] = ()
    members: Sequence[NearDuplicateMember] = ()
    proposals: Sequence[Proposal] = ()
    negatives: Sequence[HardNegative] = ()


def fingerprint(*about: str) -> str:
    """SHA-256 over what a proposal is about, the same in every run."""
    return hashlib.sha256(json.dumps(about, ensure_ascii=True).encode()).hexdigest()


def documents_named(corpus: Corpus, external_ids: Iterable[str]) -> dict[str, int]:
    """The keys of documents by their external ids."""
    rows = Document.objects.filter(corpus=corpus).values_list("external_id", "pk")
    return dict(rows_in(rows, "external_id", external_ids))


def keep(found: Found, *, writing: Guard) -> None:
    """Write the rows of a run that is not done yet, each part in a transaction that `writing` opens.

    Raises:
        LostHold: the run was cancelled or another worker holds it; `discard` takes away what is there.
    """
    for rows in (found.groups, found.members, found.proposals, found.negatives):
        for part in _parts(rows):
            with writing():
                insert_part(part)


def insert_part(rows: Sequence[Model]) -> None:
    """Store new rows of one model, and give them their keys."""
    type(rows[0])._default_manager.bulk_create(rows, batch_size=BATCH)  # noqa: SLF001  (Django's documented name for it)


def _parts(rows: Sequence[Model]) -> Iterator[Sequence[Model]]:
    return (rows[first : first + AT_ONCE] for first in range(0, len(rows), AT_ONCE))


def discard(runs: Collection[int], *, writing: Guard = transaction.atomic) -> None:
    """Delete what these runs stored, by their keys; none of them may be done. Each part is a transaction of its own."""
    of_groups = NearDuplicateMember.objects.filter(group__run__in=runs)
    families: list[QuerySet[Any]] = [
        model.objects.filter(run__in=runs) for model in (HardNegative, Proposal, NearDuplicateGroup)
    ]
    for rows in (of_groups, *families):
        while keys := list(rows.order_by("pk").values_list("pk", flat=True)[:MOST_VALUES]):
            with writing():
                rows.model._default_manager.filter(pk__in=keys).delete()  # noqa: SLF001  (Django's documented name for it)


def finish(run: MiningRun, found: Found) -> None:
    """What a run tells of itself, with the verdicts that the corpus's earlier runs have on the same proposals.

    A generation against an index that only a job can ask learns its fingerprint from the first run that asked.
    """
    carried = carry_over(run, found.proposals)
    overwrite(carried, ["status", "reviewer", "reason", "reviewed_at", "text"])
    found.summary["carried_over"] = len(carried)
    run.params, run.summary = found.params, found.summary
    run.save(update_fields=["params", "summary"])
    if asked := found.params.get("fingerprint"):
        Generation.objects.filter(pk=run.generation_id, index_fingerprint="").update(index_fingerprint=asked)


def carry_over(run: MiningRun, proposals: Iterable[Proposal]) -> list[Proposal]:
    """Give each proposal what its newest like in an earlier run was given; those that had a verdict.

    One whose verdict was taken back waits again, whatever runs before that one say. A verdict that is being given at
    this moment is waited for; one that comes later finds this run in its place.
    """
    by_fingerprint = {proposal.fingerprint: proposal for proposal in proposals}
    corpus = run.generation.index.corpus_id
    done = MiningRun.objects.filter(state=MiningRun.State.DONE, miner=run.miner, pk__lt=run.pk)
    runs = done.filter(generation__index__corpus=corpus)
    earlier = Proposal.objects.filter(run__in=runs).select_for_update(no_key=True)
    found = sorted(rows_in(earlier, "fingerprint", by_fingerprint), key=lambda proposal: proposal.run_id)
    newest = {old.fingerprint: old for old in found}
    decided = [old for old in newest.values() if old.status != Proposal.Status.PENDING]
    for old in decided:
        new = by_fingerprint[old.fingerprint]
        new.status, new.reviewer, new.reason, new.reviewed_at = old.status, old.reviewer, old.reason, old.reviewed_at
        new.text = old.text
    return [by_fingerprint[old.fingerprint] for old in decided]
