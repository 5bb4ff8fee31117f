"""An alias of Qdrant: a name that leads to one collection, changed by the server in one step."""

from functools import partial

from curation.indexes.base import IndexRefused
from curation.indexes.qdrant_server import INSTALL, QdrantServer
from curation.indexes.remote import client_library


class QdrantAlias:
    """The alias `name` on a server."""

    def __init__(self, server: QdrantServer, name: str) -> None:
        """Asks nothing yet."""
        self._server = server
        self._name = name

    def __str__(self) -> str:
        return f"The alias {self._name}"

    def target(self) -> str:
        """The collection it leads to.

        Raises:
            IndexRefused: the server has no such alias, or gave no answer.
        """
        found = self._server.ask(self._server.client.get_aliases, of=self._name).aliases
        names = [str(each.collection_name) for each in found if each.alias_name == self._name]
        if not names:
            raise IndexRefused(f"{self._server.name} has no alias {self._name}; make it, or correct its name.")
        return names[0]

    def lead(self, *, before: str, to: str, rehearse: bool) -> None:
        """Take it from the collection `before` to the collection `to`.

        Raises:
            IndexRefused: there is no collection `to`, or the server refuses.
        """
        if not self._server.ask(partial(self._server.client.collection_exists, to), of=to):
            raise IndexRefused(f"{self._server.name} has no collection {to}, so {self._name} stays at {before}.")
        if rehearse:
            return
        models = client_library("qdrant_client.models", install=INSTALL)
        steps = [
            models.DeleteAliasOperation(delete_alias=models.DeleteAlias(alias_name=self._name)),
            models.CreateAliasOperation(create_alias=models.CreateAlias(collection_name=to, alias_name=self._name)),
        ]
        self._server.ask(partial(self._server.client.update_collection_aliases, steps), of=to)
