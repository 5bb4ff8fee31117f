"""Verdicts on mined proposals: accepted ones become READY queries, rejected ones keep their reason."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from zoneinfo import ZoneInfo

from django.db import IntegrityError, transaction
from django.utils.dateformat import format as in_words

from curation.actions.meetings import Grade
from curation.actions.qrels import settle
from curation.actions.refusal import Refused
from curation.actions.retiring import retire_query
from curation.actions.strata import strata_for
from curation.models import Corpus, Document, Miner, Need, Proposal, Qrel, Query, User
from curation.reports.checks import Reading
from curation.reports.proposals import current_proposals
from curation.reports.review import queries_made
from curation.reports.review_draft import Draft, checked
from curation.reports.sentences import ended
from curation.retrieval.tokens import SEGMENTER

TAKEN_BACK = "its acceptance was taken back"
ORIGINS = {Miner.SHORT_KEYWORD: Query.Origin.LOG}


def accept(*, corpus: Corpus, draft: Draft, reviewer: User, now: datetime) -> Query:
    """Make the draft a READY query in its family's slice, and return it; accepted again, it is the same query.

    The other members of a near-duplicate group are settled as grade 0, source DERIVED; the chosen one is left to the
    judges, and only hinted at as the need's gold.

    Raises:
        Refused: the draft cannot be a query (`Checked.refusal` says why), or someone else has decided already.
    """
    try:
        with transaction.atomic():
            held = _held(corpus, draft.proposal)
            made = _accepted(held, reviewer)
            return made or _accept(corpus, replace(draft, proposal=held), reviewer=reviewer, now=now)
    except IntegrityError as fault:  # a colleague stored the same text at this moment
        raise Refused(checked(corpus, draft).refusal or "Someone else wrote the same rows; accept again.") from fault


def reject(*, corpus: Corpus, proposal: Proposal, reason: str, reviewer: User, now: datetime) -> Proposal:
    """Put a proposal aside with a reason; rejected again by the same person, it keeps the first one.

    Raises:
        Refused: no reason is given, or it has another verdict already.
    """
    if not reason.strip():
        raise Refused("A proposal is rejected with a reason. Choose one, so that the next run can learn from it.")
    with transaction.atomic():
        held = _held(corpus, proposal)
        if held.status == Proposal.Status.REJECTED and held.reviewer_id == reviewer.pk:
            return held
        _require_pending(corpus, held)
        return _decide(held, Proposal.Status.REJECTED, reviewer=reviewer, reason=reason.strip(), now=now)


def undo(*, corpus: Corpus, proposal: Proposal, reviewer: User, now: datetime) -> Proposal:
    """Take one's own verdict back: the proposal waits again, and the query it became is retired.

    Raises:
        Refused: the verdict is someone else's, or the query is judged already.
    """
    with transaction.atomic():
        held = _held(corpus, proposal)
        if held.status == Proposal.Status.PENDING:
            return held
        if held.reviewer_id != reviewer.pk:
            raise Refused(f"{verdict_in_words(corpus, held)} Only {held.reviewer} can take that back.")
        for query in queries_made(held).select_for_update(of=("self",), no_key=True):
            _withdraw(query, reviewer=reviewer, now=now)
        return _decide(held, Proposal.Status.PENDING, reviewer=None, reason="", now=None)


def verdict_in_words(corpus: Corpus, proposal: Proposal) -> str:
    """Who decided, when, and what came of it: one sentence."""
    when = ""
    if proposal.reviewed_at:
        when = in_words(proposal.reviewed_at.astimezone(ZoneInfo(corpus.time_zone)), r" \o\n j M Y \a\t H:i")
    if proposal.status == Proposal.Status.REJECTED:
        return ended(f"{proposal.reviewer} rejected this{when}: {proposal.reason}")
    query = queries_made(proposal).first()
    return f"{proposal.reviewer} accepted this{when}{f'; it is query {query.external_id}' if query else ''}."


def _held(corpus: Corpus, proposal: Proposal) -> Proposal:
    """The proposal under a lock, so that two reviewers take turns."""
    rows = Proposal.objects.select_for_update(of=("self",), no_key=True).select_related(
        "run__generation__index", "group", "document", "reviewer"
    )
    held = rows.get(pk=proposal.pk)
    if not current_proposals(corpus).filter(pk=held.pk).exists():
        raise Refused("A newer run has taken the place of this list. What still waits stands in the new one.")
    return held


def _accepted(held: Proposal, reviewer: User) -> Query | None:
    if held.status == Proposal.Status.ACCEPTED and held.reviewer_id == reviewer.pk:
        return queries_made(held).first()
    return None


def _require_pending(corpus: Corpus, held: Proposal) -> None:
    if held.status != Proposal.Status.PENDING:
        raise Refused(verdict_in_words(corpus, held))


def _accept(corpus: Corpus, draft: Draft, *, reviewer: User, now: datetime) -> Query:
    _require_pending(corpus, draft.proposal)
    found = checked(corpus, draft)
    if found.refusal or found.reading is None:
        raise Refused(found.refusal)
    _decide(draft.proposal, Proposal.Status.ACCEPTED, reviewer=reviewer, reason="", now=now)
    query = _query(corpus, draft, found.reading, reviewer=reviewer)
    settle(corpus=corpus, grades=_negatives(draft, query), now=now)
    return query


def _query(corpus: Corpus, draft: Draft, reading: Reading, *, reviewer: User) -> Query:
    proposal, miner = draft.proposal, Miner(draft.proposal.run.miner)
    earlier = proposal.queries.count()
    return Query.objects.create(
        corpus=corpus,
        external_id=f"{miner}-{proposal.pk}{f'-{earlier + 1}' if earlier else ''}",
        stratum=strata_for(corpus=corpus, keys=[reading.place])[reading.place],
        need=_need(corpus, draft, reviewer),
        proposal=proposal,
        text=reading.text,
        original_text=draft.text,
        folded_hash=reading.folded_hash,
        origin=ORIGINS.get(miner, Query.Origin.MINED),
        author=reviewer if reading.text not in _mined(draft) else None,
        status=Query.Status.READY,
        metadata={"guessed_type": reading.guessed_type, "words": reading.words, "segmenter": SEGMENTER},
    )


def _mined(draft: Draft) -> set[str]:
    """The wordings that were mined; whoever types another one is its author."""
    return {draft.proposal.text, *(member.query for member in (draft.group.members if draft.group else ()))}


def _need(corpus: Corpus, draft: Draft, reviewer: User) -> Need | None:
    """The need that bears the gold, or what the reviewer says a short query means; none for a bare log query."""
    if not draft.gold and not draft.need.strip():
        return None
    need = draft.need_in(corpus)
    need.created_by = reviewer
    Need.objects.bulk_create([need])
    return need


def _negatives(draft: Draft, query: Query) -> list[Grade]:
    """Grade 0 for the members of the group that are not the chosen one, nor have its very text."""
    if draft.proposal.group is None or draft.member is None:
        return []
    corpus = query.corpus_id
    twins = Document.objects.filter(corpus=corpus, external_id__in=draft.member.twins)
    right = {draft.gold, *twins.values_list("canonical_id", flat=True)}
    documents = Document.objects.filter(nearduplicatemember__group=draft.proposal.group).exclude(canonical_id__in=right)
    return [
        Grade(query.pk, document.canonical_id, 0, Qrel.Source.DERIVED, document_id=document.pk)
        for document in documents.order_by("external_id")
    ]


def _withdraw(query: Query, *, reviewer: User, now: datetime) -> None:
    """Retire a query whose acceptance is taken back, with the need that was made for it alone."""
    if query.status == Query.Status.JUDGED:
        raise Refused(f"Query {query.external_id} is judged and counts already; a lead can retire it with a reason.")
    retire_query(query=query, reason=TAKEN_BACK, by=reviewer, now=now)
    need = query.need
    if need is not None and not need.queries.exclude(pk=query.pk).exists():
        Query.objects.filter(pk=query.pk).update(need=None)
        need.delete()


def _decide(
    proposal: Proposal, status: Proposal.Status, *, reviewer: User | None, reason: str, now: datetime | None
) -> Proposal:
    proposal.status, proposal.reviewer, proposal.reason, proposal.reviewed_at = status, reviewer, reason, now
    proposal.save(update_fields=["status", "reviewer", "reason", "reviewed_at"])
    return proposal
