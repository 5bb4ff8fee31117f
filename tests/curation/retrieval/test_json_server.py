"""A JSON server asked over HTTP: what is sent, and how its faults are said."""

from __future__ import annotations

import gzip
import socket
import time
from collections.abc import Callable, Iterator

import pytest

from curation.retrieval import json_server
from curation.retrieval.addresses import AddressRefused, AddressRules, UnknownHost, allow_list
from curation.retrieval.json_server import JsonServer, ServerBusy, ServerRefused
from tests.loopback import Answer, Loopback, serving


@pytest.fixture
def loopback() -> Iterator[Loopback]:
    with serving(lambda asked: Answer({"method": asked.method, "path": asked.path})) as server:
        yield server


def asking(loopback: Loopback, *, timeout_s: float = 5.0, clock: Callable[[], float] = time.monotonic) -> JsonServer:
    rules = AddressRules(allow_list([loopback.url.removeprefix("http://")]))
    key = {"Authorization": "Bearer key"}
    return JsonServer(
        f"{loopback.url}/v1/", name="The server", rules=rules, timeout_s=timeout_s, headers=key, clock=clock
    )


def test_a_question_is_json_and_an_answer_is_parsed(loopback: Loopback) -> None:
    server = asking(loopback)
    assert server.ask("POST", "embeddings?a=b", {"text": "hagel ☂"}) == {"method": "POST", "path": "/v1/embeddings?a=b"}
    server.ask("POST", "_msearch", [{}, {"size": 1}])
    server.ask("GET", "ids")
    first, lines, bare = loopback.asked
    assert first.json == {"text": "hagel ☂"}
    assert (first.headers["content-type"], first.headers["authorization"]) == ("application/json", "Bearer key")
    assert lines.lines == [{}, {"size": 1}]
    assert lines.headers["content-type"] == "application/x-ndjson"
    assert bare.body == b""


@pytest.mark.parametrize(
    ("answer", "kind", "words"),
    [
        (Answer("secret reply", 401), ServerRefused, "refused the key; check the key in the operator's settings"),
        (Answer("secret reply", 403), ServerRefused, "refused the key"),
        (Answer("secret reply", 400), ServerRefused, "did not accept the question"),
        (Answer("secret reply", 500), ServerBusy, "failed while answering"),
        (Answer("secret reply", 429), ServerBusy, r"too busy to answer \(status 429\)"),
        (Answer("secret reply", 503), ServerBusy, "too busy"),
        (Answer("secret", 302, {"Location": "http://169.254.169.254/"}), ServerRefused, "on to another address"),
        (Answer(b"<html>secret reply"), ServerRefused, "something else than JSON"),
        (Answer(b"\xff\xfe"), ServerRefused, "something else than JSON"),
        (Answer(b"secret", headers={"Content-Encoding": "gzip"}), ServerBusy, "cannot be reached"),
    ],
)
def test_a_fault_is_one_sentence_without_the_reply(
    loopback: Loopback, answer: Answer, kind: type[ServerRefused], words: str
) -> None:
    loopback.faults = [answer]
    with pytest.raises(kind, match=words) as refusal:
        asking(loopback).ask("GET", "ids")
    assert type(refusal.value) is kind
    assert "secret" not in str(refusal.value)
    assert refusal.value.status in {answer.status, 0}
    assert len(loopback.asked) == 1


def test_a_server_that_is_slow_or_not_there_is_busy(loopback: Loopback) -> None:
    loopback.faults = [Answer(pause=0.4)]
    with pytest.raises(ServerBusy, match=r"did not answer within 0\.1 s; try again later"):
        asking(loopback, timeout_s=0.1).ask("GET", "ids")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # bound and not listening: nothing answers
        place = f"127.0.0.1:{taken.getsockname()[1]}"
        server = JsonServer(f"http://{place}", name="The server", rules=AddressRules(allow_list([place])), timeout_s=1)
        with pytest.raises(ServerBusy, match="The server cannot be reached"):
            server.ask("GET", "ids")


@pytest.mark.parametrize(("later", "is_cut"), [(4.9, False), (5.1, True)])
def test_an_answer_that_drips_is_cut_off(loopback: Loopback, later: float, *, is_cut: bool) -> None:
    server = asking(loopback, clock=iter([100.0, 100.0 + later]).__next__)
    if is_cut:
        with pytest.raises(ServerBusy, match="did not answer within 5 s"):
            server.ask("GET", "ids")
    else:
        assert server.ask("GET", "ids")["method"] == "GET"


def test_an_answer_too_large_is_refused_while_it_is_read(loopback: Loopback, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_server, "_MOST_BYTES", 1_000)
    loopback.faults = [Answer(gzip.compress(b" " * 100_000), headers={"Content-Encoding": "gzip"})]
    with pytest.raises(ServerRefused, match="more than 1,000 bytes"):
        asking(loopback).ask("GET", "ids")


def test_a_name_that_nobody_knows_is_a_server_that_cannot_be_reached() -> None:
    def unknown(host: str, _: int) -> list[str]:
        raise UnknownHost(f"Nobody knows {host}.")

    server = JsonServer("http://a.test", name="The server", rules=AddressRules(resolve=unknown), timeout_s=1)
    with pytest.raises(ServerBusy, match="The server cannot be reached"):
        server.ask("GET", "ids")


def test_an_address_inside_is_refused_without_a_connection(loopback: Loopback) -> None:
    server = JsonServer(loopback.url, name="The server", rules=AddressRules(), timeout_s=1)
    with pytest.raises(ServerRefused, match="inside a private network"):
        server.ask("GET", "ids")
    assert loopback.asked == []
    with pytest.raises(AddressRefused):
        JsonServer("file:///etc/passwd", name="The server", rules=AddressRules(), timeout_s=1)
