"""Held against its index when a search service starts: the manifest agrees with the service, or it does not start.

This file needs Python alone. Import it (`from curation.formats.manifest_guard import require`) or copy it beside the
service; give it the manifest as the index's own metadata holds it, parsed, or None where there is none.

    python -m curation.formats.manifest_guard MANIFEST.json --truncate-to 1024 --transform-order truncate,l2_normalise

exits with 0 where they agree, 1 where they differ or there is no manifest, 2 where it could not tell.
"""

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

VERSION = 2
DIFFERS = 1
UNKNOWN = 2


class ManifestMismatch(RuntimeError):
    """The index may not be served with this configuration; its text says why, in one sentence."""


def require(manifest: Mapping[str, Any] | None, *, truncate_to: int, transform_order: Sequence[str]) -> None:
    """Return where the index was made as this service asks it.

    Args:
        manifest: the record in the index's metadata, None where it holds none.
        truncate_to: the width to which the service cuts a query's vector.
        transform_order: the steps that it then takes, in their order.

    Raises:
        ManifestMismatch: there is no manifest of version 2, or it names another width or another order.
    """
    if not manifest:
        raise ManifestMismatch("The index has no manifest, so nothing tells how it was made; write one before serving.")
    version = manifest.get("manifest_version")
    if version != VERSION:
        raise ManifestMismatch(f"The manifest is of version {version!r} and this service reads version {VERSION}.")
    embedding = manifest.get("embedding")
    made = embedding if isinstance(embedding, Mapping) else {}
    ours = {"truncate_to": truncate_to, "transform_order": list(transform_order)}
    differing = [
        f"{name} is {made.get(name)!r} in the index and {value!r} here"
        for name, value in ours.items()
        if made.get(name) != value
    ]
    if differing:
        name = manifest.get("collection", "the index")
        raise ManifestMismatch(
            f"{name} was made otherwise than this service asks it: {'; '.join(differing)};"
            " correct the configuration, or serve an index that was made by it."
        )


def main(words: Sequence[str] | None = None) -> int:
    """Compare a file with two options; the exit code."""
    parser = argparse.ArgumentParser(description="Hold a manifest against the configuration of a search service.")
    parser.add_argument("manifest", type=Path, help="the manifest, as JSON")
    parser.add_argument("--truncate-to", type=int, required=True)
    parser.add_argument("--transform-order", required=True, help="the steps, with commas between them; '' for none")
    options = parser.parse_args(words)
    try:
        content = options.manifest.read_bytes() if options.manifest.exists() else b"null"
        manifest = json.loads(content)
    except (OSError, ValueError, RecursionError):
        return _told(f"{options.manifest} cannot be read as JSON.", UNKNOWN)
    if not isinstance(manifest, dict | None):
        return _told(f"{options.manifest} holds no JSON object.", UNKNOWN)
    order = [step.strip() for step in options.transform_order.split(",") if step.strip()]
    try:
        require(manifest, truncate_to=options.truncate_to, transform_order=order)
    except ManifestMismatch as mismatch:
        return _told(str(mismatch), DIFFERS)
    return 0


def _told(sentence: str, code: int) -> int:
    sys.stderr.write(f"{sentence}\n")
    return code


if __name__ == "__main__":
    sys.exit(main())
