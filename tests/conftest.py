"""What every test shares: a data folder of its own, plain static files, and the shared corpora where they are."""

from __future__ import annotations

import gc
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from django.conf import LazySettings, settings
from django.core.management import call_command
from django.db import transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created
from django.test import override_settings
from pytest_django import DjangoDbBlocker

from tests import database_copies
from tests.vector_database import VectorDatabase, serving

ALONE = "alone"  # the one process of a run without several workers
CASES = Path(__file__).parent / "data" / "cases"


def _backwards(*, connection: BaseDatabaseWrapper, **_: object) -> None:
    """Rows that nobody put in order come in another one than on PostgreSQL: so no test holds where one was meant."""
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA reverse_unordered_selects = ON")


connection_created.connect(_backwards)

# A loaded machine is slow, not wrong: generated examples have no deadline.
hypothesis.settings.register_profile("house", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow])
hypothesis.settings.load_profile("house")


@pytest.fixture(scope="session")
def django_db_setup(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, django_db_blocker: DjangoDbBlocker
) -> Iterator[None]:
    """The test database: each worker of several has a copy of one, a process alone what pytest-django gives it."""
    worker = os.environ.get("PYTEST_XDIST_WORKER")
    if worker is None:
        request.getfixturevalue("django_db_setup")
        yield
        with django_db_blocker.unblock():
            database_copies.drop_filled(ALONE, folder=tmp_path_factory.getbasetemp())
        return
    request.getfixturevalue("django_test_environment")
    together = tmp_path_factory.getbasetemp().parent
    with django_db_blocker.unblock():
        database_copies.open_copy(worker, folder=together)
    yield
    with django_db_blocker.unblock():
        database_copies.drop_copy(worker, folder=together)


@pytest.fixture(autouse=True)
def own_data_folder(request: pytest.FixtureRequest, settings: LazySettings, tmp_path: Path) -> Path:
    """No test writes into the data folder of another, or of the product, nor sends to the product's broker."""
    folder = tmp_path / "data"
    if "module_rows" in request.fixturenames:
        shutil.copytree(request.getfixturevalue("module_rows"), folder)
    else:
        folder.mkdir()
    for name, value in apart(folder).items():
        setattr(settings, name, value)
    return folder


def apart(folder: Path) -> dict[str, Any]:
    """The settings under which tests work, with `folder` for their data."""
    static = {"staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}}
    return {
        "DATA_DIR": folder,
        "INDEX_FOLDER": folder / "indexes",
        "CELERY_BROKER_URL": f"redis+socket://{folder.parent}/no-broker.sock",
        "STORAGES": {**settings.STORAGES, **static},
        "OPENAI_BASE_URL": "",  # no test asks the encoder of whoever runs it
        "PASSWORD_HASHERS": ["django.contrib.auth.hashers.MD5PasswordHasher"],
    }


@pytest.fixture(scope="module")
def module_rows(
    request: pytest.FixtureRequest,
    django_db_setup: None,
    django_db_blocker: DjangoDbBlocker,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Path]:
    """What the module's `stage_rows()` stores, rows and files, once for all tests of the module; the data folder.

    Each test works in a savepoint over the rows and on a copy of the folder, and finds both as they were made. For
    tests on plain `db`; every one of the module asks for it, so that none meets the rows by its place in the run.
    """
    folder = tmp_path_factory.mktemp("module") / "data"
    folder.mkdir()
    with django_db_blocker.unblock(), transaction.atomic():
        with override_settings(**apart(folder)):
            request.module.stage_rows()
        yield folder
        transaction.set_rollback(True)


@pytest.fixture
def loaded_demo(
    transactional_db: None, tmp_path_factory: pytest.TempPathFactory, own_data_folder: Path
) -> Iterator[str]:
    """What `manage.py demo` printed; the test works on a copy of its rows and files. It is loaded once a run."""
    worker, base = os.environ.get("PYTEST_XDIST_WORKER", ALONE), tmp_path_factory.getbasetemp()
    together = base if worker == ALONE else base.parent
    files, printed = together / "demo", together / "demo.txt"

    def load() -> None:
        files.mkdir()
        with override_settings(**apart(files)), printed.open("w", encoding="utf-8") as said:
            call_command("demo", address="http://127.0.0.1:8000/", stdout=said)

    with database_copies.filled_copy(worker, folder=together, fill=load):
        shutil.copytree(files, own_data_folder, dirs_exist_ok=True)
        yield printed.read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder with the real corpora; a test that needs it skips where it is absent."""
    folder = Path(settings.HARDSET_SHARED)
    if not (folder / "data").is_dir():
        pytest.skip(f"the real corpora are not here ({folder}); set HARDSET_SHARED")
    return folder


@pytest.fixture
def cases() -> Path:
    """The folder of the handed case inputs; read them in binary, never re-save them."""
    return CASES


@pytest.fixture(scope="session")
def vector_server() -> Iterator[VectorDatabase]:
    """A real PostgreSQL with pgvector, started where a test asks for it."""
    with serving() as database:
        yield database


@pytest.fixture(scope="module")
def vector_database(vector_server: VectorDatabase) -> VectorDatabase:
    """The same server, with nothing in it of the module that had it before."""
    anew = ("DROP SCHEMA public CASCADE", "CREATE SCHEMA public", "GRANT USAGE ON SCHEMA public TO PUBLIC")
    vector_server.run(*anew, "CREATE EXTENSION vector")
    return vector_server


def pytest_collection_finish() -> None:
    """Look for garbage among what tests make alone: what is loaded by now stays, and is a million objects."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """With FAIL_ON_SKIP set (the continuous integration does), a skipped test fails the run."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if os.environ.get("FAIL_ON_SKIP") and reporter is not None and reporter.stats.get("skipped"):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
