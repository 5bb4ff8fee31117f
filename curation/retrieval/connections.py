"""HTTP connections that go where the address rules allow, and nowhere else."""

from contextlib import suppress
from functools import partial
from typing import Final

import httpx

from curation.retrieval.addresses import AddressRefused, AddressRules, Place
from curation.retrieval.deadlines import answer_within

_PORTS: Final = {"http": 80, "https": 443}


class NameTimeout(httpx.ConnectTimeout):
    """The name of a host was not looked up in the time there was to connect."""


class CheckedTransport(httpx.BaseTransport):
    """Checks the address of every request, of redirects too, and connects to the very numbers that it checked.

    A name that answers otherwise the next time is checked again the next time, and looked up for no longer than the
    request waits for a connection. The request keeps its `Host`, and TLS the name whose certificate is asked for.
    """

    def __init__(self, rules: AddressRules, connections: httpx.BaseTransport | None = None) -> None:
        self._rules = rules
        # A connection kept alive by number could serve another name on the same number.
        self._connections = connections or httpx.HTTPTransport(limits=httpx.Limits(max_keepalive_connections=0))

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Answer a request over a connection to a checked number.

        Raises:
            AddressRefused: before anything is connected to.
            NameTimeout: its name was not looked up in time.
            httpx.TransportError: none of the numbers answered.
        """
        *others, last = self._numbers(request)
        for number in others:
            with suppress(httpx.ConnectError, httpx.ConnectTimeout):  # the next number may answer
                return self._connections.handle_request(_pinned(request, number))
        return self._connections.handle_request(_pinned(request, last))

    def _numbers(self, request: httpx.Request) -> list[str]:
        place = place_of(request.url)
        seconds = request.extensions.get("timeout", {}).get("connect")
        try:
            return answer_within(seconds, partial(self._rules.numbers, place))
        except TimeoutError as fault:
            raise NameTimeout(f"{place.host} was not looked up in time.", request=request) from fault

    def close(self) -> None:
        """Close what is open."""
        self._connections.close()


def place_of(url: httpx.URL) -> Place:
    """The host and port that a URL names, as httpx reads it.

    Raises:
        AddressRefused: another scheme than http and https, a user or password in it, or no host.
    """
    if url.scheme not in _PORTS or not url.host:
        raise AddressRefused("An address must start with http:// or https:// and name a host.")
    if url.userinfo:
        raise AddressRefused("An address must not hold a user or a password; give the key in its own setting.")
    port = _PORTS[url.scheme] if url.port is None else url.port
    if not 0 < port < 65536:
        raise AddressRefused(f"An address cannot have the port {port}.")
    return Place(url.raw_host.decode("ascii"), port)


def checked_url(address: str) -> httpx.URL:
    """The URL of an address that somebody wrote; no name is resolved yet.

    Raises:
        AddressRefused: it is none, or not one that `place_of` reads.
    """
    try:
        url = httpx.URL(address)
    except (httpx.InvalidURL, UnicodeError) as fault:
        raise AddressRefused("This is not an address; write one such as https://encoder.example.org/v1.") from fault
    place_of(url)
    return url


def _pinned(request: httpx.Request, number: str) -> httpx.Request:
    return httpx.Request(
        request.method,
        request.url.copy_with(host=number),
        headers=request.headers,  # Host among them, as the client wrote it
        stream=request.stream,
        extensions={**request.extensions, "sni_hostname": request.url.raw_host.decode("ascii")},
    )
