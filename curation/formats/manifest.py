"""The manifest, version 2: how an index was made, as a record that travels inside the index.

What the record holds beyond these fields is kept as it is, at any depth. The JSON Schema of the same fields stands
beside this file (manifest.schema.json).
"""

import json
import math
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Final, Literal, NoReturn, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

VERSION: Final = 2
HASH_DIGITS: Final = 64  # what is written; from 32 on they are read
RECALL_AT: Final = re.compile(r"recall_at_[1-9][0-9]*")
DEEPEST: Final = 100  # levels of a record
MOST_BYTES: Final = 1024 * 1024

Hash = Annotated[str, Field(pattern=r"^[0-9a-fA-F]{32,64}$")]
Text = Annotated[str, Field(min_length=1)]
Share = Annotated[float, Field(ge=0, le=1)]
Count = Annotated[int, Field(gt=0)]
Step = Literal["truncate", "l2_normalise", "centre", "quantise"]


class ManifestRefused(ValueError):
    """A record that is no manifest of version 2; its text is one sentence for the person who brought it."""


class _Part(BaseModel):
    """A part of the record: typed where it is known, kept where it is not."""

    model_config = ConfigDict(extra="allow", frozen=True, strict=True)


class Embedding(_Part):
    """The encoder, and the steps from its output to the vectors of the index, in their order."""

    model: Text
    revision: str = ""
    native_dims: Count
    truncate_to: Count
    transform_order: list[Step]

    @model_validator(mode="after")
    def _leads_there(self) -> Self:
        order = self.transform_order
        if len(set(order)) < len(order):
            raise ValueError("names a step of transform_order twice")
        if self.truncate_to > self.native_dims:
            raise ValueError("has a truncate_to above its native_dims")
        if self.truncate_to < self.native_dims and "truncate" not in order:
            raise ValueError("has a truncate_to below its native_dims and no step truncate in transform_order")
        if "quantise" in order[:-1]:
            raise ValueError("has a step behind quantise in transform_order, and none can follow it")
        return self


class Quantisation(_Part):
    """How numbers became codes, and the SHA-256 of the two arrays that it went by (little-endian float32)."""

    type: Text
    clip_quantile: list[Share] | None = Field(default=None, min_length=2, max_length=2)
    calibration_sample: str = ""
    scale_sha256: Hash | None = None
    centre_sha256: Hash | None = None
    keep_originals: bool = False

    @field_validator("clip_quantile", mode="before")
    @classmethod
    def _in_fractions(cls, pair: object) -> object:
        if isinstance(pair, list) and any(isinstance(part, int | float) and part > 1 for part in pair):
            raise ValueError("is in percent; write fractions of one, such as [0.001, 0.999]")
        return pair

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.clip_quantile and self.clip_quantile[0] >= self.clip_quantile[1]:
            raise ValueError("has a clip_quantile whose lower end is not below its upper one")
        return self


class IndexSettings(_Part):
    """The kind of index and what it measures by. A file of FAISS also has the SHA-256 of its bytes here."""

    kind: Text
    m: Count | None = None
    ef_construct: Count | None = None
    ef_search: Count | None = None
    metric: Text | None = None
    file_sha256: Hash | None = None


class Evaluation(_Part):
    """What was measured before it shipped, on which set version, beside which baseline: recall@k slice by slice."""

    model_config = ConfigDict(
        json_schema_extra={
            "patternProperties": {
                f"^{RECALL_AT.pattern}$": {
                    "type": "object",
                    "additionalProperties": {"type": "number", "minimum": 0, "maximum": 1},
                }
            }
        }
    )

    harness_commit: str = ""
    baseline: str = ""
    query_set: Text

    @model_validator(mode="after")
    def _recalls(self) -> Self:
        for name, recalls in (self.model_extra or {}).items():
            if RECALL_AT.fullmatch(name) and not _is_recalls(recalls):
                raise ValueError(f"has a {name} that does not give each slice a recall from 0 to 1")
        return self


class Acceptance(_Part):
    """The floors that each slice had to hold, and how deep."""

    absolute_floor: Share
    relative_floor: Share
    measured_at_k: Count


class Rollback(_Part):
    """When to go back, and to which collection or index: a threshold without it is a wish."""

    metric: Text
    threshold: Share
    window_days: Count
    previous_alias_target: Text


class Manifest(_Part):
    """The whole record."""

    model_config = ConfigDict(title="Manifest of a retrieval index, version 2")

    manifest_version: Literal[2]
    collection: Text
    embedding: Embedding
    quantisation: Quantisation | None = None
    index: IndexSettings
    evaluation: Evaluation | None = None
    acceptance: Acceptance | None = None
    rollback: Rollback | None = None

    @model_validator(mode="after")
    def _quantised(self) -> Self:
        if "quantise" in self.embedding.transform_order and self.quantisation is None:
            raise ValueError("has the step quantise and no quantisation")
        return self

    @property
    def scale_sha256(self) -> str:
        """The hash of the scale in lower case, "" where it names none."""
        return ((self.quantisation and self.quantisation.scale_sha256) or "").lower()

    @property
    def centre_sha256(self) -> str:
        """The hash of the centre in lower case, "" where it names none."""
        return ((self.quantisation and self.quantisation.centre_sha256) or "").lower()

    @property
    def set_version(self) -> str:
        """The set version that the evaluation names, such as hard@4; "" without an evaluation."""
        return self.evaluation.query_set if self.evaluation else ""

    def as_json(self) -> dict[str, Any]:
        """The record as it was read, unknown keys with it."""
        return self.model_dump(mode="json", exclude_unset=True)

    def with_parts(self, **parts: Mapping[str, object]) -> "Manifest":
        """The same with some fields of some parts set anew.

        Raises:
            ManifestRefused: it would be none any more.
        """
        record = self.as_json()
        return manifest_of(record | {name: {**(record.get(name) or {}), **fields} for name, fields in parts.items()})


def manifest_of(record: object) -> Manifest:
    """The manifest of a parsed record.

    Raises:
        ManifestRefused: it is of another version, or a field is missing or wrong.
    """
    if not isinstance(record, dict) or "manifest_version" not in record:
        raise ManifestRefused("This is no manifest: it has no manifest_version; write 2 and the fields of version 2.")
    version = record["manifest_version"]
    if version != VERSION or isinstance(version, bool | float):
        raise ManifestRefused(
            f"This manifest is of version {version!r} and only version {VERSION} is read; write it again as version 2."
        )
    try:
        return Manifest.model_validate(record)
    except ValidationError as fault:
        _refuse(fault)


def read_manifest(content: bytes, *, name: str) -> Manifest:
    """The manifest in the bytes of a file called `name`.

    Raises:
        ManifestRefused: as `read_record` or `manifest_of`.
    """
    return manifest_of(read_record(content, name=name))


def read_record(content: bytes, *, name: str) -> object:
    """The record in the bytes of a file called `name`, whatever its fields.

    Raises:
        ManifestRefused: they are not JSON in UTF-8, more than 1 MiB, or as `require_storable`.
    """
    if len(content) > MOST_BYTES:
        raise ManifestRefused(f"{name} is longer than 1 MiB, which no manifest is; name another file.")
    try:
        record = json.loads(content.decode("utf-8-sig"), object_pairs_hook=_once, parse_constant=_no_number)
    except (ValueError, RecursionError) as fault:
        said = f": {fault}" if isinstance(fault, ManifestRefused) else ""
        raise ManifestRefused(f"{name} is not a manifest in JSON{said}; correct it.") from fault
    require_storable(record)
    return record


def require_storable(record: object) -> None:
    """Refuse what no database keeps: NUL, half of a pair, an infinite number, or more than `DEEPEST` levels.

    Raises:
        ManifestRefused: it holds one.
    """
    level = [record]
    for _ in range(DEEPEST):
        for value in level:
            if isinstance(value, str) and ("\0" in value or any("\ud800" <= letter <= "\udfff" for letter in value)):
                raise ManifestRefused(
                    "The manifest holds a letter that no text has (NUL or half of a pair); remove it."
                )
            if isinstance(value, float) and not math.isfinite(value):
                raise ManifestRefused("The manifest holds a number too large for JSON; correct it.")
        level = [part for value in level for part in _parts(value)]
        if not level:
            return
    raise ManifestRefused(f"The manifest is nested deeper than {DEEPEST} levels; flatten it.")


def _parts(value: object) -> list[object]:
    if isinstance(value, dict):
        return [*value, *value.values()]
    return value if isinstance(value, list) else []


def written(manifest: Manifest) -> str:
    """The manifest as a file holds it: the same manifest gives the same bytes."""
    return json.dumps(manifest.as_json(), ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def json_schema() -> str:
    """The JSON Schema of a manifest, as manifest.schema.json holds it."""
    return json.dumps(Manifest.model_json_schema(), indent=2) + "\n"


SCHEMA: Final = Path(__file__).with_name("manifest.schema.json")


def _refuse(fault: ValidationError) -> NoReturn:
    first = fault.errors(include_url=False, include_context=False)[0]
    place = ".".join(str(part) for part in first["loc"])
    if first["type"] == "missing":
        raise ManifestRefused(f"The manifest has no {place}; add it.") from None
    field = f"The field {place} of the manifest" if place else "The manifest"
    said = first["msg"].removeprefix("Value error, ")
    said = said if first["type"] == "value_error" else f"is wrong: {said[:1].lower()}{said[1:]}"
    raise ManifestRefused(f"{field} {said}; correct it.") from None


def _is_recalls(recalls: object) -> bool:
    return isinstance(recalls, dict) and all(
        isinstance(recall, int | float) and not isinstance(recall, bool) and 0 <= recall <= 1
        for recall in recalls.values()
    )


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record = dict(pairs)
    if len(record) < len(pairs):
        raise ManifestRefused("a key stands twice")
    return record


def _no_number(name: str) -> NoReturn:
    raise ManifestRefused(f"{name} is no number in JSON")
