"""Write a manifest into an index, and note what was found of the one that stands there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import numpy as np

from curation.actions.refusal import Refused
from curation.formats.manifest import Manifest, ManifestRefused
from curation.formats.manifest_checks import Hashes, calibration_of, configuration_differences
from curation.indexes.manifests.base import ManifestHome
from curation.models import TargetIndex
from curation.reports.calibrations import calibrations_folder
from curation.reports.manifest_evaluations import Change, change_of
from curation.reports.manifests import home_of
from curation.retrieval.quantisation import Calibration, array_sha256
from curation.retrieval.rows import Matrix
from curation.retrieval.vectors import replacing

ABSENT = "It holds no manifest, so nothing tells how it was made; write one with manage.py manifest write."


@dataclass(frozen=True, slots=True)
class Expected:
    """What a manifest is held against: a search service's configuration and the calibration sample, as far as given."""

    truncate_to: int | None = None
    transform_order: Sequence[str] | None = None
    calibration_rows: Matrix | None = None


@dataclass(frozen=True, slots=True)
class Verified:
    """The manifest that stands, None where none can be read, and what speaks against it, a sentence each."""

    manifest: Manifest | None
    faults: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        """What is told of it to programs."""
        record = self.manifest.as_json() if self.manifest else None
        return {"agrees": not self.faults, "reasons": list(self.faults), "manifest": record}


def write_manifest(*, index: TargetIndex, given: Manifest, calibration_rows: Matrix | None, now: datetime) -> Change:
    """Write `given` into the index, its hashes computed from the sample where there is one.

    What the sample taught is kept here, for the queries that the index is asked with. The index need not be stored.

    Raises:
        Refused: a hash is changed and no evaluation names the new ones.
        ManifestRefused: `given` lacks a hash, or what the sample taught cannot be kept.
        IndexRefused, VectorsRefused: the index cannot be written to; the sample does not fit.
    """
    home = home_of(index)
    change = change_of(given, standing=standing_in(home), calibration_rows=calibration_rows)
    if change.refusal:
        raise Refused(f"{index.name} is not written: {change.refusal}")
    if change.calibration is not None:
        _keep(change.calibration)
    _note(index, home.write(change.manifest), fault="", now=now)
    return change


def _keep(calibration: Calibration) -> None:
    folder = calibrations_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for array in (calibration.scale, calibration.centre):
            if array is not None:
                with replacing(folder / f"{array_sha256(array)}.npy") as file:
                    np.lib.format.write_array(file, array.astype("<f4"))
    except OSError as fault:
        words = (fault.strerror or "unknown").lower()
        raise ManifestRefused(f"The scale and the centre cannot be kept in the data folder: {words}.") from fault


def verify_manifest(*, index: TargetIndex, expected: Expected, now: datetime) -> Verified:
    """Read the manifest of the index, hold it against the index and what is expected, and note what was found.

    Raises:
        IndexRefused, VectorsRefused: the index does not answer; the sample does not fit.
    """
    home = home_of(index)
    manifest = standing_in(home)
    if not isinstance(manifest, Manifest):
        return _noted(index, Verified(None, (str(manifest or ABSENT),)), now=now)
    own = tuple(filter(None, (home.contradiction(manifest), *hash_faults(manifest, expected.calibration_rows))))
    _noted(index, Verified(manifest, own), now=now)
    return Verified(manifest, (*own, *configuration_faults(manifest, expected)))


def verified_file(manifest: Manifest, expected: Expected) -> Verified:
    """The same for a manifest in a file, of which nothing is noted.

    Raises:
        VectorsRefused: the sample does not fit.
    """
    faults = (*hash_faults(manifest, expected.calibration_rows), *configuration_faults(manifest, expected))
    return Verified(manifest, faults)


def standing_in(home: ManifestHome) -> Manifest | ManifestRefused | None:
    """The manifest that stands there, None where none does, or why what stands there is none.

    Raises:
        IndexRefused: the index does not answer.
    """
    try:
        return home.read()
    except ManifestRefused as refusal:
        return refusal


def configuration_faults(manifest: Manifest, expected: Expected) -> list[str]:
    """In what a search service's configuration differs from the manifest."""
    found = configuration_differences(
        manifest, truncate_to=expected.truncate_to, transform_order=expected.transform_order
    )
    return [f"The configuration differs from the manifest: {difference}." for difference in found]


def hash_faults(manifest: Manifest, calibration_rows: Matrix | None) -> list[str]:
    """Whether the calibration sample has other hashes than the manifest names."""
    if calibration_rows is None:
        return []
    if Hashes.of(calibration_of(manifest, calibration_rows)).same_as(Hashes.of(manifest)):
        return []
    return [
        "The calibration sample makes another scale or centre than the manifest names; build again, or evaluate it."
    ]


def _noted(index: TargetIndex, verified: Verified, *, now: datetime) -> Verified:
    _note(index, verified.manifest, fault=" ".join(verified.faults), now=now)
    return verified


def _note(index: TargetIndex, manifest: Manifest | None, *, fault: str, now: datetime) -> None:
    index.manifest = manifest.as_json() if manifest else {}
    index.manifest_fault, index.manifest_read_at = fault, now
    if index.pk:
        index.save(update_fields=["manifest", "manifest_fault", "manifest_read_at"])
