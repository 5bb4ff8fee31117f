"""A server of Elasticsearch or OpenSearch that the operator's environment names."""

from base64 import b64encode
from collections.abc import Mapping

from curation.indexes.base import IndexRefused
from curation.indexes.server import Server, server_named
from curation.retrieval.addresses import AddressRefused, AddressRules
from curation.retrieval.connections import checked_url, place_of
from curation.retrieval.json_server import JsonServer
from curation.retrieval.patience import PATIENCE, Patience


def server_at(name: str, environment: Mapping[str, str], *, patience: Patience = PATIENCE) -> JsonServer:
    """The server of that name; nothing is asked yet.

    Raises:
        IndexRefused: the environment does not know it, or its address cannot be read.
    """
    known = server_named(name, environment)
    try:
        # The operator's own word allows the place, inside a private network too.
        rules = AddressRules(frozenset({place_of(checked_url(known.url))}))
    except AddressRefused as fault:
        raise IndexRefused(f"INDEX_URL_{known.name} is no use: {fault}") from fault
    return JsonServer(
        known.url,
        name=f"The server {known.name}",
        rules=rules,
        timeout_s=patience.timeout_s,
        headers=_authorization(known),
    )


def _authorization(server: Server) -> dict[str, str]:
    """By an API key, else by user and password, else not at all."""
    if server.key:
        return {"Authorization": f"ApiKey {server.key}"}
    if server.user:
        basic = b64encode(f"{server.user}:{server.password}".encode()).decode("ascii")
        return {"Authorization": f"Basic {basic}"}
    return {}
