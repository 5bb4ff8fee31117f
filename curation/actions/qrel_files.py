"""Qrels from a file, by document id or by canonical id."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from curation.actions.lookups import rows_in
from curation.actions.many_rows import look_again
from curation.actions.meetings import Grade
from curation.actions.named_queries import with_ids
from curation.actions.qrels import meetings_of, settle
from curation.actions.receipts import Intake, Ledger, Receipt
from curation.actions.targets import Aim, aims
from curation.formats.qrels import QrelRow, graded, read_qrels
from curation.models import CannotTell, Corpus, Qrel, Query

BATCH = 500


def import_qrels(
    *,
    corpus: Corpus,
    intake: Intake,
    now: datetime,
    map_grades: Mapping[int, int] | None = None,
    on_our_scale: bool = False,
    locale: str = "",
) -> Receipt:
    """Import grades as settled; those below 0 become "cannot tell". A file of 0 and 1 is binary: its 1 becomes 3.

    `on_our_scale` says that the grades are settled ones of Hardset, so that a 1 stays a 1. `locale` is the language of
    queries that the file names by their text alone.

    Raises:
        Refused: someone else wrote the same rows meanwhile.
    """
    ledger = Ledger(intake)
    read = ledger.rows(read_qrels(intake.path, intake.reading, grades=map_grades, settled=on_our_scale))
    rows = with_ids(corpus, read if on_our_scale else graded(read), ledger, locale=locale)
    aimed = aims(corpus, rows, ledger)
    doubts = _doubts(corpus, [aim for aim in aimed if aim.row.grade is None], ledger)
    grades = _grades(corpus, [aim for aim in aimed if aim.row.grade is not None], ledger)
    if ledger.stores:
        with ledger.writing():
            CannotTell.objects.bulk_create(doubts, batch_size=BATCH)
            look_again(len(grades), Qrel, Query)
            for notice in settle(corpus=corpus, grades=grades, now=now).notices:
                ledger.tell(notice)
    return ledger.receipt()


def _doubts(corpus: Corpus, aimed: Sequence[Aim[QrelRow]], ledger: Ledger) -> list[CannotTell]:
    """The rows where the judge could not tell, as far as they are new."""
    pairs = CannotTell.objects.filter(query__corpus=corpus).values_list("query_id", "canonical_id")
    known = set(rows_in(pairs, "query_id", (aim.query_id for aim in aimed)))
    fresh = []
    for aim in aimed:
        pair = (aim.query_id, aim.target.canonical_id)
        if pair in known:
            ledger.merged += 1
            continue
        ledger.stored += 1
        known.add(pair)
        fresh.append(
            CannotTell(
                query_id=aim.query_id,
                canonical_id=aim.target.canonical_id,
                document_id=aim.target.document_id,
                original_score=aim.row.score,
            )
        )
    return fresh


def _grades(corpus: Corpus, aimed: Sequence[Aim[QrelRow]], ledger: Ledger) -> list[Grade]:
    """The grades that can be settled; those that contradict a settled one are refused."""
    grades = [
        Grade(
            query_id=aim.query_id,
            canonical_id=aim.target.canonical_id,
            grade=aim.row.grade or 0,
            source=Qrel.Source.IMPORTED,
            document_id=aim.target.document_id,
            original_score=aim.row.score,
        )
        for aim in aimed
    ]
    met = meetings_of(corpus, grades)
    for aim, grade, outcome, before in zip(aimed, grades, met.outcomes, met.before, strict=True):
        name = aim.row.query_id
        if outcome == "refused":
            reason = f"{grade.canonical_id} is settled at grade {before} already, not at {grade.grade}."
            ledger.refuse(aim.row, name, reason)
            continue
        ledger.stored, ledger.merged = ledger.stored + (outcome == "stored"), ledger.merged + (outcome != "stored")
        if outcome == "weaker":
            subject = "another grade is settled by people who judged it here, and stays"
            ledger.tally.add(subject, line=aim.row.line, external_id=name)
    return [grade for grade, outcome in zip(grades, met.outcomes, strict=True) if outcome != "refused"]
