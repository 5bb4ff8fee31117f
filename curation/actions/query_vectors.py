"""Vectors of queries, brought along for a space whose encoder does not run here."""

from pathlib import Path

from curation.actions.receipts import Intake, Ledger, Receipt
from curation.formats.faults import Fault
from curation.models import Corpus, Query, QueryVector
from curation.reports.exact_search import current_space
from curation.retrieval.provenance import Provenance, require_same_space
from curation.retrieval.vector_files import read_jsonl
from curation.retrieval.vectors import transform

BATCH = 500


def import_query_vectors(*, corpus: Corpus, intake: Intake) -> Receipt:
    """Import JSON Lines of `{"id", "vector"}`, and "model" where the file names it, into the current space.

    They go through the transform of the space's documents. A vector that is there already makes way.

    Raises:
        VectorsRefused: the corpus has no vectors, the file's cannot be ranked, or another encoder made them.
    """
    space = current_space(corpus)
    vectors = read_jsonl(Path(intake.path))
    made_by = Provenance(name=vectors.encoder, dims=vectors.rows.shape[1])
    width = space.native_dims if made_by.dims == space.native_dims else space.dims
    require_same_space(Provenance(name=space.encoder, dims=width, revision=space.revision), made_by)
    rows = transform(vectors.matrix, dims=space.dims, order=space.transform_order, ids=vectors.ids)
    queries = dict(Query.objects.filter(corpus=corpus).values_list("external_id", "pk"))
    ledger = Ledger(intake, read=len(vectors.ids))
    brought = []
    for name, row in zip(vectors.ids, rows, strict=True):
        if name not in queries:
            ledger.faults.append(Fault(0, name, f"The corpus holds no query {name}."))
            continue
        brought.append(QueryVector(space=space, query_id=queries[name], vector=row.astype("<f4").tobytes()))
    known = dict(QueryVector.objects.filter(space=space).values_list("query_id", "vector"))
    fresh = [one for one in brought if bytes(known.get(one.query_id, b"")) != bytes(one.vector)]
    ledger.stored, ledger.merged = len(fresh), len(brought) - len(fresh)
    if ledger.stores:
        with ledger.writing():
            QueryVector.objects.bulk_create(
                fresh, BATCH, update_conflicts=True, update_fields=["vector"], unique_fields=["space", "query"]
            )
    return ledger.receipt()
