"""An exact run of an earlier day as the baseline: by file, by name, on the page and over the API, with one answer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from curation.models import GateReport, Job, Query, RankedRun, SetVersion
from curation.tasks import work_on
from tests import factories
from tests.curation.api.calling import Caller, caller

from . import scene
from .scene import say

pytestmark = pytest.mark.django_db
SLICES = ("distinctive", "near_duplicate", "rare_entity", "keyword")
OF_THE_DAY = {"report", "measured_at", "measured_by", "since", "commit"}
GATED = ("gate", "hard@1", "--run", "int8", "--k", 5, "--json")


@pytest.fixture
def made() -> list[Query]:
    corpus = scene.searchable()
    queries = scene.queries_in(corpus, dict.fromkeys(SLICES, 6))
    factories.frozen_set(corpus)
    scene.a_run(corpus, scene.spread(queries, lost=3))
    return queries


@pytest.fixture
def exact(made: list[Query], tmp_path: Path) -> Path:
    """Exact search of an earlier day, with its provenance beside it."""
    say("coverage", "claims", "--run", "exact")
    file = tmp_path / "exact.run"
    say("export_run", "claims", "exact", "--out", file)
    return file


@pytest.fixture
def calling(made: list[Query]) -> Caller:
    return caller(factories.lena(made[0].corpus), "runs", "gate")


def same(report: dict[str, Any]) -> dict[str, Any]:
    """A report without what differs from one gate to the next."""
    return {name: value for name, value in report.items() if name not in OF_THE_DAY}


def test_a_baseline_by_file_by_name_on_the_page_and_over_the_api_gives_one_answer(
    exact: Path, calling: Caller, made: list[Query]
) -> None:
    by_file = say(*GATED, "--baseline", exact)
    say("import_run", "claims", exact, "--name", "july")
    by_name = say(*GATED, "--baseline", "july")
    lead = Client()
    lead.force_login(made[0].corpus.memberships.get(role="lead").user)
    assert "july, the first" in lead.get("/c/claims/gate/").content.decode()
    ids = {"version": SetVersion.objects.get().pk, "run": RankedRun.objects.get(name="int8").pk}
    lead.post("/c/claims/gate/run/", {**ids, "k": 5, "baseline": RankedRun.objects.get(name="july").pk})
    assert work_on(Job.objects.latest("pk").pk)
    on_page = lead.get(f"/c/claims/gate/{GateReport.objects.latest('pk').pk}/json").json()
    provenance = json.loads((exact.parent / "exact.run.provenance.json").read_text())
    calling("post", "corpora/claims/runs?name=again", exact.read_bytes(), kind="application/octet-stream")
    stated = calling("put", "corpora/claims/runs/again/provenance", json.dumps(provenance))
    assert (stated.status_code, stated.json()["provenance"]) == (200, provenance)
    body = json.dumps({"set": "hard@1", "run": "int8", "k": 5, "baseline": "again"})
    asked = calling("post", "corpora/claims/gates", body).json()
    work_on(asked["job"])
    by_api = calling.get(f"corpora/claims/jobs/{asked['job']}").json()
    assert same(by_file.json) == same(by_name.json) == same(on_page) == same(by_api["result"])
    assert by_file.json["baseline"] == provenance
    assert by_file.code == by_name.code == by_api["exit_code"]


def test_a_baseline_whose_provenance_names_no_answers_is_told_apart(exact: Path) -> None:
    beside = exact.parent / "exact.run.provenance.json"
    told = json.loads(beside.read_text())
    assert "nothing ties these answers" not in say(*GATED, "--baseline", exact).text
    assert "nothing ties these answers" not in say(*GATED).text
    del told["answers_sha256"]
    beside.write_text(json.dumps(told))
    by_file = say(*GATED, "--baseline", exact)
    say("import_run", "claims", exact, "--name", "july")
    [note] = [note for note in say(*GATED, "--baseline", "july").json["notes"] if "answers_sha256" in note["text"]]
    words = "The provenance of the baseline july names no answers_sha256, so nothing ties these answers to it"
    assert (note["text"].startswith(words), note["warns"]) == (True, False)
    assert "The provenance of the baseline exact.run names no answers_sha256" in by_file.text


def test_a_stored_run_without_provenance_is_no_baseline(made: list[Query], calling: Caller) -> None:
    refused = say(*GATED, "--baseline", "int8")
    assert (refused.code, "int8 carries no provenance" in refused.text) == (2, True)
    body = json.dumps({"set": "hard@1", "run": "int8", "k": 5, "baseline": "int8"})
    asked = calling("post", "corpora/claims/gates", body).json()
    work_on(asked["job"])
    told = calling.get(f"corpora/claims/jobs/{asked['job']}").json()
    assert (told["exit_code"], told["error"]) == (2, refused.text)
    unknown = json.dumps({"set": "hard@1", "run": "int8", "baseline": "nothing"})
    assert calling("post", "corpora/claims/gates", unknown).status_code == 404


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"dims": 4}, "no exact float32 run at full width"),
        ({"kind": "hnsw"}, "no exact float32 run at full width"),
        ({"space_sha256": "f" * 64}, "made of vectors that claims does not hold"),
    ],
)
def test_the_provenance_of_another_run_is_refused_where_it_is_stated(
    exact: Path, calling: Caller, changed: dict[str, object], words: str
) -> None:
    beside = exact.parent / "exact.run.provenance.json"
    beside.write_text(json.dumps(json.loads(beside.read_text()) | changed))
    refused = say("import_run", "claims", exact, "--name", "july")
    assert (refused.code, words in refused.text) == (2, True)
    stated = calling("put", "corpora/claims/runs/int8/provenance", beside.read_text())
    assert (stated.status_code, words in stated.json()["error"]) == (422, True)
    assert not RankedRun.objects.exclude(provenance={}).exists()


def test_new_answers_under_the_name_of_a_baseline_are_none(exact: Path) -> None:
    say("import_run", "claims", exact, "--name", "july")
    say("import_run", "claims", exact, "--name", "july")
    assert RankedRun.objects.get(name="july").provenance
    other = exact.parent / "other.run"
    other.write_text("".join(exact.read_text().splitlines(keepends=True)[:10]))
    say("import_run", "claims", other, "--name", "july")
    assert RankedRun.objects.get(name="july").provenance == {}


def test_a_provenance_makes_no_other_run_a_baseline(exact: Path, calling: Caller) -> None:
    """The build writes its own run to the file in which the exact one stood."""
    say("export_run", "claims", "int8", "--out", exact)
    words = "does not hold the answers that its provenance was written for"
    for refused in (say(*GATED, "--baseline", exact), say("import_run", "claims", exact, "--name", "july")):
        assert (refused.code, words in refused.text) == (2, True)
    beside = exact.parent / "exact.run.provenance.json"
    say("import_run", "claims", exact.rename(exact.parent / "own.run"), "--name", "july")
    stated = calling("put", "corpora/claims/runs/july/provenance", beside.read_text())
    assert (stated.status_code, words in stated.json()["error"]) == (422, True)
    assert not RankedRun.objects.exclude(provenance={}).exists()
