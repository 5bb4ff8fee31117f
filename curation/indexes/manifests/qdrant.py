"""The manifest of a collection of Qdrant: in the collection's own metadata (Qdrant 1.16 or newer)."""

from functools import partial

from curation.formats.manifest import Manifest
from curation.indexes.base import IndexRefused
from curation.indexes.manifests.base import KEY, kept_under
from curation.indexes.qdrant import Collection
from curation.indexes.qdrant_server import QdrantServer


class QdrantHome:
    """The metadata of one collection, or of the one behind an alias."""

    def __init__(self, server: QdrantServer, collection: Collection) -> None:
        """Asks nothing yet."""
        self._server = server
        self._name = collection.name

    def read(self) -> Manifest | None:
        """As `ManifestHome.read`."""
        return kept_under(KEY, self._server.collection(self._name).config.metadata)

    def write(self, manifest: Manifest) -> Manifest:
        """As `ManifestHome.write`; what else stands in the metadata stays."""
        metadata = {KEY: manifest.as_json()}
        self._server.ask(partial(self._server.client.update_collection, self._name, metadata=metadata), of=self._name)
        # a server older than collection metadata accepts the request and keeps nothing of it
        if self.read() != manifest:
            raise IndexRefused(f"{self._server.name} keeps no metadata of a collection; run Qdrant 1.16 or newer.")
        return manifest

    def contradiction(self, _manifest: Manifest) -> str:
        """As `ManifestHome.contradiction`: a collection tells nothing of how its vectors were made."""
        return ""
