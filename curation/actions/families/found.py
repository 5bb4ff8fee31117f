"""What a mining run found, and how it is stored: all of it in the transaction that ends the run."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from curation.actions.lookups import rows_in
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


def store(run: MiningRun, found: Found) -> None:
    """Write the rows; verdicts of the corpus's earlier runs on the same proposals are carried over.

    A generation against an index that only a job can ask learns its fingerprint from the first run that asked.
    """
    NearDuplicateGroup.objects.bulk_create(found.groups, batch_size=BATCH)
    NearDuplicateMember.objects.bulk_create(found.members, batch_size=BATCH)
    found.summary["carried_over"] = carry_over(run, found.proposals)
    Proposal.objects.bulk_create(found.proposals, batch_size=BATCH)
    HardNegative.objects.bulk_create(found.negatives, batch_size=BATCH)
    run.params, run.summary = found.params, found.summary
    run.save(update_fields=["params", "summary"])
    if asked := found.params.get("fingerprint"):
        Generation.objects.filter(pk=run.generation_id, index_fingerprint="").update(index_fingerprint=asked)


def carry_over(run: MiningRun, proposals: Iterable[Proposal]) -> int:
    """Give each proposal what its newest like in an earlier run was given; how many had a verdict.

    One whose verdict was taken back waits again, whatever runs before that one say. A verdict that is being given at
    this moment is waited for; one that comes later finds this run in its place.
    """
    by_fingerprint = {proposal.fingerprint: proposal for proposal in proposals}
    corpus = run.generation.index.corpus_id
    runs = MiningRun.objects.filter(generation__index__corpus=corpus, miner=run.miner, pk__lt=run.pk)
    earlier = Proposal.objects.filter(run__in=runs).select_for_update()
    found = sorted(rows_in(earlier, "fingerprint", by_fingerprint), key=lambda proposal: proposal.run_id)
    newest = {old.fingerprint: old for old in found}
    decided = [old for old in newest.values() if old.status != Proposal.Status.PENDING]
    for old in decided:
        new = by_fingerprint[old.fingerprint]
        new.status, new.reviewer, new.reason, new.reviewed_at = old.status, old.reviewer, old.reason, old.reviewed_at
        new.text = old.text
    return len(decided)
