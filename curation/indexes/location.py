"""Where a corpus lies on a search server: the server, its name there, and which of its fields to use, in one line."""

import re
from collections.abc import Collection
from dataclasses import dataclass
from urllib.parse import parse_qsl

from curation.indexes.base import IndexRefused
from curation.indexes.server import parted

_NAME = re.compile(r"[^\W_][\w.-]*")


@dataclass(frozen=True, slots=True)
class Location:
    """`SERVER/name?option=value&option=value`, read; SERVER as in `indexes.server`."""

    server: str
    name: str
    options: dict[str, str]

    @classmethod
    def read(cls, written: str, *, known: Collection[str]) -> "Location":
        """The parts of a location in which no option but those in `known` stands, each once.

        Raises:
            IndexRefused: it is written otherwise, or its name could lead elsewhere on the server.
        """
        server, place = parted(written)
        name, _, rest = place.partition("?")
        check_name(name)
        try:
            pairs = parse_qsl(rest, strict_parsing=True) if rest else []
        except ValueError as fault:
            raise IndexRefused(f"After the ?, {rest!r} must read option=value&option=value.") from fault
        options = dict(pairs)
        if strange := sorted(set(options) - set(known)):
            raise IndexRefused(f"There is no option {strange[0]!r} here; known are {', '.join(sorted(known))}.")
        if len(options) < len(pairs):
            raise IndexRefused("An option stands twice; leave one of them out.")
        return cls(server, name, options)


def check_name(name: str) -> None:
    """Refuse what could be no name of one index or alias, or could lead elsewhere on the server.

    Raises:
        IndexRefused: it is none.
    """
    if _NAME.fullmatch(name) is None:
        raise IndexRefused(f"{name!r} is no name of one index; use letters, digits, hyphens, dots and underscores.")
