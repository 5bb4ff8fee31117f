"""A server of Qdrant, through its client library, which not everybody has; its faults are said in one sentence."""

import math
import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final, TypeVar

import httpx

from curation.indexes.base import IndexRefused
from curation.indexes.remote import answered, client_library
from curation.indexes.server import server_named
from curation.retrieval.addresses import AddressRefused
from curation.retrieval.connections import checked_url
from curation.retrieval.json_server import ServerBusy, ServerRefused, refusal
from curation.retrieval.patience import PATIENCE, Patience

INSTALL: Final = "pip install qdrant-client"

Answer = TypeVar("Answer")
_Client = Any  # the library may be absent


class QdrantServer:
    """A client of the library with its name for sentences; `client` is a `qdrant_client.QdrantClient`."""

    def __init__(
        self,
        client: _Client,
        name: str,
        *,
        patience: Patience = PATIENCE,
        sleep: Callable[[float], object] = time.sleep,
    ) -> None:
        """Asks nothing yet."""
        self.client = client
        self.name = f"The server {name}"
        self._patience = patience
        self._sleep = sleep
        self._faults = client_library("qdrant_client.http.exceptions", install=INSTALL)
        self._exhausted = client_library("qdrant_client.common.client_exceptions", install=INSTALL)

    @classmethod
    def connect(
        cls,
        name: str,
        environment: Mapping[str, str],
        *,
        patience: Patience = PATIENCE,
        sleep: Callable[[float], object] = time.sleep,
    ) -> "QdrantServer":
        """The server of that name in the operator's `environment`; nothing is asked yet.

        Raises:
            IndexRefused: the environment does not know the server, its address cannot be read, or the client library
                is not installed.
        """
        library = client_library("qdrant_client", install=INSTALL)
        known = server_named(name, environment)
        try:
            checked_url(known.url)
        except AddressRefused as fault:
            raise IndexRefused(f"INDEX_URL_{known.name} is no use: {fault}") from fault
        client = library.QdrantClient(
            url=known.url,
            api_key=known.key or None,
            timeout=math.ceil(patience.timeout_s),
            check_compatibility=False,  # it would ask the server at once
            trust_env=False,
        )
        return cls(client, name, patience=patience, sleep=sleep)

    def collection(self, name: str) -> Any:  # noqa: ANN401  # of the library that may be absent
        """What the server knows of a collection, or of the one behind an alias.

        Raises:
            IndexRefused: as `ask`.
        """
        return self.ask(partial(self.client.get_collection, name), of=name)

    def ask(self, call: Callable[[], Answer], *, of: str) -> Answer:
        """What `call` gives of a collection, tried again where the server is busy.

        Raises:
            IndexRefused: the server gave no answer, or knows no such collection.
        """

        def said() -> Answer:
            try:
                return call()
            except self._exhausted.QdrantException as fault:
                raise refusal(self.name, 429) from fault
            except self._faults.UnexpectedResponse as fault:
                raise refusal(self.name, fault.status_code) from fault
            except self._faults.ResponseHandlingException as fault:
                raise self._unanswered(fault.source) from fault
            except (ValueError, AssertionError) as fault:  # not JSON, or an answer without what the client asserts
                raise self._unanswered(fault) from fault

        absent = f"{self.name} has no collection {of}; check the location."
        return answered(said, absent=absent, patience=self._patience, sleep=self._sleep)

    def _unanswered(self, source: Exception) -> ServerRefused:
        if isinstance(source, httpx.TimeoutException):
            return ServerBusy(f"{self.name} did not answer within {self._patience.timeout_s:g} s; try again later.")
        if isinstance(source, httpx.HTTPError):
            return ServerBusy(f"{self.name} cannot be reached; check its address and that it is up.")
        return ServerRefused(f"{self.name} answers otherwise than Qdrant does; check its address and version.")
