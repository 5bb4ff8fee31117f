"""Where Hardset may connect to when somebody names an address: public ones, and those the operator allows.

The ranges are those of the IANA special-purpose address registries (RFC 6890 and its updates). The blocks for
documentation count as public: nobody routes them, and examples stand on them.
"""

import re
import socket
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import NamedTuple

_PRIVATE_V4 = tuple(
    map(
        ip_network,
        (
            "0.0.0.0/8",
            "10.0.0.0/8",
            "100.64.0.0/10",
            "127.0.0.0/8",
            "168.63.129.16/32",  # the metadata of one cloud stands on a public address
            "169.254.0.0/16",
            "172.16.0.0/12",
            "192.0.0.0/24",
            "192.88.99.0/24",
            "192.168.0.0/16",
            "198.18.0.0/15",
            "224.0.0.0/4",
            "240.0.0.0/4",
        ),
    )
)
# Everything public lies in 2000::/3; two blocks in it only wrap or assign other addresses (Teredo, 6to4).
_PUBLIC_V6 = ip_network("2000::/3")
_PRIVATE_V6 = tuple(map(ip_network, ("2001::/23", "2002::/16")))

_NAME = re.compile(r"[a-z0-9_-]+(\.[a-z0-9_-]+)*\.?", re.ASCII)

Resolver = Callable[[str, int], list[str]]


class AddressRefused(ValueError):
    """An address that is not connected to; its text is one sentence that repeats no password and no reply."""


class UnknownHost(AddressRefused):
    """A name that nobody knows, now."""


class Place(NamedTuple):
    """A host, by name or by number, and a port."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def resolve(host: str, port: int) -> list[str]:
    """The numeric addresses of a name, in the order in which the system would try them.

    Raises:
        UnknownHost: the name is unknown.
    """
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as fault:
        raise UnknownHost(f"Nobody knows the name {host}; check the address.") from fault
    return list(dict.fromkeys(str(answer[4][0]) for answer in found))


def allow_list(entries: Iterable[str]) -> frozenset[Place]:
    """The places of an operator's setting, each written host:port, such as `10.0.0.5:8080` or `[::1]:9000`.

    Raises:
        AddressRefused: an entry is not written so.
    """
    return frozenset(_place(entry.strip()) for entry in entries)


def _place(entry: str) -> Place:
    host, _, port = entry.rpartition(":")
    host = host.removeprefix("[").removesuffix("]").lower()
    number = _number(host)
    if not (number or _is_name(host)) or re.fullmatch("[0-9]{1,5}", port) is None:
        raise AddressRefused(f"{entry!r} is no address to allow; write host:port, such as 10.0.0.5:8080.")
    return Place(str(number or host), int(port))


@dataclass(frozen=True, slots=True)
class AddressRules:
    """Which hosts may be connected to: every public one, and the places in `allowed`."""

    allowed: frozenset[Place] = frozenset()
    resolve: Resolver = resolve

    def numbers(self, place: Place) -> list[str]:
        """The numeric addresses to connect to for this place, all of them checked; ask again for every connection.

        Raises:
            AddressRefused: one of them is inside a private network and not allowed, or the host is written oddly.
        """
        number, named = _number(place.host), place in self.allowed
        if number is None and not _is_name(place.host):
            raise AddressRefused(f"{place.host!r} is an odd way to write a host; write its name or its plain number.")
        if number is None and not named and place.host.rstrip(".").split(".")[-1] == "localhost":
            raise _refusal(place)
        answers = self.resolve(*place) if number is None else [str(number)]
        if not answers or not (named or all(self._may_reach(answer, place.port) for answer in answers)):
            raise _refusal(place)
        return answers

    def _may_reach(self, answer: str, port: int) -> bool:
        number = _number(answer)
        return number is not None and (_is_public(number) or Place(str(number), port) in self.allowed)


def _refusal(place: Place) -> AddressRefused:
    return AddressRefused(
        f"The address {place} is inside a private network; use a public one, or let the operator allow it"
        " in ALLOWED_ADDRESSES."
    )


def _is_public(number: IPv4Address | IPv6Address) -> bool:
    if isinstance(number, IPv4Address):
        return not any(number in network for network in _PRIVATE_V4)
    return number in _PUBLIC_V6 and not any(number in network for network in _PRIVATE_V6)


def _number(host: str) -> IPv4Address | IPv6Address | None:
    """The address of a host written as the plain number, none for a name and for every odder notation."""
    try:
        number = ip_address(host)
    except ValueError:
        return None
    scoped = isinstance(number, IPv6Address) and number.scope_id is not None
    return None if scoped else number


def _is_name(host: str) -> bool:
    """Whether a host cannot be taken for a number: systems read 2130706433, 0x7f.1 and 127.1 as addresses."""
    last = host.rstrip(".").rpartition(".")[2]
    return _NAME.fullmatch(host) is not None and not last.isdecimal() and not last.startswith("0x")
