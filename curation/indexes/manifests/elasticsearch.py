"""The manifest of an index of Elasticsearch or OpenSearch: in the `_meta` of its mapping."""

import time
from collections.abc import Callable
from typing import Any, TypeVar

from curation.formats.manifest import Manifest
from curation.indexes.base import IndexRefused
from curation.indexes.manifests.base import KEY, ManyIndexes, kept_under
from curation.indexes.remote import answered
from curation.retrieval.json_server import JsonServer
from curation.retrieval.patience import PATIENCE, Patience

Answer = TypeVar("Answer")


class ElasticsearchHome:
    """The mapping of one index, or of the one behind an alias."""

    def __init__(
        self,
        server: JsonServer,
        index: str,
        *,
        patience: Patience = PATIENCE,
        sleep: Callable[[float], object] = time.sleep,
    ) -> None:
        """Asks nothing yet."""
        self._server = server
        self._index = index
        self._patience = patience
        self._sleep = sleep

    def read(self) -> Manifest | None:
        """As `ManifestHome.read`."""
        return kept_under(KEY, self._meta())

    def write(self, manifest: Manifest) -> Manifest:
        """As `ManifestHome.write`; what else stands in the `_meta` stays, as far as nobody else writes it just now."""
        others = self._meta()
        meta = {**(others if isinstance(others, dict) else {}), KEY: manifest.as_json()}
        self._asked(lambda: self._server.ask("PUT", f"{self._index}/_mapping", {"_meta": meta}))
        return manifest

    def contradiction(self, _manifest: Manifest) -> str:
        """As `ManifestHome.contradiction`: an index tells nothing of how its vectors were made."""
        return ""

    def _meta(self) -> object:
        found = self._asked(lambda: self._server.ask("GET", f"{self._index}/_mapping"))
        if isinstance(found, dict) and len(found) > 1:
            raise ManyIndexes(f"{self._index} is an alias of {len(found)} indexes; name one, whose manifest is meant.")
        try:
            (mapped,) = found.values()
            meta: Any = mapped["mappings"].get("_meta")
        except (AttributeError, KeyError, TypeError, ValueError) as fault:
            raise IndexRefused(
                f"{self._server.name} answers otherwise than Elasticsearch does; check its address and version."
            ) from fault
        return meta

    def _asked(self, ask: Callable[[], Answer]) -> Answer:
        absent = f"{self._server.name} has no index {self._index}; check the location."
        return answered(ask, absent=absent, patience=self._patience, sleep=self._sleep)
