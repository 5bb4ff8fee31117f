"""Nonsense in the environment stops the start with one sentence."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import LazySettings
from django.test import Client

from curation.databases import database
from tests import factories

ROOT = Path(__file__).resolve().parents[2]
KEY = "0123456789abcdefghij" * 3
TEAM = "postgres://hardset@127.0.0.1/hardset"


TOLD = "import curation.settings as s; print(len(s.SECRET_KEY), s.CELERY_BROKER_URL)"


def start(folder: Path, told: str = TOLD, **environment: str) -> subprocess.CompletedProcess[str]:
    given = {
        "PATH": os.environ["PATH"],
        "DATA_DIR": str(folder),
        "DJANGO_SETTINGS_MODULE": "curation.settings",
        **environment,
    }
    return subprocess.run(
        [sys.executable, "-c", told], env=given, cwd=ROOT, capture_output=True, text=True, check=False, timeout=60
    )


@pytest.mark.parametrize(
    ("environment", "words"),
    [
        ({"DATABASE_URL": TEAM}, "SECRET_KEY is missing"),
        ({"SECRET_KEY": "change-me"}, "SECRET_KEY is too weak"),
        ({"DATABASE_URL": "mysql://x/y", "SECRET_KEY": KEY}, "DATABASE_URL must name PostgreSQL"),
        ({"DATABASE_URL": "nonsense", "SECRET_KEY": KEY}, "DATABASE_URL"),
        ({"CELERY_BROKER_URL": "amqp://x"}, "CELERY_BROKER_URL must name Redis"),
        ({"TIME_ZONE": "Mars/Olympus"}, "TIME_ZONE names no known zone"),
        ({"DEBUG": "perhaps"}, "DEBUG must be 1 or 0"),
        ({"LOG_LEVEL": "loud"}, "LOG_LEVEL must be"),
        ({"JOB_SILENCE_SECONDS": "soon"}, "JOB_SILENCE_SECONDS must be a whole number from 1"),
        ({"ALLOWED_ADDRESSES": "10.0.0.5"}, "'10.0.0.5' is no address to allow; write host:port"),
        ({"OPENAI_BASE_URL": "encoder.example"}, "OPENAI_BASE_URL cannot be read: An address must start with http://"),
    ],
)
def test_nonsense_stops_the_start_in_words(tmp_path: Path, environment: dict[str, str], words: str) -> None:
    ended = start(tmp_path, **environment)
    assert ended.returncode != 0
    assert words in ended.stderr.splitlines()[-1]


def test_what_the_address_of_postgresql_says_is_kept_beside_our_own(tmp_path: Path) -> None:
    asked = database(tmp_path, f"{TEAM}?sslmode=verify-full")["OPTIONS"]
    assert (asked["sslmode"], asked["options"], asked["prepare_threshold"]) == ("verify-full", "-c jit=off", 5)
    assert database(tmp_path, f"{TEAM}?options=-c%20jit%3Don")["OPTIONS"]["options"] == "-c jit=on"


def test_c73_the_embedded_default_makes_its_own_private_key_and_keeps_it(tmp_path: Path) -> None:
    first, second = start(tmp_path), start(tmp_path)
    assert first.returncode == second.returncode == 0, first.stderr
    assert (tmp_path / "secret_key").stat().st_mode & 0o777 == 0o600
    assert first.stdout == second.stdout


def test_a_data_folder_with_the_signs_of_an_address_in_its_name_holds_its_database(tmp_path: Path) -> None:
    folder = tmp_path / "a?b#c%20d"
    words = "import curation.settings as s; print(s.DATABASES['default']['NAME'])"
    assert start(folder, words).stdout == f"{folder / 'hardset.sqlite3'}\n"
    assert folder.is_dir()


def test_a_new_data_folder_opens_for_its_owner_alone(tmp_path: Path) -> None:
    assert start(tmp_path / "var").returncode == 0
    assert (tmp_path / "var").stat().st_mode & 0o777 == 0o700


def test_c73_a_key_file_others_can_read_is_refused(tmp_path: Path) -> None:
    start(tmp_path)
    (tmp_path / "secret_key").chmod(0o644)
    assert "chmod 600" in start(tmp_path).stderr.splitlines()[-1]


def test_a_deep_data_folder_gets_a_short_broker_socket(tmp_path: Path) -> None:
    deep = tmp_path / ("d" * 90)
    assert "hardset-" in start(deep).stdout


def test_c73_the_deploy_check_of_a_team_has_no_warning(tmp_path: Path) -> None:
    given = {
        "PATH": os.environ["PATH"],
        "DATA_DIR": str(tmp_path),
        "DATABASE_URL": TEAM,
        "SECRET_KEY": KEY,
        "ALLOWED_HOSTS": "x.example",
    }
    words = [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"]
    ended = subprocess.run(words, env=given, cwd=ROOT, capture_output=True, text=True, check=False, timeout=60)
    assert ended.returncode == 0, ended.stderr


@pytest.mark.django_db
def test_c73_a_session_signed_with_an_old_key_is_over(settings: LazySettings) -> None:
    client = Client()
    client.force_login(factories.charlie())
    assert client.get("/settings/").status_code == 200
    settings.SECRET_KEY = "another key of more than enough characters"
    assert client.get("/settings/").headers["Location"] == "/login/?next=/settings/"
