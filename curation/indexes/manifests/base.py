"""Where a manifest lives: in the metadata of the index itself, so that who serves the index can require one."""

from typing import Final, Protocol

from curation.formats.manifest import Manifest, ManifestRefused, manifest_of
from curation.indexes.base import IndexRefused

KEY: Final = "retrieval_index_manifest"  # in metadata that others write to as well


class ManyIndexes(IndexRefused):
    """What the location names is several indexes in one, so that no single manifest could tell how they were made."""


class ManifestHome(Protocol):
    """The place of one index's manifest. Beside the alias swaps, this is all that is written to a backend."""

    def read(self) -> Manifest | None:
        """The manifest that stands there, None where there is none.

        Raises:
            IndexRefused: the index is not there or does not answer; `ManyIndexes` where it is several.
            ManifestRefused: what stands there is no manifest of version 2.
        """

    def write(self, manifest: Manifest) -> Manifest:
        """Let it stand there, in place of any other; the manifest as it stands now.

        Raises:
            IndexRefused: the index is not there, does not answer, or lets nobody write.
        """

    def contradiction(self, manifest: Manifest) -> str:
        """What of the index itself belies the manifest, in one sentence; "" where nothing does or nothing can.

        Raises:
            IndexRefused: as `read`.
        """


def kept_under(key: str, metadata: object) -> Manifest | None:
    """The manifest in metadata that others write to as well.

    Raises:
        ManifestRefused: something else stands there.
    """
    if metadata is not None and not isinstance(metadata, dict):
        raise ManifestRefused("The metadata of the index is no object, so it holds no manifest; write one.")
    record = (metadata or {}).get(key)
    return None if record is None else manifest_of(record)
