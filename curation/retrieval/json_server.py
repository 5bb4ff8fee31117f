"""A server that is asked and answers in JSON over HTTP, and whose faults are said in one sentence."""

import json
import time
from collections.abc import Callable, Mapping
from typing import Any, Final

import httpx

from curation.retrieval.addresses import AddressRefused, AddressRules, UnknownHost
from curation.retrieval.connections import CheckedTransport, checked_url

_BUSY: Final = {408, 429, 502, 503, 504}
_MOST_BYTES: Final = 256 * 1024 * 1024


class ServerRefused(ValueError):
    """A server that gave no answer; the sentence repeats nothing that it sent, and no key.

    `status` is the number it answered with, 0 where it did not come to that.
    """

    def __init__(self, sentence: str, status: int = 0) -> None:
        super().__init__(sentence)
        self.status = status


class ServerBusy(ServerRefused):
    """A server that may answer when it is asked again."""


class JsonServer:
    """Asks one server, each request for itself; redirects are not followed and proxies not used."""

    def __init__(
        self,
        address: str,
        *,
        name: str,
        rules: AddressRules,
        timeout_s: float,
        headers: Mapping[str, str] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Connects to nothing yet.

        Args:
            address: what the paths asked for are below.
            name: what the server is called in sentences, which do not show its address.
            rules: where it may lead.
            timeout_s: for one whole request with its answer, in seconds.
            headers: sent with every request.
            clock: seconds that only ever grow.

        Raises:
            AddressRefused: the address is none that may be asked.
        """
        self._address = str(checked_url(address)).rstrip("/")
        self.name = name
        self._timeout_s = timeout_s
        self._clock = clock
        self._client = httpx.Client(
            transport=CheckedTransport(rules), timeout=timeout_s, trust_env=False, headers=dict(headers or {})
        )

    def ask(self, method: str, path: str, content: object = None) -> Any:  # noqa: ANN401  # JSON has no type
        """What the server answers, parsed; `content` is sent as JSON, and a list of objects as lines of JSON.

        Raises:
            ServerBusy: no connection, no answer in time, or the status says to come again.
            ServerRefused: any other status than 2xx, or an answer that is not JSON.
        """
        try:
            status, answer = self._exchange(method, f"{self._address}/{path}", content)
        except AddressRefused as fault:
            raise self._unreachable() if isinstance(fault, UnknownHost) else ServerRefused(str(fault)) from fault
        except httpx.TimeoutException as fault:
            raise ServerBusy(f"{self.name} did not answer within {self._timeout_s:g} s; try again later.") from fault
        except httpx.HTTPError as fault:
            raise self._unreachable() from fault
        if not 200 <= status < 300:
            raise refusal(self.name, status)
        try:
            return json.loads(answer)
        except ValueError as fault:
            raise ServerRefused(f"{self.name} answered something else than JSON; check its address.") from fault

    def _unreachable(self) -> ServerBusy:
        return ServerBusy(f"{self.name} cannot be reached; check its address and that it is up.")

    def _exchange(self, method: str, url: str, content: object) -> tuple[int, bytes]:
        """The status and the body; an answer that drips is cut off when the time is over."""
        until = self._clock() + self._timeout_s
        body, media_type = _written(content)
        with self._client.stream(method, url, content=body, headers={"Content-Type": media_type}) as response:
            answer = bytearray()
            for part in response.iter_bytes():
                answer += part
                if self._clock() > until:
                    raise httpx.ReadTimeout("the whole answer took too long")
                if len(answer) > _MOST_BYTES:
                    raise ServerRefused(f"{self.name} answered with more than {_MOST_BYTES:,} bytes; ask for less.")
        return response.status_code, bytes(answer)


def refusal(name: str, status: int) -> ServerRefused:
    """What is said of the server called `name`, which answered with a `status` other than 2xx."""
    if status in _BUSY:
        return ServerBusy(f"{name} is too busy to answer (status {status}); try again later.", status)
    if status >= 500:
        return ServerBusy(f"{name} failed while answering (status {status}); try again later.", status)
    if status in {401, 403}:
        reason = "refused the key; check the key in the operator's settings"
    elif 300 <= status < 400:
        reason = "sends the question on to another address; put the final address into the operator's settings"
    else:
        reason = "did not accept the question; check its address and what is asked of it"
    return ServerRefused(f"{name} {reason} (status {status}).", status)


def _written(content: object) -> tuple[bytes | None, str]:
    if isinstance(content, list):
        return "".join(f"{json.dumps(line)}\n" for line in content).encode(), "application/x-ndjson"
    return (None if content is None else json.dumps(content).encode()), "application/json"
