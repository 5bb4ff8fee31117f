"""What the rows of a file of grades aim at: a query, and a document or a canonical id."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from curation.actions.lookups import rows_in
from curation.actions.receipts import Ledger, Placed
from curation.models import Corpus, Document, Query


class Aimed(Placed, Protocol):
    """A row that names a query, and a document, a canonical id or both; the one it lacks is ""."""

    @property
    def query_id(self) -> str:
        """The query's external id."""

    @property
    def document_id(self) -> str:
        """The document's external id or, in files with one column for both, a canonical id."""

    @property
    def canonical_id(self) -> str:
        """The canonical id."""


A = TypeVar("A", bound=Aimed)


@dataclass(frozen=True, slots=True)
class Target:
    """A canonical id, and the primary key of the document where a row names one."""

    canonical_id: str
    document_id: int | None = None


@dataclass(frozen=True, slots=True)
class Aim(Generic[A]):
    """A row with the query (its primary key) and the target that it names."""

    row: A
    query_id: int
    target: Target


def aims(corpus: Corpus, rows: Sequence[A], ledger: Ledger) -> list[Aim[A]]:
    """The rows whose query and target the corpus holds; the others are refused."""
    names = {name for row in rows for name in (row.document_id, row.canonical_id) if name}
    here = Document.objects.filter(corpus=corpus)
    documents = {
        name: Target(canonical_id, key)
        for name, canonical_id, key in rows_in(
            here.values_list("external_id", "canonical_id", "pk"), "external_id", names
        )
    }
    articles = set(rows_in(here.values_list("canonical_id", flat=True), "canonical_id", names))
    ids = Query.objects.filter(corpus=corpus).values_list("external_id", "pk")
    queries = dict(rows_in(ids, "external_id", (row.query_id for row in rows)))
    found = []
    for row in rows:
        target = _target(row, documents, articles)
        fault = _fault(row, target, known=row.query_id in queries)
        if fault or target is None:
            ledger.refuse(row, row.query_id, fault)
        else:
            found.append(Aim(row, queries[row.query_id], target))
    named = {row.query_id for row in rows}
    if named and not queries:
        ledger.sum_up(f"0 of {len(named):,} query ids known: the file belongs to other queries.")
    return found


def _target(row: Aimed, documents: dict[str, Target], articles: set[str]) -> Target | None:
    """The document of a row, else its canonical id; None where the corpus holds neither."""
    if row.document_id in documents:
        return documents[row.document_id]
    named = next((name for name in (row.canonical_id, row.document_id) if name in articles), None)
    return Target(named) if named else None


def _fault(row: Aimed, target: Target | None, *, known: bool) -> str:
    unknown = [] if known else [f"query {row.query_id}"]
    if target is None:
        unknown.append(f"document {row.document_id or row.canonical_id}")
    if unknown:
        return f"The corpus holds no {' and no '.join(unknown)}."
    if target and row.canonical_id not in {"", target.canonical_id}:
        return f"Document {row.document_id} has the canonical id {target.canonical_id}, not {row.canonical_id}."
    return ""
