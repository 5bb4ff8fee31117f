"""What every test shares: a data folder of its own, plain static files, and the shared corpora where they are."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from pathlib import Path

import hypothesis
import pytest
from django.conf import LazySettings, settings
from pytest_django import DjangoDbBlocker

from tests import database_copies
from tests.vector_database import VectorDatabase, serving

CASES = Path(__file__).parent / "data" / "cases"

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
        return
    request.getfixturevalue("django_test_environment")
    together = tmp_path_factory.getbasetemp().parent
    with django_db_blocker.unblock():
        database_copies.open_copy(worker, folder=together)
    yield
    with django_db_blocker.unblock():
        database_copies.drop_copy(worker, folder=together)


@pytest.fixture(autouse=True)
def own_data_folder(settings: LazySettings, tmp_path: Path) -> Path:
    """No test writes into the data folder of another, or of the product, nor sends to the product's broker."""
    settings.DATA_DIR = tmp_path / "data"
    settings.DATA_DIR.mkdir()
    settings.INDEX_FOLDER = settings.DATA_DIR / "indexes"
    settings.CELERY_BROKER_URL = f"redis+socket://{tmp_path}/no-broker.sock"
    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
    }
    settings.OPENAI_BASE_URL = ""  # no test asks the encoder of whoever runs it
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    return Path(settings.DATA_DIR)


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
def vector_database() -> Iterator[VectorDatabase]:
    """A real PostgreSQL with pgvector, started where a test asks for it."""
    with serving() as database:
        yield database


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
