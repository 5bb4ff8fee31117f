"""Whether a manifest's hashes may be written: they are those of before, or an evaluation names them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from curation.formats.manifest import Manifest, ManifestRefused, manifest_of
from curation.formats.manifest_checks import Hashes, calibration_of, require_whole_hashes, same_hash, with_hashes
from curation.models import GateReport
from curation.reports.set_versions import NoSuchVersion, set_version
from curation.retrieval.quantisation import Calibration
from curation.retrieval.rows import Matrix

SHOWN = 12  # digits of a hash in a sentence


@dataclass(frozen=True, slots=True)
class Change:
    """A manifest as it would be written, with whole hashes; what of them is new, and the report that names them.

    `calibration` is what the sample made, None without one.
    """

    manifest: Manifest
    changes: tuple[str, ...]
    evaluation: GateReport | None
    calibration: Calibration | None = None

    @property
    def refusal(self) -> str:
        """Why it may not be written, "" where it may."""
        if not self.changes or self.evaluation is not None:
            return ""
        named = self.manifest.set_version
        wanted = f"a gate report on {named} that names these hashes" if named else "an evaluation.query_set to name one"
        return (
            f"{'; '.join(self.changes)}: a changed hash needs {wanted}, the newest of which must not reject; run"
            " manage.py gate with --manifest first."
        )

    def as_json(self) -> dict[str, Any]:
        """What is told once it is written, beside the manifest as the index holds it then."""
        return {"written": True, "changes": list(self.changes), "evaluation": str(self.evaluation or "")}


def change_of(
    given: Manifest, *, standing: Manifest | ManifestRefused | None, calibration_rows: Matrix | None
) -> Change:
    """What writing `given` would change, beside the one that stands and the hashes that its sample really has.

    Args:
        given: the manifest to be written.
        standing: the one that is written in the index, None where there is none; a record there that is no manifest of
            version 2 may hold any hash, so it counts as changed.
        calibration_rows: the calibration sample, shape (n, native_dims); None where the hashes that are named shall do.

    Raises:
        ManifestRefused: without a sample, a hash is missing or cut.
        VectorsRefused: the sample does not fit the manifest, or its quantisation cannot be computed here.
    """
    named = Hashes.of(given)
    calibration = None if calibration_rows is None else calibration_of(given, calibration_rows)
    found = named if calibration is None else Hashes.of(calibration)
    whole = with_hashes(given, found)
    require_whole_hashes(whole)
    told = list(_changes(named, found, where="the manifest names", only_named=True))
    if isinstance(standing, ManifestRefused):
        told.append(f"what stands in the index cannot be compared ({str(standing).rstrip('.')})")
    elif standing is not None:
        told += _changes(Hashes.of(standing), found, where="the index holds", only_named=False)
    return Change(whole, tuple(told), evaluation_of(whole) if told else None, calibration)


def evaluation_of(manifest: Manifest) -> GateReport | None:
    """The newest gate report on the manifest's set version that names its very hashes; None where it rejected them."""
    newest = report_naming(manifest)
    return newest if newest is not None and newest.verdict != GateReport.Verdict.REJECT else None


def report_naming(manifest: Manifest) -> GateReport | None:
    """The newest gate report on the manifest's set version that names its very hashes, whatever its verdict."""
    try:
        version = set_version(manifest.set_version)
    except NoSuchVersion:
        return None
    reports = GateReport.objects.filter(set_version=version).order_by("-measured_at", "-pk")
    return next((report for report in reports if _names(report, Hashes.of(manifest))), None)


def _names(report: GateReport, hashes: Hashes) -> bool:
    try:
        return bool(report.manifest) and Hashes.of(manifest_of(report.manifest)).same_as(hashes)
    except ManifestRefused:  # a report keeps whatever was handed in with the run
        return False


def _changes(before: Hashes, found: Hashes, *, where: str, only_named: bool) -> Iterator[str]:
    """What of the hashes is otherwise than before; with `only_named`, one that was left open is none."""
    pairs = (("scale", before.scale, found.scale), ("centre", before.centre, found.centre))
    for name, old, new in pairs:
        if not same_hash(old, new) and (old or not only_named):
            yield f"the {name} has the hash {_shown(new)} and {where} {_shown(old)}"


def _shown(value: str) -> str:
    return f"{value[:SHOWN]}…" if value else "none"
