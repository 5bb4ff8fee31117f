"""What imported opinions settle: an answer on which all who judged it agree."""

from collections.abc import Collection, Sequence
from datetime import datetime
from itertools import chain

from curation.actions import disputes
from curation.actions.lookups import blocks, rows_in
from curation.actions.meetings import Grade
from curation.actions.qrels import hold, meetings_of, settle
from curation.models import Corpus, Qrel
from judging.actions.twins import pass_on
from judging.models import Judgment, State
from judging.reports.disputes import opinions_in_dispute
from judging.reports.meant import beside, meant_among
from judging.reports.opinions import IMPORTED
from judging.reports.verdicts import Verdict, verdicts_of


def settle_imported(*, corpus: Corpus, query_ids: Collection[int], now: datetime) -> list[str]:
    """Settle what the imported opinions on these queries agree on; one opinion alone settles too.

    One that is kept apart has no say. Where they differ nothing is settled, a dispute is open, and the query waits. So
    it is where those who judged here differ: one more opinion decides nothing; and where one of them means another
    grade for the answer as a text twin. What is settled already with another grade stays. Call it inside a
    transaction. Returns sentences for the report.
    """
    hold(corpus=corpus, query_ids=query_ids)
    opinions = Judgment.objects.filter(IMPORTED, query__corpus=corpus, state__in=[State.GRADED, State.SWEPT])
    said = list(rows_in(opinions, "query_id", query_ids))
    verdicts = verdicts_of(said)
    differing = {verdict.pair for verdict in verdicts if verdict.grade is None} | _differing_here(corpus)
    differing |= _meant_otherwise(corpus, said, verdicts)
    agreed = [verdict for verdict in verdicts if verdict.pair not in differing]
    grades = [_grade(verdict, verdict.grade) for verdict in agreed if verdict.grade is not None]
    outcomes = meetings_of(corpus, grades).outcomes
    kept = [grade for grade, outcome in zip(grades, outcomes, strict=True) if outcome != "refused"]
    disputed = _undecided(corpus, differing & {verdict.pair for verdict in verdicts})
    disputes.note(differing=disputed, told={verdict.pair for verdict in verdicts}, now=now)
    judged = {grade.query_id for grade in kept}
    judged -= disputes.disputed_queries(judged)
    notices = list(settle(corpus=corpus, grades=kept, now=now, judged=judged).notices)
    pass_on(corpus=corpus, query_ids=query_ids, now=now)
    if disputed:
        queries = len({query for query, _ in disputed})
        notices.append(f"In {len(disputed):,} answers of {queries:,} queries judges disagree; they wait for a lead.")
    if len(kept) < len(grades):
        notices.append(f"{len(grades) - len(kept):,} answers are settled with another grade already, which stays.")
    return notices


def _differing_here(corpus: Corpus) -> set[disputes.Pair]:
    """The answers in dispute on which opinions still differ, imported ones or not."""
    told = opinions_in_dispute(corpus)
    return {pair for pair, opinions in told.items() if len({opinion.grade for opinion in opinions}) > 1}


def _meant_otherwise(corpus: Corpus, said: Sequence[Judgment], verdicts: Sequence[Verdict]) -> set[disputes.Pair]:
    """The answers for which a judge here means another grade, and nothing but that is settled yet."""
    differing: set[disputes.Pair] = set()
    given = {verdict.pair: verdict.grade for verdict in verdicts}
    for block in blocks(verdict.query_id for verdict in verdicts):
        among = meant_among(Judgment.objects.filter(query__in=block), corpus)
        grades = {(each.answer, each.grade) for each in beside(said, chain.from_iterable(among.values()))}
        differing |= {pair for pair, grade in grades if pair in given and grade != given[pair]}
    settled = Qrel.objects.filter(query__corpus=corpus).exclude(source=Qrel.Source.DERIVED)
    pairs = settled.values_list("query_id", "canonical_id")
    return differing - set(rows_in(pairs, "query_id", (query for query, _ in differing)))


def _undecided(corpus: Corpus, differing: Collection[disputes.Pair]) -> set[disputes.Pair]:
    """Those on which no lead has decided."""
    decided = Qrel.objects.filter(query__corpus=corpus, source=Qrel.Source.ADJUDICATED)
    settled = rows_in(decided.values_list("query_id", "canonical_id"), "query_id", (query for query, _ in differing))
    return set(differing) - set(settled)


def _grade(verdict: Verdict, grade: int) -> Grade:
    return Grade(
        query_id=verdict.query_id,
        canonical_id=verdict.canonical_id,
        grade=grade,
        source=Qrel.Source.AGREED,
        document_id=verdict.document_id,
        original_score=verdict.original_score,
        swept=verdict.swept,
        opinions=verdict.opinions,
        text_sha256=verdict.text_sha256,
    )
