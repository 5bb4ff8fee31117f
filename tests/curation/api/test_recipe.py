"""The script of the release engineer's guide, run as it stands there against a live server."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from django.conf import LazySettings
from django.conf import settings as installed

from curation import tasks
from curation.api import indexes, runs
from curation.models import Corpus, GateReport, Query
from tests import factories
from tests.curation.gating import scene
from tests.curation.manifests.test_manifest import Desk, run

from .calling import caller
from .test_ci import SLICES, trec

if TYPE_CHECKING:
    from pytest_django.live_server_helper import LiveServer

pytestmark = pytest.mark.django_db(transaction=True)
GUIDE = Path(installed.BASE_DIR) / "docs" / "guide" / "release.md"
Recipe = Callable[..., "subprocess.CompletedProcess[str]"]


def script() -> str:
    """The first block below the heading of the API."""
    return GUIDE.read_text(encoding="utf-8").partition("\n## API\n")[2].split("```\n")[1]


def verification() -> str:
    """The functions of that script, and the block that holds a manifest against its index."""
    blocks = GUIDE.read_text(encoding="utf-8").partition("\n## API\n")[2].split("```\n")[1::2]
    [asking] = [block for block in blocks if '/manifest/verify"' in block]
    return blocks[0].partition("\n# 1.")[0] + "\n" + asking


def in_shell(words: str, folder: Path, secret: str) -> subprocess.CompletedProcess[str]:
    environment = {"PATH": os.environ["PATH"], "HARDSET_TOKEN": secret, "COMMIT": "f00d"}
    return subprocess.run(
        ["sh", "-c", words], cwd=folder, env=environment, capture_output=True, text=True, timeout=60, check=False
    )


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
        ("laws-hard@4", "hard@1"),
        ('\\"commit\\"', '\\"k\\": 5, \\"commit\\"'),  # the runs here are ten documents deep
        ("sleep 5", "sleep 0.1"),
    ):
        assert written in words
        words = words.replace(written, here)

    def run(secret: str, k: int = 5) -> subprocess.CompletedProcess[str]:
        return in_shell(words.replace('\\"k\\": 5', f'\\"k\\": {k}'), tmp_path, secret)

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
    file.write_bytes(trec(made, 5))
    refused = recipe(secret, k=50)
    assert (refused.returncode, "too few for recall@50" in refused.stderr) == (2, True), refused.stderr


@pytest.mark.parametrize("at_once", [1 << 30, 7])
def test_a_manifest_that_does_not_agree_ends_a_build(
    live_server: LiveServer, tmp_path: Path, settings: LazySettings, monkeypatch: pytest.MonkeyPatch, at_once: int
) -> None:
    """Answered at once, and by a job."""
    monkeypatch.setattr("curation.api.jobs.send", tasks.work_on)
    monkeypatch.setattr(indexes, "AT_ONCE", at_once)
    desk = Desk(tmp_path, Path(settings.INDEX_FOLDER))
    secret = caller(factories.lena(desk.corpus), "manifest").secret
    words = verification()
    for written, here in (
        ("https://hardset.example.org", live_server.url),
        ("indexes/production", "indexes/int8"),
        ("sleep 5", "sleep 0.1"),
        ('"truncate_to": 256, "transform_order": ["truncate", "l2_normalise"]', '"truncate_to": 4'),
    ):
        assert written in words
        words = words.replace(written, here)
    run("write", "laws/int8", desk.file())
    assert in_shell(words, tmp_path, secret).returncode == 0
    differs = in_shell(words.replace('"truncate_to": 4', '"truncate_to": 3'), tmp_path, secret)
    assert (differs.returncode, "3" in differs.stderr) == (1, True), differs.stderr
    assert in_shell(words, tmp_path, "hs_unknown").returncode == 2
