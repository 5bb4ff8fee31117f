"""What two manifests, or a manifest and what stands against it, do not agree in."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from curation.formats.manifest import HASH_DIGITS, Manifest, ManifestRefused
from curation.retrieval.quantisation import CLIP, Calibration
from curation.retrieval.rows import Matrix, VectorsRefused
from curation.retrieval.transforms import calibrated

ABSENT: Final = "absent"
_SHORTEST: Final = 32


@dataclass(frozen=True, slots=True)
class Difference:
    """A field, by its path, that one side has otherwise than the other; None on the side that lacks it."""

    path: str
    one: Any
    other: Any

    def __str__(self) -> str:
        return f"{self.path}: {_shown(self.one)} → {_shown(self.other)}"


@dataclass(frozen=True, slots=True)
class Hashes:
    """The SHA-256 of a scale and of a centre; "" where there is none."""

    scale: str = ""
    centre: str = ""

    @classmethod
    def of(cls, stated: Manifest | Calibration) -> "Hashes":
        """Those that a manifest names, or of the arrays of a calibration."""
        return cls(stated.scale_sha256, stated.centre_sha256)

    def same_as(self, other: "Hashes") -> bool:
        """Whether both stand for the same arrays."""
        return same_hash(self.scale, other.scale) and same_hash(self.centre, other.centre)


def same_hash(one: str, other: str) -> bool:
    """Whether two hashes are the same, of which either may be cut to its first 32 digits or more."""
    short, long = sorted((one.lower(), other.lower()), key=len)
    return short == long or (len(short) >= _SHORTEST and long.startswith(short))


def differences(one: Manifest, other: Manifest) -> list[Difference]:
    """Every field in which they differ, in the order of the record; a hash that was cut equals its whole self."""
    return list(_between(one.as_json(), other.as_json(), path=""))


def configuration_differences(
    manifest: Manifest, *, truncate_to: int | None = None, transform_order: Sequence[str] | None = None
) -> list[Difference]:
    """In what the configuration of a search service differs from the manifest; what is None is not compared."""
    asked = {"truncate_to": truncate_to, "transform_order": None if transform_order is None else list(transform_order)}
    return [
        Difference(f"embedding.{name}", getattr(manifest.embedding, name), value)
        for name, value in asked.items()
        if value is not None and value != getattr(manifest.embedding, name)
    ]


def calibration_of(manifest: Manifest, calibration_rows: Matrix) -> Calibration:
    """The scale and the centre that the manifest's settings make of its calibration sample, shape (n, native_dims).

    Raises:
        VectorsRefused: the sample is of another width, or the manifest's quantisation cannot be computed here.
    """
    embedding, quantisation = manifest.embedding, manifest.quantisation
    if calibration_rows.shape[1] != embedding.native_dims:
        raise VectorsRefused(
            f"The calibration sample has {calibration_rows.shape[1]:,} dimensions and the manifest's encoder"
            f" {embedding.native_dims:,}; name the sample of that encoder."
        )
    low, high = (quantisation and quantisation.clip_quantile) or CLIP
    return calibrated(
        calibration_rows,
        dims=embedding.truncate_to,
        order=embedding.transform_order,
        quantisation=quantisation.type if quantisation else "",
        clip=(low, high),
    )


def with_hashes(manifest: Manifest, hashes: Hashes) -> Manifest:
    """The manifest with these hashes; as it is where there are none."""
    named = {"scale_sha256": hashes.scale, "centre_sha256": hashes.centre}
    fields = {name: value for name, value in named.items() if value}
    return manifest.with_parts(quantisation=fields) if fields and manifest.quantisation else manifest


def require_whole_hashes(manifest: Manifest) -> None:
    """Refuse to write a hash that is missing or cut.

    Raises:
        ManifestRefused: the sample would have to be hashed again.
    """
    order = manifest.embedding.transform_order
    for step, name, value in (
        ("quantise", "scale_sha256", manifest.scale_sha256),
        ("centre", "centre_sha256", manifest.centre_sha256),
    ):
        if len(value) != HASH_DIGITS and (value or step in order):
            raise ManifestRefused(
                f"The manifest has {len(value) or 'no'} digits of quantisation.{name} and {HASH_DIGITS} are written;"
                " name the calibration sample, so that it is computed."
            )


def _between(one: Any, other: Any, *, path: str) -> Iterator[Difference]:  # noqa: ANN401  # JSON has no type
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        for name in dict.fromkeys((*one, *other)):
            yield from _between(one.get(name), other.get(name), path=f"{path}.{name}" if path else name)
    elif one != other and not _both_hashes(one, other, path=path):
        yield Difference(path, one, other)


def _both_hashes(one: object, other: object, *, path: str) -> bool:
    return path.endswith("_sha256") and isinstance(one, str) and isinstance(other, str) and same_hash(one, other)


def _shown(value: object) -> str:
    if value is None:
        return ABSENT
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return str(value)
