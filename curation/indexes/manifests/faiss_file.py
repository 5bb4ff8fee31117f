"""The manifest of a FAISS file: a sidecar `FILE.manifest.json` that holds the SHA-256 of the file.

Where the location is a link, the sidecar lies beside the file that it leads to, so that it goes with the file.
"""

from pathlib import Path

from curation.formats.manifest import Manifest, read_manifest, written
from curation.formats.manifest_checks import same_hash
from curation.indexes.base import IndexRefused
from curation.indexes.faiss_file import placed
from curation.retrieval.vectors import replacing, sha256_of

SUFFIX = ".manifest.json"


class FaissFileHome:
    """The sidecar of `folder / location`."""

    def __init__(self, folder: Path, location: str) -> None:
        """Look the file up.

        Raises:
            IndexRefused: no such file lies in `folder`.
        """
        self._location = location
        self._file = placed(folder, location)
        self._sidecar = self._file.with_name(self._file.name + SUFFIX)

    @property
    def size(self) -> int:
        """How many bytes `contradiction` hashes."""
        return self._file.stat().st_size

    def read(self) -> Manifest | None:
        """As `ManifestHome.read`."""
        try:
            return read_manifest(self._sidecar.read_bytes(), name=self._sidecar.name)
        except FileNotFoundError:
            return None
        except OSError as fault:
            raise IndexRefused(f"{self._sidecar.name} cannot be read: {fault.strerror}.") from fault

    def write(self, manifest: Manifest) -> Manifest:
        """As `ManifestHome.write`; the hash of the file is that of now."""
        hashed = manifest.with_parts(index={"file_sha256": sha256_of(self._file)})
        try:
            with replacing(self._sidecar) as file:
                file.write(written(hashed).encode())
        except OSError as fault:
            raise IndexRefused(
                f"{self._sidecar.name} cannot be written: {fault.strerror}; let this user write to the folder of"
                " INDEX_FOLDER."
            ) from fault
        return hashed

    def contradiction(self, manifest: Manifest) -> str:
        """As `ManifestHome.contradiction`: the file is another than the one the manifest was written for."""
        stated, found = manifest.index.file_sha256, sha256_of(self._file)
        if not stated:
            return f"The manifest of {self._location} does not hold the SHA-256 of the file; write it again."
        if not same_hash(stated, found):
            return (
                f"{self._location} has the SHA-256 {found[:12]}… and its manifest was written for {stated[:12]}…; write"
                " the manifest with the file."
            )
        return ""
