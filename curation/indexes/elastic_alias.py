"""An alias of Elasticsearch or OpenSearch: taken from one index and given to another in one request."""

import time
from collections.abc import Callable
from typing import Any

from curation.indexes.base import IndexRefused
from curation.indexes.remote import answered
from curation.retrieval.json_server import JsonServer, ServerRefused
from curation.retrieval.patience import PATIENCE, Patience


class ElasticAlias:
    """The alias `name` on a server; its filter, routing and the like stay as they are."""

    def __init__(
        self,
        server: JsonServer,
        name: str,
        *,
        patience: Patience = PATIENCE,
        sleep: Callable[[float], object] = time.sleep,
    ) -> None:
        """Asks nothing yet."""
        self._server = server
        self._name = name
        self._patience = patience
        self._sleep = sleep

    def __str__(self) -> str:
        return f"The alias {self._name}"

    def target(self) -> str:
        """The index it leads to.

        Raises:
            IndexRefused: the server has no such alias, it leads to several indexes, or there is no answer.
        """
        [index, *more] = sorted(self._settings())
        if more:
            raise IndexRefused(f"{self} leads to {', '.join([index, *more])} at once; a rollback needs one of them.")
        return index

    def lead(self, *, before: str, to: str, rehearse: bool) -> None:
        """Take it from the index `before` and give it to the index `to`, both or neither.

        Raises:
            IndexRefused: there is no index `to`, or the server refuses.
        """
        absent = f"{self._server.name} has no index {to}, so {self._name} stays at {before}."
        if to not in self._asked("GET", f"{to}/_alias", absent=absent):
            raise IndexRefused(f"On {self._server.name}, {to} is an alias itself; name the index that it leads to.")
        if rehearse:
            return
        settings = self._settings()[before]["aliases"][self._name]
        removed = {"index": before, "alias": self._name, "must_exist": True}
        actions = [{"remove": removed}, {"add": {"index": to, "alias": self._name, **settings}}]
        self._asked("POST", "_aliases", {"actions": actions}, absent=absent)

    def _settings(self) -> dict[str, Any]:
        absent = f"{self._server.name} has no alias {self._name}; make it, or correct its name."
        return self._asked("GET", f"_alias/{self._name}", absent=absent)

    def _asked(self, method: str, path: str, content: object = None, *, absent: str) -> dict[str, Any]:
        def shaped() -> dict[str, Any]:
            answer = self._server.ask(method, path, content)
            if not isinstance(answer, dict) or not answer:
                raise ServerRefused(
                    f"{self._server.name} answers otherwise than Elasticsearch does; check its address."
                )
            return answer

        return answered(shaped, absent=absent, patience=self._patience, sleep=self._sleep)
