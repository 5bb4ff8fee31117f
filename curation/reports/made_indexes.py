"""Indexes that are asked as their manifests say they were made; the manifest is read from the index itself.

Runs in jobs and commands only: it waits for servers, and hashes files.
"""

from __future__ import annotations

from curation.formats.manifest import Manifest, ManifestRefused
from curation.indexes.as_made import AskedAsMade, check_begins
from curation.indexes.base import Index, IndexRefused
from curation.indexes.manifests.base import ManyIndexes
from curation.models import EmbeddingSpace, TargetIndex
from curation.reports.calibrations import kept_calibration
from curation.reports.index_kinds import needs_vectors
from curation.reports.manifests import HOMES, home_of


def holds_manifest(index: TargetIndex) -> bool:
    """Whether the index is asked with vectors and has a place for a manifest that says what vectors."""
    return index.kind in HOMES and needs_vectors(index)


def standing_manifest(index: TargetIndex) -> Manifest | None:
    """The manifest by which the index is asked, None where it has none or is several indexes in one.

    Raises:
        IndexRefused: what stands in the index is no manifest, or it does not answer.
    """
    try:
        return home_of(index).read() if holds_manifest(index) else None
    except ManyIndexes:
        return None
    except ManifestRefused as refusal:
        raise IndexRefused(f"The manifest of {index.name} does not tell how to ask it: {refusal}") from refusal


def as_made(index: TargetIndex, opened: Index, *, space: EmbeddingSpace) -> Index:
    """`opened`, asked by what its manifest makes of vectors in `space`; as it is where it has no manifest.

    Raises:
        IndexRefused: as `standing_manifest`, the index belies its manifest, or queries cannot go its road.
        VectorsRefused: its quantisation cannot be computed here.
    """
    manifest = standing_manifest(index)
    if manifest is None:
        return opened
    if belied := home_of(index).contradiction(manifest):
        raise IndexRefused(belied)
    made = manifest.embedding
    check_begins(made, native_dims=space.native_dims, dims=space.dims, index=index.name)
    if (made.truncate_to, made.transform_order) == (space.dims, space.transform_order):
        return opened
    return AskedAsMade(opened, manifest, kept_calibration(manifest, index=index.name))
