"""The script of the release engineer's guide, run as it stands there against a live server."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from django.conf import settings

from curation import tasks
from curation.api import runs
from curation.models import Corpus, GateReport, Query
from tests import factories
from tests.curation.gating import scene

from .calling import caller
from .test_ci import SLICES, trec

if TYPE_CHECKING:
    from pytest_django.live_server_helper import LiveServer

pytestmark = pytest.mark.django_db(transaction=True)
GUIDE = Path(settings.BASE_DIR) / "docs" / "guide" / "release.md"
Recipe = Callable[..., "subprocess.CompletedProcess[str]"]


def script() -> str:
    """The first block below the heading of the API."""
    return GUIDE.read_text(encoding="utf-8").partition("\n## API\n")[2].split("```\n")[1]


@pytest.fixture
def made() -> list[Query]:
    queries = scene.queries_in(scene.searchable(), dict.fromkeys(SLICES, 24))
    factories.frozen_set(queries[0].corpus, "hard")
    return queries


@pytest.fixture
def recipe(made: list[Query], live_server: LiveServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Recipe:
    """The script over this server and set, with a worker that is done when it asks again; run with a token."""
    monkeypatch.setattr("curation.api.jobs.send", tasks.work_on)
    words = script()
    for written, here in (
        ("https://hardset.example.org/api/corpora/laws", f"{live_server.url}/api/corpora/claims"),
        ("hard@4", "hard@1"),
        ('\\"commit\\"', '\\"k\\": 5, \\"commit\\"'),  # the runs here are ten documents deep
        ("sleep 5", "sleep 0.1"),
    ):
        assert written in words
        words = words.replace(written, here)

    def run(secret: str) -> subprocess.CompletedProcess[str]:
        environment = {"PATH": os.environ["PATH"], "HARDSET_TOKEN": secret, "COMMIT": "f00d"}
        return subprocess.run(
            ["sh", "-c", words], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=60, check=False
        )

    return run


def test_the_script_ends_as_the_command_would_and_says_why_where_it_could_not_run(
    made: list[Query], recipe: Recipe, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = caller(factories.lena(Corpus.objects.get()), "runs", "gate").secret
    file = tmp_path / "int8.run"
    file.write_bytes(trec(made, 0, 1))
    rejected = recipe(secret)
    assert (rejected.returncode, rejected.stderr) == (1, "")
    assert "<testsuite" in (tmp_path / "gate.xml").read_text()
    monkeypatch.setattr(runs, "AT_ONCE", 100)  # the run is a job too
    file.write_bytes(trec(made, 5))
    assert (recipe(secret).returncode, GateReport.objects.latest("pk").commit) == (3, "f00d")
    for body, token, words in (
        (b"nobody Q0 d00 1 9 int8\n", secret, "0 of 1 query ids known"),
        (trec(made, 5)[:3], secret, "no row under it"),
        (trec(made, 5), "hs_unknown", "needs an API token"),
    ):
        file.write_bytes(body)
        refused = recipe(token)
        assert refused.returncode == 2
        assert words in refused.stderr
