"""Qrels from a file, by document id or by canonical id."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from curation.actions.lookups import rows_in
from curation.actions.meetings import Grade
from curation.actions.qrels import meetings_of, settle
from curation.actions.receipts import Intake, Ledger, Receipt
from curation.actions.writing import one_write
from curation.formats.qrels import QrelRow, graded, read_qrels
from curation.models import CannotTell, Corpus, Document, Qrel, Query

BATCH = 500


@dataclass(frozen=True, slots=True)
class Target:
    """What a row points at: a canonical id, and the document where the row names one."""

    canonical_id: str
    document_id: int | None = None


@dataclass(frozen=True, slots=True)
class Targets:
    """The queries and documents that the rows of a file name, as far as the corpus holds them."""

    queries: dict[str, int]
    documents: dict[str, Target]
    canonical: frozenset[str]

    @classmethod
    def named_by(cls, corpus: Corpus, rows: Sequence[QrelRow]) -> "Targets":
        """Look them all up."""
        queries = Query.objects.filter(corpus=corpus).values_list("external_id", "pk")
        here = Document.objects.filter(corpus=corpus)
        documents = here.values_list("external_id", "canonical_id", "pk")
        canonical = here.values_list("canonical_id", flat=True)
        names = {name for row in rows for name in (row.document_id, row.canonical_id) if name}
        return cls(
            dict(rows_in(queries, "external_id", (row.query_id for row in rows))),
            {name: Target(group, key) for name, group, key in rows_in(documents, "external_id", names)},
            frozenset(rows_in(canonical, "canonical_id", names)),
        )

    def of(self, row: QrelRow) -> Target | None:
        """The document of a row, else the canonical id; None where the corpus holds neither."""
        if row.document_id in self.documents:
            return self.documents[row.document_id]
        named = next((name for name in (row.canonical_id, row.document_id) if name in self.canonical), None)
        return Target(named) if named else None

    def fault(self, row: QrelRow) -> str:
        """Why a row cannot be stored, "" where it can."""
        unknown = [] if row.query_id in self.queries else [f"query {row.query_id}"]
        target = self.of(row)
        if target is None:
            unknown.append(f"document {row.document_id or row.canonical_id}")
        if unknown:
            return f"The corpus holds no {' and no '.join(unknown)}."
        if target and row.document_id and row.canonical_id not in {"", target.canonical_id}:
            return f"Document {row.document_id} has the canonical id {target.canonical_id}, not {row.canonical_id}."
        return ""


def import_qrels(
    *, corpus: Corpus, intake: Intake, now: datetime, map_grades: Mapping[int, int] | None = None
) -> Receipt:
    """Import grades as settled; those below 0 become "cannot tell". A file of 0 and 1 is binary: its 1 becomes 3.

    Raises:
        Refused: someone else wrote the same rows meanwhile.
    """
    ledger = Ledger(intake)
    rows = graded(ledger.rows(read_qrels(intake.path, intake.reading, grades=map_grades)))
    targets = Targets.named_by(corpus, rows)
    good = []
    for row in rows:
        reason = targets.fault(row)
        if reason:
            ledger.refuse(row, row.query_id, reason)
        else:
            good.append(row)
    _tell_unknown_file(rows, targets, ledger)
    doubted = [row for row in good if row.grade is None]
    settled = [row for row in good if row.grade is not None]
    fresh = _doubts(corpus, doubted, targets=targets, ledger=ledger)
    grades = _grades(corpus, settled, targets=targets, ledger=ledger)
    if ledger.stores:
        with one_write():
            CannotTell.objects.bulk_create(fresh, batch_size=BATCH)
            for notice in settle(corpus=corpus, grades=grades, now=now).notices:
                ledger.tell(notice)
    return ledger.receipt()


def _tell_unknown_file(rows: Iterable[QrelRow], targets: Targets, ledger: Ledger) -> None:
    ids = {row.query_id for row in rows}
    if ids and not ids & targets.queries.keys():
        ledger.sum_up(f"0 of {len(ids):,} query ids known: the file belongs to other queries.")


def _doubts(corpus: Corpus, rows: Sequence[QrelRow], *, targets: Targets, ledger: Ledger) -> list[CannotTell]:
    """The rows where the judge could not tell, as far as they are new."""
    keys = [targets.queries[row.query_id] for row in rows]
    pairs = CannotTell.objects.filter(query__corpus=corpus).values_list("query_id", "canonical_id")
    known = set(rows_in(pairs, "query_id", keys))
    fresh = []
    for row, query_id in zip(rows, keys, strict=True):
        target = targets.of(row)
        if target is None or (query_id, target.canonical_id) in known:
            ledger.merged += 1
            continue
        ledger.stored += 1
        known.add((query_id, target.canonical_id))
        fresh.append(
            CannotTell(
                query_id=query_id,
                canonical_id=target.canonical_id,
                document_id=target.document_id,
                original_score=row.score,
            )
        )
    return fresh


def _grades(corpus: Corpus, rows: Sequence[QrelRow], *, targets: Targets, ledger: Ledger) -> list[Grade]:
    """The grades that can be settled; those that contradict a settled one are refused."""
    grades = [
        Grade(
            query_id=targets.queries[row.query_id],
            canonical_id=target.canonical_id,
            grade=row.grade or 0,
            source=Qrel.Source.IMPORTED,
            document_id=target.document_id,
            original_score=row.score,
        )
        for row in rows
        if (target := targets.of(row))
    ]
    met = meetings_of(corpus, grades)
    for row, grade, outcome, before in zip(rows, grades, met.outcomes, met.before, strict=True):
        if outcome == "refused":
            ledger.refuse(
                row, row.query_id, f"{grade.canonical_id} is settled at grade {before}, not at {grade.grade}."
            )
            continue
        ledger.stored, ledger.merged = ledger.stored + (outcome == "stored"), ledger.merged + (outcome != "stored")
        if outcome == "weaker":
            subject = "another grade is settled by people who judged it here, and stays"
            ledger.tally.add(subject, line=row.line, external_id=row.query_id)
    return [grade for grade, outcome in zip(grades, met.outcomes, strict=True) if outcome != "refused"]
