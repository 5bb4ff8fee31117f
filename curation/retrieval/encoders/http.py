"""An encoder behind an endpoint that speaks as OpenAI's embeddings do: `POST embeddings` with a model and texts.

It is for vectors that were brought along: the texts asked for are queries, and the documents' vectors are there.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, ClassVar, Final

import numpy as np

from curation.retrieval.addresses import AddressRefused, AddressRules
from curation.retrieval.encoders.base import EncoderAway, require_texts
from curation.retrieval.json_server import JsonServer, ServerBusy, ServerRefused
from curation.retrieval.patience import PATIENCE, Patience, attempt
from curation.retrieval.vectors import Matrix

_TOGETHER: Final = 64  # texts in one request


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where the embeddings are made: the address before `/embeddings`, the key, and where it may lead."""

    address: str
    key: str = field(default="", repr=False)
    rules: AddressRules = field(default_factory=AddressRules)
    patience: Patience = PATIENCE
    sleep: Callable[[float], object] = time.sleep


@dataclass(frozen=True, slots=True)
class Http:
    """The model called `name` at an endpoint; its vectors come as they are, to be cut and normalised by the space.

    An endpoint does not say which weights it serves: `revision` is what the person who brought the vectors said.
    """

    endpoint: Endpoint
    name: str
    revision: str
    native_dims: int
    sha256: ClassVar[str] = ""
    near_duplicate_cosine: ClassVar[float] = 0.95

    def encode(self, texts: Sequence[str]) -> Matrix:
        """The vectors of the texts, shape (len(texts), native_dims), 64 texts a request.

        Raises:
            TextsRefused: a text is empty.
            EncoderAway: the endpoint may not be asked or gives no answer, or its vectors are of another width.
        """
        require_texts(texts)
        vectors = np.empty((len(texts), self.native_dims), dtype=np.float32)
        try:
            server = self._server()
            for first in range(0, len(texts), _TOGETHER):
                part = list(texts[first : first + _TOGETHER])
                vectors[first : first + len(part)] = self._attempt(partial(self._embedded, server, part))
        except (AddressRefused, ServerRefused) as fault:
            raise EncoderAway(str(fault)) from fault
        return vectors

    def _server(self) -> JsonServer:
        return JsonServer(
            self.endpoint.address,
            name=f"The endpoint of the encoder {self.name}",
            rules=self.endpoint.rules,
            timeout_s=self.endpoint.patience.timeout_s,
            headers={"Authorization": f"Bearer {self.endpoint.key}"} if self.endpoint.key else {},
        )

    def _attempt(self, ask: Callable[[], Matrix]) -> Matrix:
        return attempt(ask, again=(ServerBusy,), patience=self.endpoint.patience, sleep=self.endpoint.sleep)

    def _embedded(self, server: JsonServer, texts: list[str]) -> Matrix:
        question = {"model": self.name, "input": texts, "encoding_format": "float"}
        rows = self._rows(server, server.ask("POST", "embeddings", question), len(texts))
        if rows.shape[1] != self.native_dims:
            raise ServerRefused(
                f"{server.name} gives {rows.shape[1]:,} dimensions and the corpus's vectors have {self.native_dims:,};"
                " bring the vectors again with the model that is served, and its own width in --native-dims."
            )
        return rows

    @staticmethod
    def _rows(server: JsonServer, answer: Any, expected: int) -> Matrix:  # noqa: ANN401  # JSON has no type
        """The embeddings of an answer by their index, every one a vector that can be ranked."""
        try:
            found = {row["index"]: row["embedding"] for row in answer["data"]}
            rows: Matrix = np.array([found[position] for position in range(expected)], dtype=np.float32)
        except (KeyError, TypeError, ValueError, OverflowError) as fault:
            raise ServerRefused(f"{server.name} answers otherwise than OpenAI's does; check its address.") from fault
        if rows.ndim != 2 or not np.isfinite(rows).all() or not rows.any(axis=1).all():
            raise ServerRefused(f"{server.name} gives vectors that cannot be ranked; check which model it serves.")
        return rows
