"""Writers on SQLite stand in a queue."""

from __future__ import annotations

import signal
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from django.db import OperationalError
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.utils import ConnectionHandler

from curation.sqlite import base
from curation.sqlite.turns import Turns


@pytest.fixture
def written(tmp_path: Path) -> Path:
    return tmp_path / "hardset.sqlite3"


@pytest.fixture
def writer(written: Path) -> Iterator[BaseDatabaseWrapper]:
    chosen = {"ENGINE": "curation.sqlite", "NAME": str(written), "OPTIONS": {"transaction_mode": "IMMEDIATE"}}
    connection = ConnectionHandler({"default": chosen})["default"]
    yield connection
    connection.close()


def begin(connection: BaseDatabaseWrapper) -> None:
    connection.set_autocommit(False, force_begin_transaction_with_broken_autocommit=True)


def end(connection: BaseDatabaseWrapper) -> None:
    connection.commit()
    connection.set_autocommit(True)


def test_who_waits_longest_has_the_next_turn() -> None:
    turns, served = Turns(), []

    def wait(name: int) -> None:
        assert turns.acquire(timeout=10)
        served.append(name)
        turns.release()

    assert turns.acquire(timeout=0)
    threads = [threading.Thread(target=wait, args=(name,)) for name in range(5)]
    for place, thread in enumerate(threads, 1):
        thread.start()
        while turns.waiting < place:
            time.sleep(0.001)
    turns.release()
    for thread in threads:
        thread.join()
    assert served == [0, 1, 2, 3, 4]


def test_who_gave_up_is_passed_over() -> None:
    turns = Turns()
    assert turns.acquire(timeout=0)
    assert not turns.acquire(timeout=0.01)
    turns.release()
    assert turns.acquire(timeout=0)


def test_who_is_called_off_while_waiting_is_passed_over() -> None:
    turns = Turns()
    assert turns.acquire(timeout=0)

    def called_off(*_: object) -> None:
        raise InterruptedError

    def call_off() -> None:
        while not turns.waiting:
            time.sleep(0.001)
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGUSR2)

    before = signal.signal(signal.SIGUSR2, called_off)
    caller = threading.Thread(target=call_off)
    caller.start()
    try:
        with pytest.raises(InterruptedError):
            turns.acquire(timeout=30)
    finally:
        caller.join()
        signal.signal(signal.SIGUSR2, before)
    turns.release()
    assert turns.acquire(timeout=0)


@pytest.mark.django_db
def test_a_turn_ends_with_its_transaction_and_with_its_connection(writer: BaseDatabaseWrapper, written: Path) -> None:
    turns = base.turns[str(written)]
    begin(writer)
    assert not turns.acquire(timeout=0)
    end(writer)
    assert turns.acquire(timeout=0)
    turns.release()
    begin(writer)
    writer.close()
    assert turns.acquire(timeout=0)
    turns.release()


@pytest.mark.django_db
def test_another_process_that_writes_is_waited_for_and_not_for_ever(
    writer: BaseDatabaseWrapper, written: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    writer.ensure_connection()
    with closing(sqlite3.connect(written, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        monkeypatch.setattr(base, "PATIENCE", 0.05)
        with pytest.raises(OperationalError, match="locked"):
            begin(writer)
        assert base.turns[str(written)].acquire(timeout=0), "the turn is given back"
        base.turns[str(written)].release()
        monkeypatch.undo()
        other.execute("COMMIT")
    begin(writer)
    end(writer)
