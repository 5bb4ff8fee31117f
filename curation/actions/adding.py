"""Adding an index to a corpus, or moving one: asked first, then stored with what was found."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db import IntegrityError, transaction

from curation.actions.manifests import ABSENT
from curation.actions.naming import require_name
from curation.actions.production import put_in_production
from curation.actions.refusal import Refused
from curation.actions.rollback import name_previous
from curation.formats.manifest import Manifest
from curation.indexes.base import IndexRefused
from curation.models import Corpus, TargetIndex
from curation.reports.exact_search import current_space
from curation.reports.index_kinds import needs_vectors
from curation.reports.indexes import check_location
from curation.reports.made_indexes import holds_manifest
from curation.retrieval.vectors import VectorsRefused

LONGEST_LOCATION = 500  # characters that the column keeps
ADDED = (
    TargetIndex.Kind.BM25,
    TargetIndex.Kind.FAISS_FILE,
    TargetIndex.Kind.PGVECTOR,
    TargetIndex.Kind.QDRANT,
    TargetIndex.Kind.ELASTICSEARCH,
)
MOVED = ("location", "embedding_space", "manifest", "manifest_fault", "manifest_read_at")


@dataclass(frozen=True, slots=True)
class Served:
    """How a new index is served: in production or not, under which alias, and what that led to before."""

    production: bool = False
    alias: str = ""
    previous: TargetIndex | None = None


IDLE = Served()


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


def add_index(
    *, index: TargetIndex, now: datetime, manifest: Manifest | None = None, served: Served = IDLE
) -> TargetIndex:
    """Store where an index is that was `described`, its `manifest` as it was just read, and how it is served.

    Raises:
        Refused: another has its name since, or its alias cannot be one or cannot lead to the previous target; then
            nothing is stored.
    """
    if holds_manifest(index):
        index.manifest, index.manifest_fault = (manifest.as_json(), "") if manifest else ({}, ABSENT)
        index.manifest_read_at = now
    with transaction.atomic():
        _stored(index)
        if served.alias or served.previous is not None:
            previous = served.previous or index.previous_target
            name_previous(index=index, previous=previous, alias=served.alias)
        if served.production:
            put_in_production(index=index)
    return index


def _stored(index: TargetIndex) -> None:
    if index.pk:
        index.save(update_fields=MOVED)
        return
    try:
        with transaction.atomic():
            index.save()
    except IntegrityError as fault:
        raise Refused(
            f"Somebody has just added an index {index.name}; choose another name, or add it again."
        ) from fault
