"""A frozen set as exports take it: plain rows in code point order of their ids, and its documents as they stream."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any, Literal

from curation.formats.documents import DocumentRow
from curation.formats.qrels import QrelRow
from curation.formats.queries import QueryRow


@dataclass(frozen=True, slots=True)
class SetQuery:
    """One query. `gold` is its gold canonical id; `row` names it only where its grade is 3, as imports take it."""

    row: QueryRow
    corpus_language: str
    use: str
    gold: str


@dataclass(frozen=True, slots=True)
class SetQrel:
    """One settled grade and the documents that carry it: all renderings of its canonical id, in order of their ids.

    Where no rendering stands in the corpus any more they are those that are gone, else the canonical id itself. A
    document carries one grade of a query: one that has moved to another article carries that one's.
    `score` is the grade as the file it came from wrote it, `origin` how it was settled, "" for one from a file.
    """

    query_id: str
    canonical_id: str
    gold_document: str
    grade: int
    score: str
    origin: str
    documents: tuple[str, ...]
    standing: bool

    def row(self) -> QrelRow:
        """The grade by canonical id, and by its gold document where it has one."""
        ids = (self.query_id, self.gold_document, self.canonical_id)
        return QrelRow(0, *ids, grade=self.grade, score=self.score, origin=self.origin)

    def by_document(self) -> Iterator[QrelRow]:
        """The grade once for each document, by its id alone."""
        for document in self.documents:
            yield QrelRow(0, self.query_id, document, self.canonical_id, self.grade, score="", origin=self.origin)


@dataclass(frozen=True, slots=True)
class Moved:
    """A document that is not what it was when the set was frozen: it has another text, is new, or is gone."""

    document_id: str
    change: Literal["text", "new", "gone"]


@dataclass(frozen=True, slots=True)
class ExportedSet:
    """A set version with all that its exports hold. `documents` starts the corpus's standing documents anew.

    `moved` are those of them that differ from the freeze, by id. `generation`, `traffic` and `plan` are as frozen.
    `exact_lists` name the encoders by whose vectors exact search drew the candidates; None where that was not noted.
    """

    name: str
    sha256: str
    corpus: str
    relevant_from: int
    queries: Sequence[SetQuery]
    qrels: Sequence[SetQrel]
    documents: Callable[[], Iterable[DocumentRow]]
    moved: Sequence[Moved] = ()
    generation: int | None = None
    traffic: Mapping[str, float] = field(default_factory=dict)
    plan: Sequence[Mapping[str, Any]] = ()
    exact_lists: Sequence[Mapping[str, Any]] | None = None

    def by_document(self) -> Iterator[QrelRow]:
        """All grades, once for each document that carries them."""
        for qrel in self.qrels:
            yield from qrel.by_document()

    def by_locale(self) -> Iterator[tuple[str, ExportedSet]]:
        """The set cut by query language, in order of the tags."""
        ordered = sorted(self.queries, key=lambda query: query.row.language)
        for locale, group in groupby(ordered, key=lambda query: query.row.language):
            queries = list(group)
            names = {query.row.external_id for query in queries}
            qrels = [qrel for qrel in self.qrels if qrel.query_id in names]
            yield locale, replace(self, queries=queries, qrels=qrels)
