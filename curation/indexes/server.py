"""The server in a location `SERVER/rest`: its address and its keys stand in the operator's environment.

Who names an index names the server alone. What the variables hold is neither stored nor shown.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from curation.indexes.base import IndexRefused

_NAME = re.compile(r"[A-Z][A-Z0-9_]*", re.ASCII)


@dataclass(frozen=True, slots=True)
class Server:
    """What the variables INDEX_URL_NAME, INDEX_KEY_NAME, INDEX_USER_NAME and INDEX_PASSWORD_NAME hold."""

    name: str
    url: str = field(repr=False)
    key: str = field(default="", repr=False)
    user: str = field(default="", repr=False)
    password: str = field(default="", repr=False)


def parted(location: str) -> tuple[str, str]:
    """The server's name and the rest of a location.

    Raises:
        IndexRefused: it does not begin with a name in capitals and a slash; the sentence repeats nothing of it.
    """
    name, _, rest = location.partition("/")
    if _NAME.fullmatch(name) is None or not rest:
        raise IndexRefused(
            "The location begins with no server; write SERVER/…, where the variable INDEX_URL_SERVER holds the address"
            " of that server."
        )
    return name, rest


def server_named(name: str, environment: Mapping[str, str]) -> Server:
    """The server, from the environment.

    Raises:
        IndexRefused: its address is not there.
    """
    url, key, user, password = (
        environment.get(f"INDEX_{part}_{name}", "") for part in ("URL", "KEY", "USER", "PASSWORD")
    )
    if not url:
        raise IndexRefused(f"INDEX_URL_{name} is not set; let it hold the address of the server {name}.")
    return Server(name, url, key, user, password)
