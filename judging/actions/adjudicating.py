"""Adjudicating: a lead decides where opinions differ, says why they did, and may take it back."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from django.db import transaction

from curation.actions import disputes, qrels
from curation.actions.meetings import Grade
from curation.actions.refusal import Refused
from curation.actions.retiring import withdrawn_in_words
from curation.models import Corpus, OpenDispute, Qrel, Query, User
from curation.reports.moments import moment_in_words
from curation.reports.moves import left_at
from judging.actions.inheriting import hand_down
from judging.actions.settling import agreed_on
from judging.actions.twins import pass_on
from judging.models import Adjudication, Candidate
from judging.reports.disagreements import left_in_words
from judging.reports.disputes import opinions_on
from judging.reports.pools import still_judged

MOST_SECONDS = 3600
NO_CAUSE = "Say why the opinions differed before you settle."
NO_GRADE = "Choose a grade from 0 to 3 before you settle."


@dataclass(frozen=True, slots=True)
class Decision:
    """What the lead decided: the grade (0 to 3), why the opinions differed (`Adjudication.Cause`), how long it took.

    `token` names the press of the button, however often it is sent.
    """

    grade: int
    cause: str
    token: str
    seconds: int = 0


def adjudicate(
    *, corpus: Corpus, person: User, query_id: int, canonical_id: str, decision: Decision, now: datetime
) -> Adjudication:
    """Settle one dispute at the decided grade; the last one of a query turns it JUDGED. Sent twice it decides once.

    Raises:
        Query.DoesNotExist: the corpus has no such query.
        Refused: nothing is in dispute there any more, the document left the corpus, the grade or the cause is none,
            the query is withdrawn, or this very decision was taken back.
    """
    with transaction.atomic():
        query = Query.objects.select_for_update(no_key=True).get(corpus=corpus, pk=query_id)
        known = Adjudication.objects.filter(token=decision.token).first()
        if known is not None:
            return _standing(known)
        dispute = _open(query, canonical_id, now)
        _refuse(decision)
        opinions = opinions_on(query, canonical_id)
        made = Adjudication.objects.create(
            query=query,
            canonical_id=canonical_id,
            document_id=max(opinions, key=lambda each: each.grade).document_id if opinions else None,
            grade=decision.grade,
            cause=decision.cause,
            opinions=[[each.assessor_id, each.grade, each.swept] for each in opinions],
            decided_by=person,
            decided_at=now,
            disputed_since=dispute.opened_at,
            seconds=min(decision.seconds, MOST_SECONDS),
            token=decision.token,
        )
        _settle(corpus, made, now)
        return made


def take_back(*, corpus: Corpus, person: User, adjudication_id: int, now: datetime) -> Adjudication:
    """Open again what `person` decided; sent twice it is taken back once.

    Its query waits for a decision again, READY, unless it was JUDGED before this decision or a file judged it. Where
    all opinions are of one grade by now, that is agreed on and nothing is in dispute. Variants that took the decided
    grade over give it back.

    Raises:
        Adjudication.DoesNotExist: they decided no such thing in `corpus`.
        Refused: the query is withdrawn.
    """
    with transaction.atomic():
        own = Adjudication.objects.filter(decided_by=person, query__corpus=corpus)
        query = Query.objects.select_for_update(no_key=True).get(pk=own.get(pk=adjudication_id).query_id)
        made = own.select_related("query").get(pk=adjudication_id)
        if made.undone_at is not None:
            return made
        _refuse_withdrawn(query, now)
        made.undone_at = now
        made.save(update_fields=["undone_at"])
        qrels.withdraw(query=query, canonical_ids={made.canonical_id}, source=Qrel.Source.ADJUDICATED)
        pair = (query.pk, made.canonical_id)
        agreed = agreed_on(query=query, canonical_ids={made.canonical_id})
        disputes.note(differing=() if agreed else {pair}, told=(), now=made.disputed_since or now)
        _let_wait(query, made)
        qrels.settle(corpus=corpus, grades=agreed, now=now, judged=_judged(query), revising=True)
        pass_on(corpus=corpus, query_ids={query.pk}, now=now)
        hand_down(original=query, now=now)
        _take_from_variants(made, now)
        return made


def _take_from_variants(made: Adjudication, now: datetime) -> None:
    """Take the decided grade from the variants that took it over since, unless the original has one to hand down.

    What a variant's own judges left as it was stays as they left it; what no list of theirs shows is withdrawn.
    """
    answer = Qrel.objects.filter(canonical_id=made.canonical_id)
    if answer.filter(query=made.query_id, swept=False).exclude(source=Qrel.Source.DERIVED).exists():
        return
    taken = answer.filter(query__variant_of=made.query_id, query__status=Query.Status.JUDGED)
    taken = taken.filter(source=Qrel.Source.VARIANT, settled_at__gte=made.decided_at)
    for qrel in taken.select_related("query__corpus").order_by("query"):
        variant, names = qrel.query, {made.canonical_id}
        own = [replace(each, source=Qrel.Source.VARIANT) for each in agreed_on(query=variant, canonical_ids=names)]
        if not own:
            qrels.withdraw(query=variant, canonical_ids=names, source=Qrel.Source.VARIANT)
        qrels.settle(corpus=variant.corpus, grades=own, now=now, judged={variant.pk}, revising=True)


def _standing(known: Adjudication) -> Adjudication:
    """What was decided by the same press."""
    if known.undone_at is not None:
        raise Refused("You took this decision back. Open the disagreement again to decide it anew.")
    return known


def _let_wait(query: Query, made: Adjudication) -> None:
    """Turn the query READY where it waited when `made` was decided, and a dispute holds it back again."""
    turned_since = query.judged_at is not None and query.judged_at >= made.decided_at
    if turned_since and disputes.disputed_queries({query.pk}):
        qrels.unjudge(query=query, unless=[Qrel.Source.IMPORTED])
        query.refresh_from_db(fields=["status"])


def _judged(query: Query) -> set[int]:
    return {query.pk} if query.status == Query.Status.JUDGED else set()


def _refuse_withdrawn(query: Query, now: datetime) -> None:
    if query.status == Query.Status.RETIRED:
        raise Refused(withdrawn_in_words(query, now=now))


def _open(query: Query, canonical_id: str, now: datetime) -> OpenDispute:
    _refuse_withdrawn(query, now)
    disputed = OpenDispute.objects.filter(query=query, canonical_id=canonical_id)
    dispute = disputed.annotate(left_at=left_at()).first()
    if dispute is None:
        raise Refused(_over(query, canonical_id, now))
    if left := left_in_words(dispute, corpus=query.corpus, now=now):
        raise Refused(left)
    return dispute


def _refuse(decision: Decision) -> None:
    if decision.grade not in range(4):
        raise Refused(NO_GRADE)
    if decision.cause not in Adjudication.Cause.values:
        raise Refused(NO_CAUSE)


def _over(query: Query, canonical_id: str, now: datetime) -> str:
    standing = Adjudication.objects.filter(query=query, canonical_id=canonical_id, undone_at=None)
    decided = standing.select_related("decided_by").first()
    if decided is None:
        return f"Opinions on {canonical_id} for query {query.external_id} do not differ any more."
    when = moment_in_words(decided.decided_at, corpus=query.corpus, now=now)
    return f"{decided.decided_by} settled this {when} with grade {decided.grade}."


def _exact_only(made: Adjudication) -> bool | None:
    """Whether exact search alone offered the article; None where only a file's judges saw it."""
    offered = Candidate.objects.filter(pool__query=made.query_id, canonical_id=made.canonical_id)
    found = [candidate.is_offered_otherwise for candidate in offered]
    return not any(found) if found else None


def _settle(corpus: Corpus, made: Adjudication, now: datetime) -> None:
    pair = (made.query_id, made.canonical_id)
    disputes.note(differing=(), told={pair}, now=now)
    grade = Grade(
        *pair,
        made.grade,
        Qrel.Source.ADJUDICATED,
        document_id=made.document_id,
        decided_by_id=made.decided_by_id,
        opinions=len(made.opinions),
        exact_only=_exact_only(made),
    )
    turns = not still_judged({made.query_id}) and not disputes.disputed_queries({made.query_id})
    qrels.settle(corpus=corpus, grades=[grade], now=now, judged={made.query_id} if turns else set(), revising=True)
    pass_on(corpus=corpus, query_ids={made.query_id}, now=now)
    hand_down(original=made.query, now=now)
