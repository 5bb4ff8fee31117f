"""What every command says when the machine, and not its input, stands in the way."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from tests import factories

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(
    ("asked", "address", "words"),
    [
        ("coverage claims", "", "CommandError: The database is not up to date; run manage.py migrate first"),
        ("bench coverage", "", "CommandError: The database is not up to date; run manage.py migrate first"),
        (
            "coverage claims",
            "sqlite:////nowhere/at/all.sqlite3",
            "CommandError: The database cannot be reached (unable to open",
        ),
    ],
)
def test_a_command_without_its_database_ends_in_one_sentence(
    tmp_path: Path, asked: str, address: str, words: str
) -> None:
    around = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    around |= {"DATA_DIR": str(tmp_path), "SECRET_KEY": "x" * 40, **({"DATABASE_URL": address} if address else {})}
    ended = subprocess.run(
        [sys.executable, "manage.py", *asked.split()],
        cwd=ROOT, env=around, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert ended.returncode == 2
    assert ended.stderr.startswith(words)
    assert ended.stderr.count("\n") == 1


def test_settings_that_are_none_end_a_gate_with_2_and_not_with_the_1_of_a_rejection(tmp_path: Path) -> None:
    around = {"PATH": os.environ["PATH"], "DATA_DIR": str(tmp_path), "GATE_FLOORS": "absolute=2"}
    ended = subprocess.run(
        [sys.executable, "manage.py", "gate", "hard@1", "--run", "int8"],
        cwd=ROOT, env=around, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert ended.returncode == 2
    assert ended.stderr.startswith("GATE_FLOORS names floors between 0 and 1")


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("where", "words"),
    [
        ("", r"cannot be written: Is a directory\.$"),
        ("file/below", r"below cannot be written: Not a directory\.$"),
        ("a" * 300, r"cannot be (written|used): File name too long\.$"),
    ],
)
def test_an_export_that_cannot_be_written_ends_in_one_sentence(tmp_path: Path, where: str, words: str) -> None:
    factories.a_corpus("claims")
    (tmp_path / "file").touch()
    with pytest.raises(CommandError, match=words) as ended:
        call_command("export_queries", "claims", "--out", str(tmp_path / where))
    assert ended.value.returncode == 2


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("line", "words"),
    [
        (["coverage", "cl\udcffims"], "A word of the command is no UTF-8 text; write it anew."),
        (["import_log", "claims", "a" * 300], f"{'a' * 300} cannot be used: File name too long."),
    ],
)
def test_a_command_line_that_cannot_be_looked_up_ends_in_one_sentence(line: list[str], words: str) -> None:
    factories.a_corpus("claims")
    with pytest.raises(CommandError) as ended:
        call_command(*line)
    assert (str(ended.value), ended.value.returncode) == (words, 2)
