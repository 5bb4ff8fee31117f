"""A collection of Qdrant, through its client library, which not everybody has."""

import hashlib
import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, TypeVar

import numpy as np

from curation.indexes.asked import vectors_of
from curation.indexes.base import AskedQuery, IndexRefused, Ranked
from curation.indexes.location import Location
from curation.indexes.qdrant_server import INSTALL, QdrantServer
from curation.indexes.remote import client_library
from curation.indexes.ties import top_k
from curation.retrieval.patience import PATIENCE, Patience
from curation.retrieval.vectors import Matrix

_TOGETHER: Final = 50  # queries in one request
_PAGE: Final = 1_000  # points in one request
_NEAREST_FIRST: Final = {"Euclid", "Manhattan"}  # the score is a distance

Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class Collection:
    """What a location says: the server, the collection on it, and what to read from its points.

    Without `id_field`, a field of the payload, the id of a point is its external id. `vector` names the vectors to
    search where they have names.
    """

    server: str
    name: str
    id_field: str = ""
    vector: str | None = None

    @classmethod
    def read(cls, location: str) -> "Collection":
        """The collection of a location, such as `SERVER/kb`, `SERVER/kb?id=article` or `SERVER/kb?vector=dense`.

        Raises:
            IndexRefused: it is not written so.
        """
        read = Location.read(location, known=("id", "vector"))
        return cls(read.server, read.name, read.options.get("id", ""), read.options.get("vector"))

    def external_id(self, point: Any) -> str:  # noqa: ANN401  # of the library that may be absent
        """The external id of one point.

        Raises:
            IndexRefused: it has none in the field.
        """
        if not self.id_field:
            return str(point.id)
        value = (point.payload or {}).get(self.id_field)
        if not isinstance(value, str | int):
            raise IndexRefused(f"Point {point.id} of {self.name} has no id in its field {self.id_field}.")
        return str(value)

    @property
    def payload(self) -> list[str] | bool:
        """What to return of the payload of a point."""
        return [self.id_field] if self.id_field else False


@dataclass(frozen=True, slots=True)
class _Vectors:
    """The vectors of a collection that are searched: their name (none in most collections), width and distance."""

    name: str | None
    size: int
    distance: str


class QdrantIndex:
    """One collection, searched by vector as production would: with its own index and settings."""

    def __init__(self, server: QdrantServer, collection: Collection) -> None:
        """Asks nothing yet."""
        self._server = server
        self._collection = collection
        self._models = client_library("qdrant_client.models", install=INSTALL)

    @classmethod
    def connect(
        cls,
        collection: Collection,
        environment: Mapping[str, str],
        *,
        patience: Patience = PATIENCE,
        sleep: Callable[[float], object] = time.sleep,
    ) -> "QdrantIndex":
        """The collection on a server that the operator's `environment` knows; nothing is asked yet.

        Raises:
            IndexRefused: as `QdrantServer.connect`.
        """
        return cls(QdrantServer.connect(collection.server, environment, patience=patience, sleep=sleep), collection)

    def search(self, queries: Sequence[AskedQuery], k: int) -> list[list[Ranked]]:
        """At most k documents for each query's vector, 50 queries a request; a distance counts as minus itself.

        Raises:
            IndexRefused: the server gave no answer, or a query has no vector of the collection's width.
            VectorsRefused: a vector that no search can rank.
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
        return sorted({self._collection.external_id(point) for point in self._points(vectors=False)})

    def fingerprint(self) -> str:
        """Hash over the external id and the vector of every point, for which the whole collection is read.

        Raises:
            IndexRefused: as `ids`.
        """
        vectors = self._vectors()
        digest = hashlib.sha256(json.dumps([vectors.name, vectors.size, vectors.distance]).encode())
        for point in self._points(vectors=[vectors.name] if vectors.name else True):
            numbers = point.vector[vectors.name] if vectors.name else point.vector
            digest.update(json.dumps([point.id, self._collection.external_id(point)]).encode())
            digest.update(np.asarray(numbers, dtype="<f4").tobytes())
        return digest.hexdigest()

    def _vectors(self) -> _Vectors:
        found = self._server.collection(self._collection.name).config.params.vectors
        by_name = found if isinstance(found, dict) else {None: found}
        if self._collection.vector not in by_name:
            names = ", ".join(sorted(filter(None, by_name))) or "one without a name"
            raise IndexRefused(f"The vectors of {self._collection.name} are {names}; say which in the option vector.")
        chosen = by_name[self._collection.vector]
        return _Vectors(self._collection.vector, int(chosen.size), str(chosen.distance.value))

    def _rankings(self, vectors: _Vectors, queries: Sequence[AskedQuery], k: int) -> list[list[Ranked]]:
        asked = vectors_of(queries, dims=vectors.size, index=self._collection.name)
        rankings: list[list[Ranked]] = []
        for first in range(0, len(queries), _TOGETHER):
            requests = [self._request(vectors, numbers, k) for numbers in asked[first : first + _TOGETHER]]
            answers = self._asked(partial(self._server.client.query_batch_points, self._collection.name, requests))
            if len(answers) != len(requests):
                raise IndexRefused(
                    f"{self._server.name} answered {len(answers)} of {len(requests)} queries; try again."
                )
            rankings += [self._places(vectors, answer.points) for answer in answers]
        return rankings

    def _request(self, vectors: _Vectors, numbers: Matrix, k: int) -> object:
        return self._models.QueryRequest(
            query=numbers.tolist(), using=vectors.name, limit=k, with_payload=self._collection.payload
        )

    def _places(self, vectors: _Vectors, points: Sequence[Any]) -> list[Ranked]:
        sign = -1 if vectors.distance in _NEAREST_FIRST else 1
        return [Ranked(self._collection.external_id(point), sign * float(point.score)) for point in points]

    def _points(self, *, vectors: bool | list[str]) -> Iterator[Any]:
        page: Any = None
        while True:
            points, page = self._asked(
                partial(
                    self._server.client.scroll,
                    self._collection.name,
                    limit=_PAGE,
                    offset=page,
                    with_payload=self._collection.payload,
                    with_vectors=vectors,
                )
            )
            yield from points
            if page is None:
                return

    def _asked(self, ask: Callable[[], Answer]) -> Answer:
        return self._server.ask(ask, of=self._collection.name)
