"""A collection of Qdrant, through its client library, which not everybody has."""

import hashlib
import json
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, TypeVar

import httpx
import numpy as np

from curation.indexes.base import AskedQuery, IndexRefused, Ranked
from curation.indexes.location import Location
from curation.indexes.remote import PATIENCE, Patience, answered, client_library
from curation.indexes.ties import top_k
from curation.retrieval.addresses import AddressRefused
from curation.retrieval.connections import checked_url
from curation.retrieval.json_server import ServerBusy, ServerRefused, refusal

INSTALL: Final = "pip install qdrant-client"
_TOGETHER: Final = 50  # queries in one request
_PAGE: Final = 1_000  # points in one request
_NEAREST_FIRST: Final = {"Euclid", "Manhattan"}  # the score is a distance

Answer = TypeVar("Answer")
_Client = Any  # the library may be absent


@dataclass(frozen=True, slots=True)
class _Vectors:
    """The vectors of a collection that are searched: their name (none in most collections), width and distance."""

    name: str | None
    size: int
    distance: str


class QdrantIndex:
    """One collection, searched by vector as production would: with its own index and settings."""

    def __init__(
        self,
        client: _Client,
        location: str,
        *,
        server: str = "Qdrant",
        patience: Patience = PATIENCE,
        sleep: Callable[[float], object] = time.sleep,
    ) -> None:
        """Asks nothing yet.

        Args:
            client: a `qdrant_client.QdrantClient`.
            location: the collection, such as `kb`, `kb?id=article` (the payload field that holds the external id;
                without it the id of the point is taken) or `kb?vector=dense` (the name of its vectors).
            server: what the server is called in sentences.
            patience: how long it is waited for.
            sleep: what passes the time between two attempts.

        Raises:
            IndexRefused: the location cannot be read.
        """
        read = Location.read(location, known=("id", "vector"))
        self._client = client
        self._collection = read.name
        self._id_field = read.options.get("id", "")
        self._vector_name = read.options.get("vector")
        self._server = server
        self._patience = patience
        self._sleep = sleep
        self._models = client_library("qdrant_client.models", install=INSTALL)
        self._faults = client_library("qdrant_client.http.exceptions", install=INSTALL)
        self._exhausted = client_library("qdrant_client.common.client_exceptions", install=INSTALL)

    @classmethod
    def connect(
        cls,
        address: str,
        location: str,
        *,
        api_key: str = "",
        patience: Patience = PATIENCE,
        sleep: Callable[[float], object] = time.sleep,
    ) -> "QdrantIndex":
        """The collection at `location` on the server whose `address` the operator wrote; nothing is asked yet.

        Raises:
            IndexRefused: the address or the location cannot be read, or the client library is not installed.
        """
        library = client_library("qdrant_client", install=INSTALL)
        try:
            url = checked_url(address)
        except AddressRefused as fault:
            raise IndexRefused(f"The address of Qdrant is no use: {fault}") from fault
        client = library.QdrantClient(
            url=address,
            api_key=api_key or None,
            timeout=int(max(1, patience.timeout_s)),
            check_compatibility=False,  # it would ask the server at once
            trust_env=False,
        )
        return cls(client, location, server=f"Qdrant at {url.host}", patience=patience, sleep=sleep)

    def search(self, queries: Sequence[AskedQuery], k: int) -> list[list[Ranked]]:
        """At most k documents for each query's vector, 50 queries a request; a distance counts as minus itself.

        Raises:
            IndexRefused: the server gave no answer, or a query has no vector of the collection's width.
        """
        if not queries:
            return []
        vectors = self._vectors()
        return top_k(partial(self._rankings, vectors), queries, k)

    def ids(self) -> Sequence[str]:
        """The external ids of all points, ascending by code point.

        Raises:
            IndexRefused: the server gave no answer, or a point has no external id.
        """
        return sorted({self._external_id(point) for point in self._points(vectors=False)})

    def fingerprint(self) -> str:
        """Hash over the external id and the vector of every point, for which the whole collection is read.

        Raises:
            IndexRefused: as `ids`.
        """
        vectors = self._vectors()
        digest = hashlib.sha256(json.dumps([vectors.name, vectors.size, vectors.distance]).encode())
        for point in self._points(vectors=[vectors.name] if vectors.name else True):
            numbers = point.vector[vectors.name] if vectors.name else point.vector
            digest.update(json.dumps([point.id, self._external_id(point)]).encode())
            digest.update(np.asarray(numbers, dtype="<f4").tobytes())
        return digest.hexdigest()

    def _vectors(self) -> _Vectors:
        found = self._attempt(partial(self._client.get_collection, self._collection)).config.params.vectors
        by_name = found if isinstance(found, dict) else {None: found}
        if self._vector_name not in by_name:
            names = ", ".join(sorted(filter(None, by_name))) or "one without a name"
            raise IndexRefused(f"The vectors of {self._collection} are {names}; say which in the option vector.")
        chosen = by_name[self._vector_name]
        return _Vectors(self._vector_name, int(chosen.size), str(chosen.distance.value))

    def _rankings(self, vectors: _Vectors, queries: Sequence[AskedQuery], k: int) -> list[list[Ranked]]:
        sign = -1 if vectors.distance in _NEAREST_FIRST else 1
        rankings: list[list[Ranked]] = []
        for first in range(0, len(queries), _TOGETHER):
            requests = [self._request(vectors, query, k) for query in queries[first : first + _TOGETHER]]
            answers = self._attempt(partial(self._client.query_batch_points, self._collection, requests))
            if len(answers) != len(requests):
                raise IndexRefused(f"{self._server} answered {len(answers)} of {len(requests)} queries; try again.")
            rankings += [
                [Ranked(self._external_id(point), sign * float(point.score)) for point in answer.points]
                for answer in answers
            ]
        return rankings

    def _request(self, vectors: _Vectors, query: AskedQuery, k: int) -> object:
        width = 0 if query.vector is None else len(query.vector)
        if query.vector is None or width != vectors.size:
            raise IndexRefused(
                f"{self._collection} is searched by vectors of {vectors.size} dimensions and query"
                f" {query.external_id} has {width}; encode the queries as the collection was."
            )
        return self._models.QueryRequest(
            query=[float(number) for number in query.vector],
            using=vectors.name,
            limit=k,
            with_payload=self._payload,
        )

    @property
    def _payload(self) -> list[str] | bool:
        return [self._id_field] if self._id_field else False

    def _points(self, *, vectors: bool | list[str]) -> Iterator[Any]:
        page: Any = None
        while True:
            points, page = self._attempt(
                partial(
                    self._client.scroll,
                    self._collection,
                    limit=_PAGE,
                    offset=page,
                    with_payload=self._payload,
                    with_vectors=vectors,
                )
            )
            yield from points
            if page is None:
                return

    def _external_id(self, point: Any) -> str:  # noqa: ANN401  # of the library that may be absent
        if not self._id_field:
            return str(point.id)
        value = (point.payload or {}).get(self._id_field)
        if not isinstance(value, str | int):
            raise IndexRefused(f"Point {point.id} of {self._collection} has no id in its field {self._id_field}.")
        return str(value)

    def _attempt(self, ask: Callable[[], Answer]) -> Answer:
        """What `ask` gives, tried again where the server is busy; every fault is an IndexRefused."""

        def said() -> Answer:
            try:
                return ask()
            except self._exhausted.QdrantException as fault:
                raise refusal(self._server, 429) from fault
            except self._faults.UnexpectedResponse as fault:
                raise refusal(self._server, fault.status_code) from fault
            except self._faults.ResponseHandlingException as fault:
                raise self._unanswered(fault.source) from fault
            except ValueError as fault:  # not JSON
                raise self._unanswered(fault) from fault

        absent = f"{self._server} has no collection {self._collection}; check the location."
        return answered(said, absent=absent, patience=self._patience, sleep=self._sleep)

    def _unanswered(self, source: Exception) -> ServerRefused:
        if isinstance(source, httpx.TimeoutException):
            return ServerBusy(f"{self._server} did not answer within {self._patience.timeout_s:g} s; try again later.")
        if isinstance(source, httpx.HTTPError):
            return ServerBusy(f"{self._server} cannot be reached; check its address and that it is up.")
        return ServerRefused(f"{self._server} answers otherwise than Qdrant does; check its address and version.")
