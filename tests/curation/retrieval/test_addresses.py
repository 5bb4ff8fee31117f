"""The address rules: what is refused before any connection, and where the rest connects to."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest

from curation.retrieval.addresses import AddressRefused, AddressRules, Place, allow_list, resolve
from curation.retrieval.connections import CheckedTransport, checked_url

CASE = Path(__file__).parents[2] / "data" / "cases" / "c71-addresses.jsonl"
LINES = [json.loads(line) for line in CASE.read_bytes().splitlines()]


class Answers:
    """A resolver that gives its answers in turn, the last one for ever."""

    def __init__(self, *answers: list[str]) -> None:
        self.answers = list(answers)

    def __call__(self, host: str, port: int) -> list[str]:
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


class Recording(httpx.BaseTransport):
    """Connects to nothing and remembers what it was asked; redirects once where told to."""

    def __init__(self, redirect_to: str = "", dead: tuple[str, ...] = ()) -> None:
        self.asked: list[httpx.Request] = []
        self.redirect_to = redirect_to
        self.dead = dead

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        self.asked.append(request)
        if request.url.host in self.dead:
            raise httpx.ConnectError("refused", request=request)
        if self.redirect_to:
            return httpx.Response(307, headers={"Location": self.redirect_to}, text="reply of the other side")
        return httpx.Response(200, text="reply of the other side")

    @property
    def hosts(self) -> list[str]:
        return [request.url.host for request in self.asked]


def client(
    *answers: list[str], recording: httpx.BaseTransport | None = None, allowed: tuple[str, ...] = ()
) -> httpx.Client:
    rules = AddressRules(allow_list(allowed), Answers(*(answers or (["203.0.113.10"],))))
    return httpx.Client(transport=CheckedTransport(rules, recording), follow_redirects=True, trust_env=False)


def test_c71_has_lines_of_every_kind() -> None:
    verdicts = {line["verdict"] for line in LINES}
    assert verdicts == {"refuse", "allow", "refuse on second answer", "refuse redirect", "refuse (mixed answer)"}


@pytest.mark.parametrize("line", LINES, ids=[line["url"] for line in LINES])
def test_c71_addresses(line: dict[str, Any]) -> None:
    recording = Recording(line.get("redirect_to", ""))
    allowed = ("127.0.0.1:9000",) if line["verdict"] == "allow" else ()
    sender = client(*line.get("resolver", [["203.0.113.10"]]), recording=recording, allowed=allowed)
    if line["verdict"] == "allow":
        assert sender.post(checked_url(line["url"])).status_code == 200
        assert recording.hosts == ["127.0.0.1"]
        return
    if line["verdict"] == "refuse on second answer":
        assert sender.post(checked_url(line["url"])).status_code == 200
    with pytest.raises(AddressRefused) as refusal:
        sender.post(checked_url(line["url"]))
    public = line["verdict"] in {"refuse on second answer", "refuse redirect"}
    assert recording.hosts == (["203.0.113.10"] if public else [])
    assert "reply" not in str(refusal.value)
    assert "secret" not in str(refusal.value)


@pytest.mark.parametrize(
    "url",
    [
        "http://127.1/",
        "http://0177.0.0.1/",
        "http://0/",
        "http://127.0.0.1./",
        "http://127。0。0。1/",
        "http://LOCALHOST./",
        "http://db.localhost/",
        "http://[::]/",
        "http://[0:0:0:0:0:0:0:1]/",
        "http://[fe80::1%25eth0]/",
        "http://[2600::1%25eth0]/",
        "http://[64:ff9b::7f00:1]/",
        "http://[2002:7f00:1::]/",
        "http://[2001:0:7f00:1::]/",
        "http://100.100.100.200/",
        "http://168.63.129.16/",
        "http://192.0.0.192/",
        "http://172.31.0.1/",
        "http://198.19.0.1/",
        "http://224.0.0.1/",
        "http://255.255.255.255/",
        "http:///embed",
        "http://a%2eb/",
        "http://encoder.example.test:0/",
        "http://encoder.example.test:70000/",
        "ftp://encoder.example.test/",
    ],
)
def test_other_ways_inside_are_refused(url: str) -> None:
    recording = Recording()
    with pytest.raises(AddressRefused):
        client(recording=recording).get(checked_url(url))
    assert recording.asked == []


@pytest.mark.parametrize("number", ["8.8.8.8", "172.32.0.1", "2600:1900::1"])
def test_public_numbers_are_connected_to(number: str) -> None:
    recording = Recording()
    written = f"[{number}]" if ":" in number else number
    assert client(recording=recording).get(f"https://{written}/v1").status_code == 200
    assert recording.hosts == [number]


def test_the_checked_number_is_connected_to_under_the_name_of_the_host() -> None:
    recording = Recording()
    client(recording=recording).post("https://encoder.example.test:8443/v1?a=b", json={"a": 1})
    (asked,) = recording.asked
    assert str(asked.url) == "https://203.0.113.10:8443/v1?a=b"
    assert asked.headers["Host"] == "encoder.example.test:8443"
    assert asked.extensions["sni_hostname"] == "encoder.example.test"
    assert asked.read() == b'{"a":1}'


def test_the_next_number_of_a_name_is_tried_where_one_does_not_answer() -> None:
    recording = Recording(dead=("2600::1", "203.0.113.9"))
    client(["2600::1", "203.0.113.9", "203.0.113.10"], recording=recording).get("https://encoder.example.test/")
    assert recording.hosts == ["2600::1", "203.0.113.9", "203.0.113.10"]
    with pytest.raises(httpx.ConnectError):
        client(["203.0.113.9"], recording=recording).get("https://encoder.example.test/")


@pytest.mark.parametrize(
    ("url", "connects"),
    [
        ("http://encoder.internal:8080/", True),
        ("http://encoder.internal:8081/", False),
        ("http://other.internal:8080/", False),
        ("http://other.internal:9200/", True),
        ("http://10.0.0.5:9200/", True),
        ("http://10.0.0.5:9201/", False),
        ("http://167772165:9200/", False),
    ],
)
def test_the_allow_list_opens_a_place_by_name_or_number_and_port(url: str, connects: bool) -> None:
    recording = Recording()
    sender = client(["10.0.0.5"], recording=recording, allowed=("Encoder.internal:8080", " 10.0.0.5:9200"))
    if connects:
        sender.get(url)
    else:
        with pytest.raises(AddressRefused):
            sender.get(url)
    assert recording.hosts == ["10.0.0.5"] * connects


def test_a_name_with_no_answer_is_refused() -> None:
    for allowed in ((), ("encoder.internal:80",)):
        with pytest.raises(AddressRefused):
            client([], recording=Recording(), allowed=allowed).get("http://encoder.internal/")


@pytest.mark.parametrize(
    "entry", ["10.0.0.5", "10.0.0.5:", ":9000", "127.1:9000", "::1", "a b:9000", "10.0.0.5:123456"]
)
def test_an_allow_list_entry_is_host_and_port(entry: str) -> None:
    with pytest.raises(AddressRefused, match="write host:port"):
        allow_list([entry])


def test_the_allow_list_reads_numbers_of_both_kinds() -> None:
    assert allow_list(["[0:0::1]:9000", "10.0.0.5:80"]) == {Place("::1", 9000), Place("10.0.0.5", 80)}
    assert [str(place) for place in (Place("::1", 9000), Place("a.test", 80))] == ["[::1]:9000", "a.test:80"]


@pytest.mark.parametrize("written", ["", "encoder", "http://[::1", "http://\n", "https://u:secret@encoder.test/"])
def test_an_address_that_is_none_is_refused_when_written(written: str) -> None:
    with pytest.raises(AddressRefused) as refusal:
        checked_url(written)
    assert "secret" not in str(refusal.value)
    assert checked_url("https://encoder.example.test/v1").path == "/v1"


def test_the_system_resolver_knows_this_machine_and_says_what_it_does_not_know(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "127.0.0.1" in resolve("127.0.0.1", 80)

    def unknown(*_: object, **__: object) -> None:
        raise socket.gaierror

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    with pytest.raises(AddressRefused, match=r"Nobody knows the name encoder\.example\.test"):
        resolve("encoder.example.test", 443)


@pytest.fixture
def server() -> Iterator[HTTPServer]:
    class Echo(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(self.headers["Host"].encode())

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    listening = HTTPServer(("127.0.0.1", 0), Echo)
    threading.Thread(target=listening.serve_forever, daemon=True).start()
    yield listening
    listening.shutdown()
    listening.server_close()


def test_a_real_connection_goes_to_the_checked_number(server: HTTPServer) -> None:
    port = server.server_address[1]
    with client(["127.0.0.1"], allowed=(f"encoder.internal:{port}",)) as sender:
        assert sender.get(f"http://encoder.internal:{port}/").text == f"encoder.internal:{port}"
