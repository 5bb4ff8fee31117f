"""The scales and centres by which compressed indexes are asked, each kept under its own hash."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from django.conf import settings

from curation.formats.manifest import Manifest
from curation.formats.manifest_checks import same_hash
from curation.indexes.base import IndexRefused
from curation.retrieval.quantisation import Calibration, array_sha256, require_known
from curation.retrieval.rows import Matrix


def calibrations_folder() -> Path:
    """Where each array lies as `HASH.npy`, little-endian float32 of shape (d,)."""
    return Path(settings.DATA_DIR) / "calibrations"


def kept_calibration(manifest: Manifest, *, index: str) -> Calibration:
    """The scale and the centre that the manifest names, as they were kept when it was written.

    Raises:
        IndexRefused: one is not kept here or is damaged; `index` is the name in the sentence.
        VectorsRefused: its quantisation cannot be computed here.
    """
    order, quantisation = manifest.embedding.transform_order, manifest.quantisation
    centre = _kept(manifest.centre_sha256, "centre", index) if "centre" in order else None
    if quantisation is None or "quantise" not in order:
        return Calibration(centre=centre)
    require_known(quantisation.type)
    return Calibration(quantisation.type, centre, _kept(manifest.scale_sha256, "scale", index))


def _kept(sha256: str, name: str, index: str) -> Matrix:
    for path in sorted(calibrations_folder().glob(f"{sha256}*.npy")) if sha256 else ():
        try:
            array = np.load(path, allow_pickle=False)
        except (OSError, ValueError, EOFError):
            continue  # damaged: it has not that hash
        if array.dtype == np.float32 and array.ndim == 1 and same_hash(array_sha256(array), sha256):
            return np.asarray(array)
    raise IndexRefused(
        f"The {name} that the manifest of {index} names is not kept here; write the manifest once more with --sample,"
        f" which keeps the {name} for the queries."
    )
