"""Judges as a program of its own, so that the load shares nothing with the server: `python clients.py` < settings.

Reads one JSON object of `Load` from the standard input and writes one of `Log`, judge by judge, to the standard output.
Each judge has a connection and a session of their own and uses the addresses that the judging page posts to. Only the
standard library is used: what the load takes of the machine is missing to the server it measures.
"""

from __future__ import annotations

import gzip
import http.client
import json
import math
import random
import re
import sys
import threading
import time
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from http.cookies import SimpleCookie
from itertools import islice
from urllib.parse import urlencode

ROW = re.compile(r'name="text-(\d+)" value="([0-9a-f]*)"')
ASSESSOR = re.compile(r'data-assessor="(\d+)"')
MARKS = 9  # a query: what a judge marks by hand of 50; the others are swept when they finish
ON_SCREEN = 1000  # milliseconds that a row is on screen
AGAIN = 10  # every tenth mark is sent twice, as a retry after a lost answer would be
PATIENCE = 60.0  # seconds
FORM = {"Accept": "application/json", "Content-Type": "application/x-www-form-urlencoded"}


@dataclass(frozen=True)
class Load:
    """Who judges where and how: `seconds` long or `opens` queries together, at `per_second` marks together.

    None for `per_second` is as fast as the answers come. With `marks` 0 a query that was opened is put off.
    """

    host: str
    port: int
    slug: str
    names: Sequence[str]
    password: str
    seconds: float
    opens: int | None = None
    per_second: float | None = None
    marks: int = MARKS


@dataclass
class Log:
    """What one judge was answered. Times are in seconds, moments by one clock for all judges of the load.

    `marks` are acknowledged ones as [token, assignment, candidate, value, number]; `holds` are [assignment, since,
    until], from the page of a query to the press that gave it back.
    """

    open_s: list[float] = field(default_factory=list)
    submit_s: list[float] = field(default_factory=list)
    mark_s: list[float] = field(default_factory=list)
    marks: list[tuple[str, int, int, str, int]] = field(default_factory=list)
    finished: list[int] = field(default_factory=list)
    holds: list[tuple[int, float, float]] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    began: float = 0.0
    ended: float = 0.0


@dataclass(frozen=True)
class Answer:
    """What came back."""

    status: int
    where: str
    text: str


@dataclass(frozen=True)
class Opened:
    """A query on screen since a moment: the assignment, and its candidates in order.

    `rows` are the candidates' keys, each with what the fingerprint of its text begins with; `assessor` is who the page
    says that it is for.
    """

    assignment: int
    assessor: str
    rows: Mapping[str, str]
    since: float


def read(where: str, page: str) -> Opened:
    """What the page at `where` shows."""
    named = ASSESSOR.search(page)
    assignment = int(where.rstrip("/").rsplit("/", 1)[-1])
    return Opened(assignment, named[1] if named else "", dict(ROW.findall(page)), time.monotonic())


def ending(opened: Opened) -> dict[str, object]:
    """What the page sends when all of it was on screen; the reason counts where the time was over before a mark."""
    seen = " ".join(f"{key}:{text}" for key, text in opened.rows.items())
    screen = " ".join(f"{key}:{ON_SCREEN}" for key in opened.rows)
    return {"seen": seen, "screen": screen, "seconds": 1, "nothing_because": "none_answers"}


class Window:
    """One connection with its cookies; it opens again by itself when the server closed it."""

    def __init__(self, host: str, port: int) -> None:
        self.link = http.client.HTTPConnection(host, port, timeout=PATIENCE)
        self.cookies: dict[str, str] = {}

    def ask(self, method: str, address: str, fields: Mapping[str, object] | None = None) -> Answer:
        """One request; repeated once where the server had closed the idle connection."""
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        headers = {"Cookie": cookies, "Accept-Encoding": "gzip"}
        if fields is not None:
            headers |= {**FORM, "X-CSRFToken": self.cookies.get("csrftoken", "")}
        body = None if fields is None else urlencode(fields)
        try:
            return self._once(method, address, body=body, headers=headers)
        except (http.client.RemoteDisconnected, BrokenPipeError, ConnectionResetError):
            self.link.close()
            return self._once(method, address, body=body, headers=headers)

    def _once(self, method: str, address: str, *, body: str | None, headers: dict[str, str]) -> Answer:
        self.link.request(method, address, body, headers)
        response = self.link.getresponse()
        for line in response.headers.get_all("Set-Cookie") or ():
            self.cookies |= {name: morsel.value for name, morsel in SimpleCookie(line).items()}
        content = response.read()
        if response.headers.get("Content-Encoding") == "gzip":
            content = gzip.decompress(content)
        return Answer(response.status, response.headers.get("Location", ""), content.decode())


class Judge:
    """One judge at work."""

    def __init__(self, load: Load, place: int) -> None:
        self.load, self.place, self.log = load, place, Log()
        self.window, self.home = Window(load.host, load.port), f"/c/{load.slug}/judge/"
        self.drawn = random.Random(place)  # noqa: S311  (the same grades each time)
        self.due, self.until = 0.0, math.inf
        self.at_hand: Opened | None = None

    def sign_in(self) -> None:
        """Once, by the form.

        Raises:
            ConnectionError: the server does not let the judge in.
        """
        self.window.ask("GET", "/login/")
        given = {"username": self.load.names[self.place], "password": self.load.password}
        answer = self.window.ask("POST", "/login/", given)
        if answer.status != http.HTTPStatus.FOUND:
            raise ConnectionError(f"{given['username']} was not let in: {answer.status}.")

    def work(self, deadline: float, left: Places) -> None:
        """Query after query until the deadline, or until nothing is left to open."""
        self.log.began = self.due = time.monotonic()
        self.until = deadline
        if self.load.per_second:
            self.due += self.place / self.load.per_second
        while time.monotonic() < deadline and left.take():
            if not self.one_query(deadline):
                break
        self.log.ended = time.monotonic()

    def one_query(self, deadline: float) -> bool:
        """Open the next query, mark it, finish it; False where none waits or it could not be opened."""
        opened = self.at_hand or self.opened()
        self.at_hand = None
        if opened is None:
            return False
        for number, key in enumerate(islice(opened.rows, self.load.marks), 1):
            self.pause()
            if time.monotonic() > deadline:
                break
            self.mark(opened, key, number)
        self.give_back(opened)
        return True

    def opened(self) -> Opened | None:
        """Ask for the next query, and for its page."""
        began = time.monotonic()
        leased = self.window.ask("GET", self.home)
        if leased.status != http.HTTPStatus.FOUND:
            self._expect(leased, http.HTTPStatus.OK, "next query")
            return None
        page = self.window.ask("GET", leased.where)
        self.log.open_s.append(time.monotonic() - began)
        return read(leased.where, page.text) if self._expect(page, http.HTTPStatus.OK, "page") else None

    def mark(self, opened: Opened, key: str, number: int) -> None:
        """One mark, some sent twice; the first of a query is relevant, so that finishing it asks nothing."""
        value, token = "3" if number == 1 else str(self.drawn.randrange(4)), uuid.uuid4().hex
        fields = {"candidate": key, "value": value, "token": token, "number": 1, "text": opened.rows[key], "seconds": 1}
        for _ in range(1 + (number % AGAIN == 0)):
            if self.submit(opened, "mark", fields):
                self.log.marks.append((token, opened.assignment, int(key), value, 1))

    def give_back(self, opened: Opened) -> None:
        """Finish the query, every row seen, or put it off where no marks were asked for; the answer may bring the next.

        At a pace it is left open where the time is over: all at once, the judges would be a crowd without a pace.
        """
        self.pause()
        until, what = time.monotonic(), "finish" if self.load.marks else "skip"
        self.log.holds.append((opened.assignment, opened.since, until))
        if self.load.per_second and until >= self.until:
            return
        told = self.submit(opened, what, ending(opened) if self.load.marks else {})
        if told and self.load.marks:
            self.log.finished.append(opened.assignment)
        if told and told.get("page"):
            self.log.open_s.append(time.monotonic() - until)
            self.at_hand = read(told["next"], told["page"])

    def submit(self, opened: Opened, what: str, fields: Mapping[str, object]) -> dict[str, str]:
        """One press of a key that stores something, and what was answered; nothing where it was not acknowledged."""
        began = time.monotonic()
        fields = {"assessor": opened.assessor, **fields}
        answer = self.window.ask("POST", f"{self.home}{opened.assignment}/{what}", fields)
        taken = time.monotonic() - began
        self.log.submit_s.append(taken)
        if what == "mark":
            self.log.mark_s.append(taken)
        if not self._expect(answer, http.HTTPStatus.OK, what):
            return {}
        told: dict[str, str] = json.loads(answer.text)
        return told

    def pause(self) -> None:
        """Wait for the moment of the next press, where a pace was asked for, and not past the deadline."""
        if self.load.per_second:
            self.due = max(self.due + len(self.load.names) / self.load.per_second, time.monotonic())
            time.sleep(max(0.0, min(self.due, self.until) - time.monotonic()))

    def _expect(self, answer: Answer, status: int, what: str) -> bool:
        if answer.status != status:
            self.log.errors.append(f"{what}: {answer.status} {answer.text[:200]}")
        return answer.status == status


class Places:
    """How many queries the judges may still open together."""

    def __init__(self, count: int | None) -> None:
        self.count, self.lock = count, threading.Lock()

    def take(self) -> bool:
        """One more."""
        with self.lock:
            if self.count is None:
                return True
            self.count -= 1
            return self.count >= 0


def judged(load: Load) -> list[Log]:
    """All judges signed in, then at work together."""
    judges = [Judge(load, place) for place in range(len(load.names))]
    left, gate = Places(load.opens), threading.Barrier(len(judges))

    def at_work(judge: Judge) -> None:
        try:
            judge.sign_in()
            gate.wait(PATIENCE * 2)
            judge.work(time.monotonic() + load.seconds, left)
        except (OSError, http.client.HTTPException, threading.BrokenBarrierError) as fault:
            gate.abort()
            judge.log.errors.append(f"{type(fault).__name__}: {fault}")

    threads = [threading.Thread(target=at_work, args=(judge,)) for judge in judges]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return [judge.log for judge in judges]


if __name__ == "__main__":
    json.dump([asdict(log) for log in judged(Load(**json.load(sys.stdin)))], sys.stdout)
