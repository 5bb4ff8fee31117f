"""The indexes of a corpus, and which of them stands for production: hard negatives are mined against it."""

from __future__ import annotations

from django.db import transaction

from curation.actions.naming import require_name
from curation.actions.refusal import Refused
from curation.indexes.base import IndexRefused
from curation.models import Corpus, TargetIndex
from curation.reports.exact_search import current_space
from curation.reports.indexes import check_location, needs_vectors
from curation.retrieval.vectors import VectorsRefused

LONGEST_LOCATION = 500  # characters that the column keeps
ADDED = (
    TargetIndex.Kind.BM25,
    TargetIndex.Kind.FAISS_FILE,
    TargetIndex.Kind.PGVECTOR,
    TargetIndex.Kind.QDRANT,
    TargetIndex.Kind.ELASTICSEARCH,
)


def hold_indexes(corpus: Corpus) -> None:
    """Hold the indexes of a corpus until the transaction ends; look at them only after this.

    So one at a time opens a generation, or changes what is in production and when it is mined.
    """
    list(TargetIndex.objects.select_for_update().filter(corpus=corpus).order_by("pk").values_list("pk"))


def described(*, corpus: Corpus, name: str, kind: TargetIndex.Kind, location: str) -> TargetIndex:
    """The index as it would be stored, to be asked before it is.

    One that takes vectors is bound to the corpus's space of now.

    Raises:
        Refused: the name is no name or that of another kind, the location is not of the kind's form, or there are no
            vectors.
    """
    if kind not in ADDED:
        raise Refused(f"An index of kind {kind} is not added; known are {', '.join(ADDED)}.")
    require_name(name, of="an index")
    if len(location) > LONGEST_LOCATION:
        raise Refused(f"A location has at most {LONGEST_LOCATION} characters; this one has {len(location):,}.")
    index = corpus.indexes.filter(name=name).first() or _new(corpus, name, kind)
    if index.kind != kind:
        raise Refused(f"The index {name} is of kind {index.kind}; choose another name.")
    if index.location != location:  # what was read of its manifest was that of another
        index.manifest, index.manifest_fault, index.manifest_read_at = {}, "", None
    index.location = location
    try:
        check_location(kind, location)
        index.embedding_space = current_space(corpus) if needs_vectors(index) else None
    except (IndexRefused, VectorsRefused) as refusal:
        raise Refused(str(refusal)) from refusal
    return index


def _new(corpus: Corpus, name: str, kind: TargetIndex.Kind) -> TargetIndex:
    if "/" in name or name != name.strip():
        raise Refused(f"“{name}” is no name for an index; write it without a slash and without spaces around it.")
    return TargetIndex(corpus=corpus, name=name, kind=kind)


@transaction.atomic
def add_index(
    *, corpus: Corpus, name: str, kind: TargetIndex.Kind, location: str, production: bool = False
) -> TargetIndex:
    """Store where an index is; one of that name and kind moves there.

    Raises:
        Refused: as `described`.
    """
    index = described(corpus=corpus, name=name, kind=kind, location=location)
    index.save()
    return put_in_production(index=index) if production else index


def index_of_run(*, corpus: Corpus, name: str) -> TargetIndex | None:
    """The index that answers by the imported run of that name, where one does."""
    return corpus.indexes.filter(kind=TargetIndex.Kind.RUN, name=name).first()


@transaction.atomic
def put_run_in_production(*, corpus: Corpus, name: str) -> TargetIndex:
    """Let the imported run of that name stand for production.

    Raises:
        Refused: an index of another kind has the name.
    """
    index, _ = TargetIndex.objects.get_or_create(corpus=corpus, name=name, defaults={"kind": TargetIndex.Kind.RUN})
    if index.kind != TargetIndex.Kind.RUN:
        raise Refused(f"The index {name} is of kind {index.kind}; give the run another name.")
    return put_in_production(index=index)


@transaction.atomic
def put_in_production(*, index: TargetIndex) -> TargetIndex:
    """Let the index stand for production; it takes the re-mining dates over."""
    hold_indexes(index.corpus)
    before = TargetIndex.objects.filter(corpus=index.corpus_id, is_production=True).exclude(pk=index.pk).first()
    if before is not None:
        index.remine_anchor, index.remine_due_on = before.remine_anchor, before.remine_due_on
        before.is_production, before.remine_anchor, before.remine_due_on = False, None, None
        before.save(update_fields=["is_production", "remine_anchor", "remine_due_on"])
    index.is_production = True
    index.save(update_fields=["is_production", "remine_anchor", "remine_due_on"])
    return index
