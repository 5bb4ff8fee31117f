"""How a grade meets what is already settled for its (query, canonical id): stored, merged or refused."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from curation.models import Qrel

STRENGTH = {source: rank for rank, source in enumerate(reversed(Qrel.Source.values))}
"""DERIVED is 0; a stronger source overwrites a weaker one."""

Outcome = Literal["stored", "merged", "weaker", "refused"]


@dataclass(frozen=True, slots=True)
class Grade:
    """A grade to settle. `document_id` is the primary key of the document it was given to, where that is known.

    `exact_rank` is the candidate's rank in the query's pool; it decides between golds of one grade. `text_sha256` is
    the fingerprint of the text it was given to. `twin_of` names the text twin whose grade this one takes. `exact_only`
    says that exact search alone offered it to its judges, None where that is not known.
    """

    query_id: int
    canonical_id: str
    grade: int
    source: str
    document_id: int | None = None
    original_score: str = ""
    swept: bool = False
    decided_by_id: int | None = None
    judged_depth: int | None = None
    opinions: int | None = None
    exact_rank: int | None = None
    text_sha256: str = ""
    twin_of: str = ""
    exact_only: bool | None = None

    @property
    def pair(self) -> tuple[int, str]:
        """What a qrel is unique by."""
        return self.query_id, self.canonical_id


@dataclass(frozen=True, slots=True)
class Meetings:
    """What became of each grade, in their order, and the rows to write. `before` is the settled grade it met."""

    outcomes: tuple[Outcome, ...]
    before: tuple[int | None, ...]
    created: tuple[Qrel, ...]
    changed: tuple[Qrel, ...]


@dataclass(slots=True)
class _Table:
    qrels: dict[tuple[int, str], Qrel]
    revising: bool
    graded: dict[tuple[int, int], int] = field(default_factory=dict)
    created: dict[tuple[int, str], Qrel] = field(default_factory=dict)
    changed: dict[tuple[int, str], Qrel] = field(default_factory=dict)


def meet(known: Iterable[Qrel], grades: Sequence[Grade], *, revising: bool = False) -> Meetings:
    """Let `grades` meet the settled qrels, one after the other; nothing is saved here.

    Several documents of one language under one canonical id are one answer, whose grade is the highest of theirs.
    A document with two grades of one source is refused, unless `revising`: then the later opinion replaces the
    earlier one.
    """
    table = _Table({(qrel.query_id, qrel.canonical_id): qrel for qrel in known}, revising)
    before = []
    outcomes = []
    for grade in grades:
        met = table.qrels.get(grade.pair)
        before.append(met.grade if met else None)
        outcomes.append(_first(table, grade) if met is None else _again(table, met, grade))
        if grade.document_id:
            table.graded.setdefault((grade.query_id, grade.document_id), grade.grade)
    return Meetings(tuple(outcomes), tuple(before), tuple(table.created.values()), tuple(table.changed.values()))


def _first(table: _Table, grade: Grade) -> Outcome:
    qrel = Qrel(query_id=grade.query_id, canonical_id=grade.canonical_id)
    _write(qrel, grade)
    table.qrels[grade.pair] = table.created[grade.pair] = qrel
    return "stored"


def _again(table: _Table, met: Qrel, grade: Grade) -> Outcome:
    stronger = STRENGTH[grade.source] - STRENGTH[met.source]
    same = grade.grade == met.grade
    if stronger > 0 or (stronger == 0 and table.revising):
        return _overwrite(table, met, grade)
    if stronger < 0 and not same:
        return "weaker"
    if _graded_otherwise(table, met, grade):
        return "refused"
    if same:
        _fill(table, met, grade)
        return "merged"
    return _overwrite(table, met, grade) if grade.grade > met.grade else "merged"


def _graded_otherwise(table: _Table, met: Qrel, grade: Grade) -> bool:
    """Whether this very document, or an answer whose document is not known, has another grade already."""
    if grade.document_id is None or met.gold_document_id in {None, grade.document_id}:
        return grade.grade != met.grade
    return table.graded.get((grade.query_id, grade.document_id), grade.grade) != grade.grade


def _overwrite(table: _Table, met: Qrel, grade: Grade) -> Outcome:
    same = grade.grade == met.grade
    _write(met, grade, score=met.original_score if same else "")
    _mark(table, grade)
    return "merged" if same else "stored"


def _write(qrel: Qrel, grade: Grade, *, score: str = "") -> None:
    qrel.grade, qrel.source, qrel.swept = grade.grade, grade.source, grade.swept
    qrel.gold_document_id = grade.document_id or qrel.gold_document_id
    qrel.original_score = grade.original_score or score
    qrel.decided_by_id, qrel.judged_depth = grade.decided_by_id, grade.judged_depth
    qrel.opinions, qrel.exact_only = grade.opinions, grade.exact_only
    qrel.text_sha256, qrel.twin_of = grade.text_sha256, grade.twin_of


def _fill(table: _Table, met: Qrel, grade: Grade) -> None:
    """The same grade again fills what is empty."""
    before = (met.gold_document_id, met.original_score, met.judged_depth, met.opinions)
    if met.gold_document_id is None:
        met.gold_document_id, met.text_sha256 = grade.document_id, grade.text_sha256
    met.original_score = met.original_score or grade.original_score
    met.judged_depth = met.judged_depth or grade.judged_depth
    met.opinions = max(filter(None, (met.opinions, grade.opinions)), default=None)
    if before != (met.gold_document_id, met.original_score, met.judged_depth, met.opinions):
        _mark(table, grade)


def _mark(table: _Table, grade: Grade) -> None:
    if grade.pair not in table.created:
        table.changed[grade.pair] = table.qrels[grade.pair]
