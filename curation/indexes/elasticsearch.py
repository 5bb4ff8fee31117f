"""An index of Elasticsearch or of OpenSearch, over HTTP and without their client libraries.

Both take the same requests but for a search by vector: a `knn` section of its own in Elasticsearch (8.4 or newer), a
`knn` query in OpenSearch.
"""

import hashlib
import json
import math
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, TypeVar

from curation.indexes.base import AskedQuery, IndexRefused, Ranked
from curation.indexes.location import Location
from curation.indexes.remote import answered
from curation.indexes.search_server import server_at
from curation.indexes.ties import MOST, top_k
from curation.retrieval.json_server import JsonServer, ServerBusy, ServerRefused, refusal
from curation.retrieval.patience import PATIENCE, Patience

ENGINES: Final = ("elasticsearch", "opensearch")
_TOGETHER: Final = 50  # queries in one request
_PAGE: Final = 1_000  # ids in one request

Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class SearchedFields:
    """What a location says: the server, the index on it, and the fields to search and to read ids from.

    Exactly one of `text` and `vector` is given. Without `id_field` a document's own `_id` is its external id.
    """

    server: str
    index: str
    engine: str = "elasticsearch"
    text: tuple[str, ...] = ()
    vector: str = ""
    id_field: str = ""
    candidates: int = 0

    @classmethod
    def read(cls, location: str) -> "SearchedFields":
        """The fields of a location.

        Such as `SERVER/kb?text=title,body&id=article`, or `SERVER/kb?vector=embedding&engine=opensearch`.

        Raises:
            IndexRefused: it is not written so.
        """
        read = Location.read(location, known=("engine", "text", "vector", "id", "candidates"))
        options = read.options
        engine = options.get("engine", ENGINES[0])
        if engine not in ENGINES:
            raise IndexRefused(f"The option engine must be {' or '.join(ENGINES)}, not {engine!r}.")
        if ("text" in options) == ("vector" in options):
            raise IndexRefused("Say which field to search: text=FIELD by words, or vector=FIELD by vector, not both.")
        if "candidates" in options and ("text" in options or engine != ENGINES[0]):
            raise IndexRefused("The option candidates is for a vector field of elasticsearch alone; leave it out.")
        text = tuple(name.strip() for name in options["text"].split(",")) if "text" in options else ()
        candidates = options.get("candidates", "0")
        if not candidates.isdecimal() or int(candidates) > MOST:
            raise IndexRefused(f"The option candidates must be a number up to {MOST:,}, not {candidates!r}.")
        return cls(
            read.server,
            read.name,
            engine,
            text=text,
            vector=options.get("vector", ""),
            id_field=options.get("id", ""),
            candidates=int(candidates),
        )

    def question(self, query: AskedQuery, k: int) -> dict[str, Any]:
        """The body of a search for the first k documents.

        Raises:
            IndexRefused: the vector field is to be searched and the query has no vector.
        """
        body: dict[str, Any] = {"size": k, "_source": False, "track_total_hits": False, **self.returned()}
        if not self.vector:
            return {**body, "query": {"multi_match": {"query": query.text, "fields": list(self.text)}}}
        if query.vector is None:
            raise IndexRefused(f"{self.index} is searched by vector; encode query {query.external_id} first.")
        vector = [float(number) for number in query.vector]
        if self.engine == "opensearch":
            return {**body, "query": {"knn": {self.vector: {"vector": vector, "k": k}}}}
        candidates = min(MOST, max(self.candidates, k, 100))
        return {
            **body,
            "knn": {"field": self.vector, "query_vector": vector, "k": k, "num_candidates": candidates},
        }

    def returned(self) -> dict[str, Any]:
        """The part of a search that names what comes back beside `_id` and `_score`."""
        return {"fields": [self.id_field]} if self.id_field else {}

    def external_id(self, hit: dict[str, Any]) -> str:
        """The external id of one hit.

        Raises:
            IndexRefused: the document has no such field, or several values in it.
        """
        if not self.id_field:
            return str(hit["_id"])
        values = hit.get("fields", {}).get(self.id_field, [])
        if len(values) != 1:
            raise IndexRefused(f"A document of {self.index} has {len(values)} values in {self.id_field}, not one id.")
        return str(values[0])


class ElasticsearchIndex:
    """One index, or one alias of it, read over HTTP."""

    def __init__(
        self,
        server: JsonServer,
        fields: SearchedFields,
        *,
        patience: Patience,
        sleep: Callable[[float], object],
    ) -> None:
        self._server = server
        self._fields = fields
        self._patience = patience
        self._sleep = sleep

    @classmethod
    def connect(
        cls,
        fields: SearchedFields,
        environment: Mapping[str, str],
        *,
        patience: Patience = PATIENCE,
        sleep: Callable[[float], object] = time.sleep,
    ) -> "ElasticsearchIndex":
        """The index that `fields` names, on a server that the operator's `environment` knows; nothing is asked yet.

        Raises:
            IndexRefused: the environment does not know the server, or its address cannot be read.
        """
        return cls(server_at(fields.server, environment, patience=patience), fields, patience=patience, sleep=sleep)

    def search(self, queries: Sequence[AskedQuery], k: int) -> list[list[Ranked]]:
        """At most k documents for each query, 50 queries a request.

        Raises:
            IndexRefused: the server gave no whole answer, or a query has no vector where one is needed.
        """
        return top_k(self._rankings, queries, k)

    def ids(self) -> Sequence[str]:
        """The external ids of all documents, ascending by code point.

        Raises:
            IndexRefused: the server gave no whole answer, or the index changed while it was read.
        """
        # No page can be asked for twice, so after a fault the whole reading begins again.
        return self._attempt(lambda: sorted(set(self._scrolled())))

    def fingerprint(self) -> str:
        """Hash over the identity of the index and the number of the last change of each of its primary shards.

        Raises:
            IndexRefused: the server gave no whole answer.
        """
        changes = self._attempt(self._changes)
        return hashlib.sha256(json.dumps(changes).encode()).hexdigest()

    def _rankings(self, queries: Sequence[AskedQuery], k: int) -> list[list[Ranked]]:
        rankings: list[list[Ranked]] = []
        for first in range(0, len(queries), _TOGETHER):
            lines: list[dict[str, Any]] = []
            for query in queries[first : first + _TOGETHER]:
                lines += [{"allow_partial_search_results": False}, self._fields.question(query, k)]
            rankings += self._attempt(partial(self._together, lines))
        return rankings

    def _together(self, lines: list[dict[str, Any]]) -> list[list[Ranked]]:
        responses = self._server.ask("POST", f"{self._fields.index}/_msearch", lines)["responses"]
        if 2 * len(responses) != len(lines):
            raise self._strange()
        return [[self._ranked(hit) for hit in self._hits(response)] for response in responses]

    def _hits(self, response: dict[str, Any]) -> list[dict[str, Any]]:
        """The hits of one search, every shard having answered."""
        if "error" in response:
            raise refusal(self._server.name, response["status"])
        failed = response["_shards"]["failed"]
        if failed or response["timed_out"]:
            raise ServerBusy(
                f"{self._server.name} answered from a part of {self._fields.index} alone ({failed} shards failed);"
                " try again once the index is whole."
            )
        hits: list[dict[str, Any]] = response["hits"]["hits"]
        return hits

    def _ranked(self, hit: dict[str, Any]) -> Ranked:
        score = float(hit["_score"])
        if not math.isfinite(score):
            raise self._strange()
        return Ranked(self._fields.external_id(hit), score)

    def _scrolled(self) -> list[str]:
        question = {"size": _PAGE, "sort": ["_doc"], "_source": False, "track_total_hits": True}
        page = self._server.ask(
            "POST", f"{self._fields.index}/_search?scroll=1m", {**question, **self._fields.returned()}
        )
        total, found = page["hits"]["total"]["value"], list[str]()
        try:
            while hits := self._hits(page):
                found += map(self._fields.external_id, hits)
                page = self._server.ask("POST", "_search/scroll", {"scroll": "1m", "scroll_id": page["_scroll_id"]})
        finally:
            with suppress(ServerRefused):  # left open, it ends by itself after the minute
                self._server.ask("DELETE", "_search/scroll", {"scroll_id": [page["_scroll_id"]]})
        if len(found) != total:
            raise ServerBusy(
                f"{self._fields.index} holds {total:,} documents and gave {len(found):,}; try again later."
            )
        return found

    def _changes(self) -> list[list[object]]:
        indices = self._server.ask("GET", f"{self._fields.index}/_stats/docs?level=shards")["indices"]
        return sorted(
            [name, index["uuid"], number, copy["seq_no"]["max_seq_no"]]
            for name, index in indices.items()
            for number, copies in index["shards"].items()
            for copy in copies
            if copy["routing"]["primary"]
        )

    def _attempt(self, ask: Callable[[], Answer]) -> Answer:
        """What `ask` gives, tried again where the server is busy; every fault is an IndexRefused."""

        def shaped() -> Answer:
            try:
                return ask()
            except (KeyError, TypeError, AttributeError, ValueError) as fault:
                if isinstance(fault, ServerRefused | IndexRefused):
                    raise
                raise self._strange() from fault

        absent = f"{self._server.name} has no index {self._fields.index}; check the location."
        return answered(shaped, absent=absent, patience=self._patience, sleep=self._sleep)

    def _strange(self) -> ServerRefused:
        return ServerRefused(
            f"{self._server.name} answers otherwise than {self._fields.engine} does; check its address and version."
        )
