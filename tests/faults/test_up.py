"""`manage.py up` as one: refused twice, mended when a part dies, gone together."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from http.cookiejar import CookieJar
from pathlib import Path
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, build_opener

import pytest
from django.db import connection

from tests.faults.conftest import ROOT, SLOW, wait_until


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def family(folder: Path) -> dict[int, str]:
    """Every program with this DATA_DIR: pid and command line."""
    found = {}
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            environment = (entry / "environ").read_bytes().split(b"\0")
            words = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode()
        except OSError:
            continue
        if f"DATA_DIR={folder}".encode() in environment and words:
            found[int(entry.name)] = words
    return found


def answers(port: int) -> bool:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status == 200
    except OSError:
        return False
    finally:
        connection.close()


def heed_ctrl_c() -> None:
    """Tests that a shell runs in its background are deaf to Ctrl-C, and so would be what they start."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class Up:
    """One `manage.py up` on a folder and port of its own."""

    def __init__(self, folder: Path, *more: str) -> None:
        self.folder, self.port = folder, free_port()
        self.told = folder.parent / "told.txt"
        given = {"PATH": os.environ["PATH"], "DATA_DIR": str(folder)}
        words = [sys.executable, "manage.py", "up", "--port", str(self.port), *more]
        with self.told.open("wb") as told:
            self.running = subprocess.Popen(
                words,
                cwd=ROOT,
                env=given,
                stdout=told,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                preexec_fn=heed_ctrl_c,  # noqa: PLW1509  (no other thread runs)
            )

    def said(self, words: str) -> bool:
        return words in self.told.read_text()

    def child(self, words: str) -> int:
        """The pid of the child (not of a child's child) whose command line holds `words`."""
        return next(
            pid
            for pid, line in sorted(family(self.folder).items())
            if words in line and Path(f"/proc/{pid}/stat").read_text().split()[3] == str(self.running.pid)
        )


@pytest.fixture
def begun(django_db_setup: None, tmp_path: Path) -> Path:
    """A data folder as a start finds it that is not the first: its database has its tables, and nobody in them."""
    folder = tmp_path / "var"
    folder.mkdir()
    if connection.vendor == "sqlite":
        names = connection.settings_dict["NAME"], folder / "hardset.sqlite3"
        with closing(sqlite3.connect(names[0])) as migrated, closing(sqlite3.connect(names[1])) as own:
            migrated.backup(own)
    return folder


@pytest.fixture
def up(begun: Path) -> Iterator[Up]:
    started = Up(begun)
    try:
        assert wait_until(lambda: started.said("Hardset is up") or started.running.poll() is not None)
        assert started.said(f"Hardset is up: http://127.0.0.1:{started.port}/"), started.told.read_text()
        yield started
    finally:
        end_family(started)


def test_up_mends_what_dies_refuses_a_second_and_stops_together(up: Up) -> None:
    assert up.said("Make the first account with: manage.py createsuperuser")
    assert (up.folder / "secret_key").stat().st_mode & 0o777 == 0o600
    assert (up.folder / "run" / "broker.sock").stat().st_mode & 0o777 == 0o700

    second = refused(up.folder, "--port", str(free_port()))
    assert "Hardset is up on this data folder already" in second
    assert f"http://127.0.0.1:{up.port}/" in second

    for words in ("celery -A curation.celery worker", "gunicorn"):
        killed = up.child(words)
        os.kill(killed, signal.SIGKILL)
        assert wait_until(partial(part_is_back, up, words, instead_of=killed))
    assert wait_until(lambda: answers(up.port))
    assert up.said("The worker ended (-9); it starts again in 1 s.")

    asked = time.monotonic()
    up.running.send_signal(signal.SIGINT)
    assert up.running.wait(SLOW) == 0
    assert time.monotonic() - asked < 15
    assert family(up.folder) == {}
    assert up.told.read_text().endswith("Stopping …\nStopped.\n")


def part_is_back(up: Up, words: str, *, instead_of: int) -> bool:
    try:
        return up.child(words) != instead_of
    except StopIteration:
        return False


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells children that their parent died")
def test_a_supervisor_killed_without_a_word_leaves_nothing_running(up: Up) -> None:
    assert len(family(up.folder)) > 5
    up.running.kill()
    assert wait_until(lambda: family(up.folder) == {})


def test_up_loads_the_demo_first_and_its_logins_open_the_corpus(tmp_path: Path) -> None:
    started = Up(tmp_path / "var", "--demo")
    try:
        assert wait_until(lambda: started.said("Hardset is up") or started.running.poll() is not None, within=180)
        assert started.said(f"Sign in at http://127.0.0.1:{started.port}/ as one of"), started.told.read_text()
        for login in json.loads((started.folder / "demo_logins.json").read_text()):
            assert signed_in(started.port, login["username"], login["password"]).endswith("/c/claims/")
    finally:
        end_family(started)


def signed_in(port: int, username: str, password: str) -> str:
    """The address where signing in through the form leads."""
    cookies = CookieJar()
    browser = build_opener(HTTPCookieProcessor(cookies))
    address = f"http://127.0.0.1:{port}/login/"
    browser.open(address, timeout=SLOW).close()
    token = next(cookie.value for cookie in cookies if cookie.name == "csrftoken")
    fields = urlencode({"username": username, "password": password, "csrfmiddlewaretoken": token})
    with browser.open(address, fields.encode(), timeout=SLOW) as answer:
        where: str = answer.geturl()
        return where


def test_ctrl_c_while_the_demo_is_loaded_stops_in_words(begun: Path) -> None:
    started = Up(begun, "--demo")
    try:
        assert wait_until(lambda: started.said("Vectors … "), within=180)
        os.killpg(started.running.pid, signal.SIGINT)
        assert started.running.wait(SLOW) == 130
        assert started.told.read_text().endswith(
            "CommandError: Stopped. Started again, it goes on from here.\nCommandError: Not started.\n"
        )
    finally:
        end_family(started)


def end_family(started: Up) -> None:
    for pid in family(started.folder):
        os.kill(pid, signal.SIGKILL)
    started.running.wait()


@pytest.mark.parametrize("part", ["worker --concurrency 1", "beat --pidfile="])
def test_worker_and_scheduler_start_by_themselves_on_a_new_data_folder(part: str, tmp_path: Path) -> None:
    """As a team runs them; without a broker they go on trying until one answers."""
    given = {"PATH": os.environ["PATH"], "DATA_DIR": str(tmp_path / "var")}
    words = [sys.executable, "-m", "celery", "-A", "curation.celery", *part.split(), "--loglevel", "INFO"]
    log = tmp_path / "log.txt"
    with log.open("wb") as told:
        running = subprocess.Popen(words, cwd=ROOT, env=given, stdout=told, stderr=told, start_new_session=True)
    try:
        assert wait_until(lambda: "Trying again" in log.read_text()), log.read_text()
        assert running.poll() is None
    finally:
        os.killpg(running.pid, signal.SIGKILL)
        running.wait()


def test_a_port_that_is_taken_is_refused_in_words(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        ended = refused(tmp_path / "var", "--port", str(port))
    assert f"127.0.0.1:{port} is not to be had" in ended
    assert "choose another with --port" in ended


def test_nobody_outside_is_let_in_before_the_first_account(begun: Path) -> None:
    ended = refused(begun, "--host", "0.0.0.0", "--port", str(free_port()))
    assert "Nobody has an account yet, so 0.0.0.0 stays closed" in ended


def refused(folder: Path, *words: str) -> str:
    ended = subprocess.run(
        [sys.executable, "manage.py", "up", *words],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], "DATA_DIR": str(folder)},
        capture_output=True,
        text=True,
        timeout=SLOW,
        check=False,
    )
    assert ended.returncode == 1
    return ended.stderr
