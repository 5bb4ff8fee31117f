"""What `up`, `demo` and `bench` say to words, folders and databases that they cannot use: one sentence, and no 0."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db.migrations.recorder import MigrationRecorder

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="module")
def taken() -> Iterator[int]:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        yield listening.getsockname()[1]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("line", "words"),
    [
        (["up", "--port", ""], "invalid int value: ''"),
        (["up", "--port", "nan"], "invalid int value: 'nan'"),
        (["up", "--port", "0"], "A port is a number from 1 to 65535, which 0 is not"),
        (["up", "--port", "-1"], "which -1 is not"),
        (["up", "--port", "70000"], "which 70000 is not"),
        (["up", "--port", "9" * 40], "is not; choose another with --port."),
        (["up", "--port", "TAKEN"], "is not to be had ("),
        (["up", "--host", ""], "--host names no address"),
        (["up", "--host", "a\0b"], "is not to be had ("),
        (["up", "--host", "\udcff"], "A word of the command is no UTF-8 text"),
        (["up", "--host", "1.2.3.4.5"], "is not to be had ("),
        (["up", "--host", "x" * 5000], "is not to be had ("),
        (["demo", "--encoder", "none"], "There is no encoder none."),
        (["demo", "--encoder", "\udcff"], "There is no encoder"),
        (["demo", "--encoder", "a\0b"], "There is no encoder"),
        (["bench", "\udcff"], "invalid choice"),
        (["bench", "judging", "--judges", "0"], "--judges is a number above 0 and up to 1,000, not 0."),
        (["bench", "judging", "--judges", "-3"], "--judges is a number above 0"),
        (["bench", "judging", "--judges", "9" * 40], "--judges is a number above 0"),
        (["bench", "judging", "--judges", "1.5"], "invalid int value"),
        (["bench", "judging", "--seconds", "nan"], "--seconds is a number above 0 and up to 86,400, not nan."),
        (["bench", "judging", "--seconds", "inf"], "--seconds is a number above 0"),
        (["bench", "judging", "--pools", "1000000000"], "--pools is a number above 0"),
        (["bench", "judging", "--per-second", "nan"], "--per-second is a number above 0"),
        (["bench", "judging", "--per-second", "0"], "--per-second is a number above 0"),
        (["bench", "judging", "--opens", "0"], "--opens is a number above 0"),
    ],
    ids=lambda given: (
        " ".join(given)[:40].encode("ascii", "backslashreplace").decode().replace("\0", "NUL")
        if isinstance(given, list)
        else ""
    ),
)
def test_strange_words_end_in_one_sentence(taken: int, line: list[str], words: str) -> None:
    asked = [str(taken) if word == "TAKEN" else word for word in line]
    with pytest.raises(CommandError) as ended:
        call_command(*asked)
    assert words in str(ended.value)
    assert "\n" not in str(ended.value)
    assert ended.value.returncode != 0


@pytest.mark.parametrize("taken_by", ["file", "folder"])
def test_a_place_in_the_data_folder_that_is_taken_ends_in_one_sentence(own_data_folder: Path, taken_by: str) -> None:
    if taken_by == "file":
        (own_data_folder / "run").touch()
    else:
        (own_data_folder / "run" / "up.lock").mkdir(parents=True)
    with pytest.raises(
        CommandError, match=r"/data/run(/up\.lock)? cannot be used: (File exists|Is a directory)\.$"
    ) as ended:
        call_command("up")
    assert ended.value.returncode == 2


@pytest.mark.django_db
@pytest.mark.parametrize("command", ["up", "demo"])
def test_the_database_of_a_newer_version_is_left_as_it_is(command: str) -> None:
    MigrationRecorder.Migration.objects.create(app="judging", name="9999_of_tomorrow")
    with pytest.raises(CommandError, match=r"of a newer Hardset \(it holds judging 9999_of_tomorrow\)") as ended:
        call_command(command)
    assert ended.value.returncode == 2


def test_a_data_folder_that_cannot_be_used_ends_in_one_sentence(tmp_path: Path) -> None:
    """Started together, for each takes a moment to find out."""
    (tmp_path / "file").touch()
    (tmp_path / "text").mkdir()
    (tmp_path / "text" / "hardset.sqlite3").write_text("a shopping list " * 100)
    folders: dict[str | bytes, str] = {
        str(tmp_path / "file"): "DATA_DIR names a file, not a folder",
        str(tmp_path / "file" / "below"): "Not a directory); name a folder that Hardset may write to.",
        str(tmp_path / ("d" * 300)): "File name too long); name a folder",
        "/proc/none": "No such file or directory); name a folder",
        "~nobody-at-all/var": "DATA_DIR names no folder that there can be",
        os.fsencode(tmp_path) + b"/\xff": "DATA_DIR names no folder that there can be",
        str(tmp_path / "text"): "CommandError: The database cannot be used (file is not a database)",
    }
    started = {folder: up_on(folder, free_port()) for folder in folders}
    for folder, words in folders.items():
        said = started[folder].communicate(timeout=60)[1]
        assert (started[folder].returncode, said.count("\n")) == (2, 1), said
        assert words in said


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def up_on(folder: str | bytes, port: int) -> subprocess.Popen[str]:
    around = {b"PATH": os.environb[b"PATH"], b"DATA_DIR": os.fsencode(folder)}
    line = [sys.executable, "manage.py", "up", "--port", str(port)]
    return subprocess.Popen(line, cwd=ROOT, env=around, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
