"""What imported opinions settle: an answer on which all who judged it agree."""

from collections.abc import Collection
from datetime import datetime

from curation.actions.lookups import rows_in
from curation.actions.meetings import Grade
from curation.actions.qrels import meetings_of, settle
from curation.models import Corpus, Qrel
from judging.models import Judgment, State
from judging.reports.verdicts import Verdict, verdicts_of


def settle_imported(*, corpus: Corpus, query_ids: Collection[int], now: datetime) -> list[str]:
    """Settle what the imported opinions on these queries agree on; one opinion alone settles too.

    Where they disagree nothing is settled, and the query waits. What is settled already with another grade stays.
    Returns sentences for the report.
    """
    opinions = Judgment.objects.filter(query__corpus=corpus, candidate=None, state__in=[State.GRADED, State.SWEPT])
    verdicts = verdicts_of(rows_in(opinions, "query_id", query_ids))
    grades = [_grade(verdict, verdict.grade) for verdict in verdicts if verdict.grade is not None]
    outcomes = meetings_of(corpus, grades).outcomes
    kept = [grade for grade, outcome in zip(grades, outcomes, strict=True) if outcome != "refused"]
    disputed = [verdict for verdict in verdicts if verdict.grade is None]
    open_queries = {verdict.query_id for verdict in disputed}
    judged = {grade.query_id for grade in kept} - open_queries
    notices = list(settle(corpus=corpus, grades=kept, now=now, judged=judged).notices)
    if disputed:
        notices.append(
            f"In {len(disputed):,} answers of {len(open_queries):,} queries judges disagree; none is settled."
        )
    if len(kept) < len(grades):
        notices.append(f"{len(grades) - len(kept):,} answers are settled with another grade already, which stays.")
    return notices


def _grade(verdict: Verdict, grade: int) -> Grade:
    return Grade(
        query_id=verdict.query_id,
        canonical_id=verdict.canonical_id,
        grade=grade,
        source=Qrel.Source.AGREED,
        document_id=verdict.document_id,
        original_score=verdict.original_score,
        swept=verdict.swept,
    )
