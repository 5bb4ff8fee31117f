"""The gold that a query file names: a canonical id, or a document by its id."""

from collections.abc import Sequence
from dataclasses import dataclass

from curation.actions.lookups import rows_in
from curation.actions.receipts import Ledger
from curation.actions.wordings import RowFault, Wording
from curation.formats.queries import QueryRow
from curation.models import Corpus, Document


@dataclass(frozen=True, slots=True)
class GoldColumn:
    """The gold of one row; all empty where the row names none. `language` is that of the gold document."""

    canonical_id: str = ""
    document_id: int | None = None
    language: str = ""


Golds = dict[int, GoldColumn]
"""Golds by the line of their row."""


def read_golds(corpus: Corpus, wordings: Sequence[Wording], ledger: Ledger) -> tuple[list[Wording], Golds]:
    """The gold of each row, and the rows that may stay; one whose gold is not in the corpus is refused."""
    here = Document.objects.filter(corpus=corpus)
    named = rows_in(here, "external_id", (w.row.gold_document_id for w in wordings if w.row.gold_document_id))
    documents = {document.external_id: document for document in named}
    ids = here.values_list("canonical_id", flat=True)
    canonical = set(
        rows_in(ids, "canonical_id", (w.row.gold_canonical_id for w in wordings if w.row.gold_canonical_id))
    )
    golds, kept = {}, []
    for wording in wordings:
        try:
            golds[wording.row.line] = _gold(wording.row, documents, canonical)
        except RowFault as fault:
            ledger.refuse(wording.row, wording.row.external_id, str(fault))
            continue
        kept.append(wording)
    return kept, golds


def _gold(row: QueryRow, documents: dict[str, Document], canonical: set[str]) -> GoldColumn:
    if row.gold_canonical_id and row.gold_canonical_id not in canonical:
        raise RowFault(f"The corpus holds no document with the canonical id {row.gold_canonical_id}; import it first.")
    if not row.gold_document_id:
        return GoldColumn(row.gold_canonical_id)
    document = documents.get(row.gold_document_id)
    if document is None:
        raise RowFault(f"The corpus holds no document {row.gold_document_id}; import it first, or correct the id.")
    if row.gold_canonical_id not in {"", document.canonical_id}:
        raise RowFault(
            f"The gold document {document.external_id} has the canonical id {document.canonical_id}, not "
            f"{row.gold_canonical_id}; correct one of the two columns."
        )
    return GoldColumn(document.canonical_id, document.pk, document.language)
