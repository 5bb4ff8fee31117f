"""The manifests of a corpus's indexes: where each lives, and what a page shows of one. A page asks no index."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from django.conf import settings

from curation.formats.manifest import Manifest, ManifestRefused, manifest_of
from curation.formats.manifest_checks import Hashes
from curation.indexes.base import IndexRefused
from curation.indexes.elasticsearch import SearchedFields
from curation.indexes.manifests.base import ManifestHome
from curation.indexes.manifests.elasticsearch import ElasticsearchHome
from curation.indexes.manifests.faiss_file import FaissFileHome
from curation.indexes.manifests.pgvector import PgvectorHome
from curation.indexes.manifests.qdrant import QdrantHome
from curation.indexes.pgvector import table_of
from curation.indexes.qdrant import Collection
from curation.indexes.qdrant_server import QdrantServer
from curation.indexes.search_server import server_at
from curation.models import GateReport, TargetIndex
from curation.reports.gate_floors import level_in_words as in_words
from curation.reports.manifest_evaluations import report_naming
from curation.retrieval.quantisation import BINARY, INT8

Kind = TargetIndex.Kind
QUANTISATIONS = {INT8: "int8, per dimension", BINARY: "binary, by sign"}
STEPS = {"l2_normalise": "normalise"}
HASH_END = 4


class State(StrEnum):
    """What is known of an index's manifest; the value is what a tag says."""

    NOWHERE = "No place for one"
    UNREAD = "Not read yet"
    MISSING = "No manifest"
    BELIED = "Does not match"
    UNEVALUATED = "No evaluation"
    REJECTED = "Gate rejected"
    MATCHES = "Hashes match"
    PLAIN = "Read"

    @property
    def tone(self) -> str:
        """The class of its tag."""
        return TONES.get(self, "")


TONES = {
    State.MATCHES: "pass",
    State.BELIED: "stop",
    State.MISSING: "stop",
    State.REJECTED: "stop",
    State.UNEVALUATED: "warn",
}


@dataclass(frozen=True, slots=True)
class ManifestPanel:
    """A manifest as a page lists it: its state, why, and its rows of name and value."""

    state: State
    reason: str
    rows: tuple[tuple[str, str], ...]

    @property
    def warning(self) -> str:
        """What to know before the index goes into production, which nothing refuses; "" where no gate rejected it."""
        return self.reason if self.state is State.REJECTED else ""


def home_of(index: TargetIndex) -> ManifestHome:
    """The place of the index's manifest; a server is not asked yet.

    Raises:
        IndexRefused: the index is made of the corpus's own documents, or cannot be reached by what is known of it.
    """
    if index.kind not in HOMES:
        raise IndexRefused(
            f"{index.name} is of kind {index.kind}, which has no metadata of its own to hold a manifest; name an index"
            " that is a FAISS file, or lies in pgvector, Qdrant, Elasticsearch or OpenSearch."
        )
    return HOMES[Kind(index.kind)](index)


def bytes_hashed(index: TargetIndex) -> int:
    """How many bytes have to be hashed to hold the index against its manifest; 0 where a server keeps it.

    Raises:
        IndexRefused: as `home_of`.
    """
    home = home_of(index)
    return home.size if isinstance(home, FaissFileHome) else 0


def panel_of(index: TargetIndex) -> ManifestPanel:
    """The manifest of an index as it was last read or written."""
    if index.kind not in HOMES:
        return ManifestPanel(State.NOWHERE, "An index in Hardset is made of the corpus's own documents.", ())
    if index.manifest_read_at is None:
        return ManifestPanel(State.UNREAD, "manage.py manifest verify reads it.", ())
    if not index.manifest:
        return ManifestPanel(State.MISSING, index.manifest_fault, ())
    return panel_of_record(index.manifest, fault=index.manifest_fault)


def panel_of_record(record: Mapping[str, Any], *, fault: str = "") -> ManifestPanel:
    """A stored record as a page lists it; `fault` is what was found to belie it."""
    try:
        manifest = manifest_of(dict(record))
    except ManifestRefused as refusal:
        return ManifestPanel(State.BELIED, str(refusal), ())
    rows = tuple(rows_of(manifest))
    if fault:
        return ManifestPanel(State.BELIED, fault, rows)
    if Hashes.of(manifest) == Hashes():
        return ManifestPanel(State.PLAIN, "It names no scale and no centre.", rows)
    return ManifestPanel(*_evaluated(manifest), rows)


def panel_of_report(report: GateReport) -> ManifestPanel:
    """The manifest that was gated, beside the one that its index holds, as far as that was read."""
    if not report.manifest:
        return ManifestPanel(State.MISSING, "The run was gated without one; a gate takes it (--manifest).", ())
    try:
        gated = manifest_of(report.manifest)
    except ManifestRefused as refusal:
        return ManifestPanel(State.BELIED, str(refusal), ())
    rows = tuple(rows_of(gated))
    index = _index_of(report, gated)
    if index is None or not index.manifest:
        return ManifestPanel(State.UNREAD, "No manifest of its index was read; manage.py manifest verify does.", rows)
    held = panel_of(index)
    if held.state is State.BELIED or not Hashes.of(manifest_of(index.manifest)).same_as(Hashes.of(gated)):
        return ManifestPanel(State.BELIED, held.reason if index.manifest_fault else f"{index.name} holds others.", rows)
    return ManifestPanel(State.MATCHES, f"{index.name} holds the hashes that were gated.", rows)


def _evaluated(manifest: Manifest) -> tuple[State, str]:
    report = report_naming(manifest)
    if report is None:
        return State.UNEVALUATED, "No stored gate report names its hashes and its set version."
    named = f"The gate report of {report.run_name} on {report.set_version}"
    if report.verdict == GateReport.Verdict.REJECT:
        return State.REJECTED, f"{named} rejected these very hashes."
    return State.MATCHES, f"{named} names them."


def _index_of(report: GateReport, gated: Manifest) -> TargetIndex | None:
    """The index that the run asked, else the one that holds a manifest of the same collection."""
    if report.run is not None and report.run.index is not None:
        return report.run.index
    return report.set_version.corpus.indexes.filter(manifest__collection=gated.collection).first()


def rows_of(manifest: Manifest) -> Iterator[tuple[str, str]]:
    """What a reader wants of a manifest, a line each."""
    embedding, index = manifest.embedding, manifest.index
    yield "collection", manifest.collection
    yield "encoder", " ".join(filter(None, (embedding.model, embedding.revision)))
    yield "embedding", f"{embedding.native_dims} → {embedding.truncate_to} dims"
    yield "order", ", ".join(STEPS.get(step, step) for step in embedding.transform_order) or "none"
    yield from _quantised(manifest)
    settings_of = (("m", index.m), ("ef", index.ef_search))
    yield "index", " ".join([index.kind, *(f"{name}={value}" for name, value in settings_of if value)])
    yield from _judged(manifest)
    if rollback := manifest.rollback:
        days = f"{rollback.window_days} day{'s' * (rollback.window_days > 1)}"
        yield "roll back below", f"{rollback.threshold:g} for {days}"
        yield "roll back to", rollback.previous_alias_target


def _quantised(manifest: Manifest) -> Iterator[tuple[str, str]]:
    if not (quantised := manifest.quantisation):
        return
    yield "quantisation", QUANTISATIONS.get(quantised.type, quantised.type)
    if clip := quantised.clip_quantile:
        yield "clip", f"{clip[0]:g} … {clip[1]:g}"
    for name, value in (("scale", manifest.scale_sha256), ("centre", manifest.centre_sha256)):
        if value:
            yield f"{name} sha256", f"{value[:HASH_END]}…{value[-HASH_END:]}"


def _judged(manifest: Manifest) -> Iterator[tuple[str, str]]:
    if evaluation := manifest.evaluation:
        if evaluation.baseline:
            yield "baseline", evaluation.baseline.replace("_", " ")
        yield "query set", evaluation.query_set
    if floors := manifest.acceptance:
        yield (
            "floors",
            f"abs {in_words(floors.absolute_floor)}  rel {in_words(floors.relative_floor)}  k {floors.measured_at_k}",
        )


def _faiss_file(index: TargetIndex) -> ManifestHome:
    return FaissFileHome(Path(settings.INDEX_FOLDER), index.location)


def _pgvector(index: TargetIndex) -> ManifestHome:
    return PgvectorHome(table_of(index.location), os.environ)


def _qdrant(index: TargetIndex) -> ManifestHome:
    collection = Collection.read(index.location)
    return QdrantHome(QdrantServer.connect(collection.server, os.environ), collection)


def _elasticsearch(index: TargetIndex) -> ManifestHome:
    fields = SearchedFields.read(index.location)
    return ElasticsearchHome(server_at(fields.server, os.environ), fields.index)


HOMES: Mapping[Kind, Callable[[TargetIndex], ManifestHome]] = {
    Kind.FAISS_FILE: _faiss_file,
    Kind.PGVECTOR: _pgvector,
    Kind.QDRANT: _qdrant,
    Kind.ELASTICSEARCH: _elasticsearch,
}
