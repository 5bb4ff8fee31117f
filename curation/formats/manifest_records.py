"""A manifest as a gate keeps it: the record as it is, whatever its fields."""

from typing import Any

from curation.formats.manifest import ManifestRefused, read_record


def read_object(content: bytes, *, name: str) -> dict[str, Any]:
    """The record in the bytes of a file called `name`, which is an object.

    Raises:
        ManifestRefused: as `read_record`; or it is another value.
    """
    told = read_record(content, name=name)
    if not isinstance(told, dict):
        raise ManifestRefused(f"The manifest {name} holds no JSON object.")
    return told
