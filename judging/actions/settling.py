"""Settling: the opinions on a query handed down as qrels, and as disputes where they differ."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import datetime
from functools import cache

from curation.actions import disputes, qrels
from curation.actions.lookups import write
from curation.actions.meetings import Grade
from curation.models import CannotTell, DocumentText, Qrel, Query
from curation.reports.moves import on_changed_text
from curation.reports.prepared import KEY, Prepared, PreparedRows
from judging.actions.agreeing import Agreed, Agreement, agreement
from judging.actions.article_grades import ArticleGrade, Opinion, article_grades
from judging.actions.inheriting import hand_down, takes_over, unchanged
from judging.actions.twins import pass_on
from judging.models import Adjudication, Judgment, Pool, State
from judging.reports.meant import beside, meant_in
from judging.reports.opinions import SAID, counted_opinions, of_counted_opinions, on_newest_text

OWN = (Qrel.Source.AGREED, Qrel.Source.VARIANT)
"""What opinions settle; the second for variants alone."""


def settle(*, pool: Pool, now: datetime) -> tuple[str, ...]:
    """Settle what `pool` shows by the opinions that count, and close it; call it inside a transaction.

    Whatever judges said of these answers is an opinion, in whichever pool of the query or in a file, and so is what one
    judge means for the text twins in their list, where another spoke of the twin. What was said of an earlier text of a
    document than the newest that somebody spoke of is none. Where all who could tell gave one grade, it is settled as
    agreed; where grades differ, what was agreed before is withdrawn and a dispute waits for a lead. What a lead has
    decided stays, unless the text was another one then; what nobody looked at stays as it was. A document that is gone
    is settled as it was judged, for it may come back. A grade that is meant for text twins is passed on to them. What a
    variant inherits and nobody changed is settled as VARIANT. The query turns JUDGED unless a dispute is open: then it
    waits, JUDGED before or not, unless a file judged it or documents were sent alone. The judged depth is the number of
    documents that somebody saw or marked for the query. Returns sentences for whoever looks after the corpus.
    """
    query, said = pool.query, judgments_on(pool.query)
    here = [each for each in said if each.candidate and each.candidate.pool_id == pool.pk]
    told = Told.of(query, said, {each.canonical_id for each in here})
    grades = _note(query, told, {each.canonical_id for each in here if each.state != State.UNSEEN}, now=now)
    judged = {query.pk} if _turns(pool) else set()
    grades = [*grades, *takes_over(pool)]
    settlement = qrels.settle(corpus=query.corpus, grades=grades, now=now, judged=judged, revising=True)
    pass_on(corpus=query.corpus, query_ids={query.pk}, now=now)
    hand_down(original=query, now=now)
    pool.closed_at = now
    write(pool, "closed_at")
    return settlement.notices


def _note(query: Query, told: Told, looked_at: Set[str], *, now: datetime) -> list[Grade]:
    """Withdraw what is not agreed any more of `looked_at`, keep disputes and doubts; the grades agreed on."""
    agreed, differing = {each.grade.canonical_id for each in told.met.agreed}, set(told.met.differing)
    decided = _decided(query)
    if decided:
        _withdraw_outlived(query, told.here, now)
        decided = _decided(query)
    for source in OWN if query.variant_of_id else OWN[:1]:
        qrels.withdraw(query=query, canonical_ids=(looked_at | differing) - agreed, source=source)
    undecided = {(query.pk, name) for name in differing - decided}
    disputes.note(differing=undecided, told={(query.pk, name) for name in told.names | agreed}, now=now)
    _store_doubts(query, told.names, told.met.doubted)
    return told.grades()


def agreed_on(*, query: Query, canonical_ids: Set[str]) -> list[Grade]:
    """What all who could tell say of these answers alike, in whichever pool or file, as grades to settle."""
    return Told.of(query, judgments_on(query), canonical_ids).grades()


def _turns(pool: Pool) -> bool:
    """Whether the query turns JUDGED, or stays so; one that a dispute holds back waits, whatever it was before."""
    if not disputes.disputed_queries({pool.query_id}):
        return _is_complete(pool)
    if pool.kind != Pool.Kind.SENT:
        qrels.unjudge(query=pool.query, unless=[Qrel.Source.IMPORTED])
    return False


def _is_complete(pool: Pool) -> bool:
    """Whether the query has all opinions wanted on the pool drawn for it; one that was judged already stays so."""
    if pool.kind != Pool.Kind.SENT:
        return True
    drawn = Pool.objects.filter(query=pool.query_id, closed_at=None).exclude(kind=Pool.Kind.SENT)
    return pool.query.status == Query.Status.READY and not drawn.exists()


def settle_complete(*, pool: Pool, now: datetime) -> tuple[str, ...]:
    """`settle` a pool that has every opinion it wants; the caller holds its query and the pool under a lock."""
    return settle(pool=pool, now=now) if _counted_asked().count({KEY: pool.pk}) >= pool.opinions else ()


@cache
def _counted_asked() -> Prepared:
    return Prepared.of(counted_opinions(Pool(pk=KEY)).values_list("pk"))


def unsettle(*, pool: Pool, now: datetime) -> None:
    """Take back what opinions settled on `pool` and offer it again: one of them can tell nothing any more.

    Call it inside a transaction. What a lead decided and what a file says stays, and so does what judges said of these
    answers elsewhere. A candidate that was sent alone is offered again, and its query stays as it was.
    """
    query = pool.query
    shown = set(pool.candidates.values_list("canonical_id", flat=True))
    if pool.kind != Pool.Kind.SENT:
        qrels.unjudge(query=query)
    said = [each for each in judgments_on(query) if not each.candidate or each.candidate.pool_id != pool.pk]
    grades = _note(query, Told.of(query, said, shown), shown, now=now)
    judged = set(Query.objects.filter(pk=query.pk, status=Query.Status.JUDGED).values_list("pk", flat=True))
    qrels.settle(corpus=query.corpus, grades=grades, now=now, judged=judged, revising=True)
    pass_on(corpus=query.corpus, query_ids={query.pk}, now=now)
    Pool.objects.filter(pk=pool.pk).update(closed_at=None)


def _decided(query: Query) -> set[str]:
    """The answers on which a lead's decision stands."""
    return {name for (name,) in _decided_asked().rows({KEY: query.pk})}


@cache
def _decided_asked() -> Prepared:
    standing = Qrel.objects.filter(query=KEY, source=Qrel.Source.ADJUDICATED)
    return Prepared.of(standing.values_list("canonical_id"))


def _withdraw_outlived(query: Query, opinions: Sequence[Judgment], now: datetime) -> None:
    """Take back what a lead decided on an earlier text, where judges have graded the present one."""
    decided = Qrel.objects.filter(on_changed_text(), query=query, source=Qrel.Source.ADJUDICATED)
    outlived = set(decided.values_list("canonical_id", flat=True))
    if not outlived:
        return
    graded = [each for each in opinions if each.state in {State.GRADED, State.SWEPT}]
    texts = DocumentText.objects.filter(document__in=[each.document_id for each in graded], current=True)
    present = dict(texts.values_list("document_id", "sha256"))
    anew = {each.canonical_id for each in graded if each.text_sha256 == present.get(each.document_id)}
    qrels.withdraw(query=query, canonical_ids=outlived & anew, source=Qrel.Source.ADJUDICATED)
    decisions = Adjudication.objects.filter(query=query, canonical_id__in=outlived & anew, undone_at=None)
    decisions.update(undone_at=now)


def judgments_on(query: Query) -> list[Judgment]:
    """What everybody whose opinion counts said for `query`, in its pools and in files, of documents that are gone too.

    What is open again is left out until it is finished.
    """
    return _given_asked().rows({KEY: query.pk})


@cache
def _given_asked() -> PreparedRows[Judgment]:
    given = Judgment.objects.filter(of_counted_opinions(open_again=False), query=KEY)
    told = given.select_related("candidate").defer("candidate__highlights", "candidate__folded")
    return PreparedRows(told.order_by("pk"))


@dataclass(frozen=True, slots=True)
class Told:
    """What counts of all that was said of the answers `names` to one query, how deep it was judged, and what is met."""

    query: Query
    names: Set[str]
    opinions: Sequence[Judgment]
    depth: int
    met: Agreement

    @classmethod
    def of(cls, query: Query, said: Sequence[Judgment], names: Set[str]) -> Told:
        """From all that counts of what was said for the query."""
        opinions = on_newest_text([each for each in said if each.canonical_id in names])
        meant = beside(opinions, meant_in([each for each in said if each.candidate], query.corpus))
        met = agreement(_voices(opinions), meant=[(each.left.canonical_id, each.grade) for each in meant])
        looked_at = {each.document_id for each in said if each.candidate and each.state != State.UNSEEN}
        return cls(query, names, opinions, len(looked_at), met)

    @property
    def here(self) -> list[Judgment]:
        """The opinions of judges here, and not those of files."""
        return [each for each in self.opinions if each.candidate]

    def grades(self) -> list[Grade]:
        """What is agreed on, as grades to settle."""
        seen = Seen(self.depth, _texts_seen(self.opinions), _offered_otherwise(self.here))
        inherited = unchanged(self.query)
        return [_grade(self.query, each, seen=seen, inherited=inherited) for each in self.met.agreed]


def _texts_seen(opinions: Iterable[Judgment]) -> dict[int, str]:
    """The fingerprint of each document's text that its earliest opinion saw: a grade is no newer than that."""
    latest_first = sorted(opinions, key=lambda judgment: judgment.judged_at, reverse=True)
    return {judgment.document_id: judgment.text_sha256 for judgment in latest_first if judgment.state in SAID}


def _voices(opinions: Sequence[Judgment]) -> list[list[ArticleGrade]]:
    by_judge: dict[int, list[Opinion]] = {}
    for judgment in opinions:
        by_judge.setdefault(judgment.assessor_id, []).append(_opinion(judgment))
    told = [opinion for given in by_judge.values() for opinion in given]
    told = told if len({opinion.list_id for opinion in told} - {None}) > 1 else []
    return [article_grades(given, told=told) for given in by_judge.values()]


def _opinion(judgment: Judgment) -> Opinion:
    offered, name, document = judgment.candidate, judgment.canonical_id, judgment.document_id
    if offered is None:
        return Opinion(name, document, judgment.state, judgment.grade, None)
    return Opinion(name, document, judgment.state, judgment.grade, offered.exact_rank, offered.pool_id)


@dataclass(frozen=True, slots=True)
class Seen:
    """What judges saw: how many documents, the text of each, and the articles that not exact search alone offered."""

    depth: int
    texts: Mapping[int, str]
    offered_otherwise: Set[str]


def _offered_otherwise(opinions: Iterable[Judgment]) -> set[str]:
    """The articles of which another retriever than exact search, or a person, offered a document."""
    offered = ((each.canonical_id, each.candidate) for each in opinions if each.candidate)
    return {name for name, candidate in offered if candidate.is_offered_otherwise}


def _grade(query: Query, agreed: Agreed, *, seen: Seen, inherited: Set[tuple[str, int]]) -> Grade:
    given = agreed.grade
    stays = not given.swept and (given.canonical_id, given.grade) in inherited
    return Grade(
        query.pk,
        given.canonical_id,
        given.grade or 0,
        Qrel.Source.VARIANT if stays else Qrel.Source.AGREED,
        document_id=given.document_id,
        swept=given.swept,
        judged_depth=seen.depth,
        opinions=agreed.opinions,
        exact_rank=given.exact_rank,
        text_sha256=seen.texts.get(given.document_id, ""),
        exact_only=given.canonical_id not in seen.offered_otherwise,
    )


def _store_doubts(query: Query, shown: Set[str], doubts: Sequence[ArticleGrade]) -> None:
    """What could not be told, in the place of what could not be told before; imported doubts stay."""
    before = [key for key, name in _doubts_asked().rows({KEY: query.pk}) if name in shown]
    if before:
        CannotTell.objects.filter(pk__in=before).delete()
    CannotTell.objects.bulk_create(
        (CannotTell(query=query, canonical_id=doubt.canonical_id, document_id=doubt.document_id) for doubt in doubts),
        ignore_conflicts=True,
    )


@cache
def _doubts_asked() -> Prepared:
    return Prepared.of(CannotTell.objects.filter(query=KEY, original_score="").values_list("pk", "canonical_id"))
