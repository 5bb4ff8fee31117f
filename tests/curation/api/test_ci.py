"""What a build does: bring a run in, gate it, and end as the command would."""

from __future__ import annotations

import gzip
import json
from itertools import cycle
from pathlib import Path

import pytest
from django.conf import LazySettings

from curation import uploading
from curation.api import runs, shapes
from curation.models import GateReport, Query, RankedRun
from curation.tasks import work_on
from tests import factories
from tests.curation.gating import scene
from tests.curation.gating.scene import say

from .calling import Caller, caller

pytestmark = pytest.mark.django_db
SLICES = ("distinctive", "near_duplicate", "rare_entity", "keyword")
INTO = "corpora/claims/runs?name=int8"


@pytest.fixture
def made() -> list[Query]:
    corpus = scene.searchable()
    return scene.queries_in(corpus, dict.fromkeys(SLICES, 4))


@pytest.fixture
def calling(made: list[Query]) -> Caller:
    return caller(factories.lena(made[0].corpus), "runs", "gate")


def trec(queries: list[Query], *found: int) -> bytes:
    """A run that finds so many of a query's five documents, of each in turn."""
    lines = (
        f"{query.external_id} Q0 {name} {place} {20 - place} int8\n"
        for query, count in zip(queries, cycle(found), strict=False)
        for place, name in enumerate(scene.answers(query, count), start=1)
    )
    return "".join(lines).encode()


def jsonl(queries: list[Query], found: int) -> bytes:
    rows = (
        {
            "query_id": query.external_id,
            "hits": [{"doc_id": name, "score": 20 - place} for place, name in enumerate(scene.answers(query, found))],
        }
        for query in queries
    )
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def test_a_run_goes_in_as_trec_as_json_lines_and_packed_and_is_merged_the_second_time(
    made: list[Query], calling: Caller
) -> None:
    first = calling("post", INTO, trec(made, 5), kind="application/octet-stream")
    told = first.json()
    assert (first.status_code, told["read"], told["stored"], told["merged"], told["refused"]) == (200, 160, 160, 0, 0)
    shapes.Receipt.model_validate(told)
    for body in (jsonl(made, 5), gzip.compress(trec(made, 5))):
        again = calling("post", INTO, body, kind="application/octet-stream").json()
        assert (again["read"], again["merged"]) == (160, 160)
    listed = calling.get("corpora/claims/runs").json()["runs"]
    assert [(run["name"], run["k"]) for run in listed] == [("int8", 10)]


def test_a_refused_row_stores_nothing_and_is_named_unless_the_good_ones_are_wanted(
    made: list[Query], calling: Caller
) -> None:
    body = trec(made, 5) + b"nobody Q0 d00 1 9 int8\n"
    refused = calling("post", INTO, body)
    told = refused.json()
    assert (refused.status_code, told["receipt"]["read"], told["receipt"]["refused"]) == (422, 161, 161)
    assert told["error"].startswith("Nothing was stored, because 1 row is refused.")
    assert {"where": "line 161 nobody", "reason": "The corpus holds no query nobody."} in told["details"]
    assert not RankedRun.objects.exists()
    shapes.RefusedRun.model_validate(told)
    kept = calling("post", f"{INTO}&keep_good=true&k=5", body).json()
    assert (kept["read"], kept["stored"], kept["refused"]) == (161, 160, 1)
    assert RankedRun.objects.get().k == 5


def test_a_run_is_read_from_the_columns_and_rows_that_are_named_and_put_in_production(
    made: list[Query], calling: Caller
) -> None:
    told = [f"{query.external_id},d{place}0,{9 - place},{place}\n" for query in made for place in (0, 1)]
    body = "".join(["query,doc,points,part\n", *told]).encode()
    asked = f"{INTO}&map=query_id%3Dquery&map=doc_id%3Ddoc&map=score%3Dpoints&where=part%3D1&production=true"
    assert (
        calling("post", f"{INTO}&map=query_id", body).json()["error"] == "map query_id is not of the form left=right."
    )
    assert calling("post", asked, body).json()["stored"] == len(made)
    stored = RankedRun.objects.select_related("index").get()
    assert stored.index is not None
    assert stored.index.is_production
    assert {tuple(score.hits) for score in stored.scores.all()} == {("d10",)}


def test_a_large_run_is_a_job_whose_result_is_the_receipt(
    made: list[Query], calling: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runs, "AT_ONCE", 100)
    for body, code, refused in ((trec(made, 5), 0, 0), (b"nobody Q0 d00 1 9 int8\n" * 9, 2, 9)):
        asked = calling("post", INTO, body)
        assert (asked.status_code, asked.json()["kind"]) == (202, uploading.IMPORT)
        work_on(asked.json()["job"])
        told = calling.get(f"corpora/claims/jobs/{asked.json()['job']}").json()
        assert (told["exit_code"], told["result"]["refused"]) == (code, refused)
    assert told["error"]


def test_a_few_packed_bytes_that_hold_many_are_a_job(made: list[Query], calling: Caller) -> None:
    packed = gzip.compress(trec(made, 5) + b"\n" * runs.AT_ONCE)
    assert len(packed) < 100_000
    asked = calling("post", INTO, packed)
    assert (asked.status_code, asked["Location"]) == (202, asked.json()["address"])
    work_on(asked.json()["job"])
    assert calling.get(asked["Location"].removeprefix("/api/")).json()["result"]["stored"] == 160


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        (INTO, b"", 422),
        (INTO, b"\x89PNG", 422),
        (INTO, b"\x00\xff\xfe nonsense", 422),
        ("corpora/claims/runs", b"q Q0 d 1 1 t", 422),
        ("corpora/claims/runs?name=exact", b"q Q0 d 1 1 t", 422),
        ("corpora/claims/runs?name=%00", b"q Q0 d 1 1 t", 422),
        (INTO, b"x" * 2001, 413),
    ],
)
def test_what_is_no_run_is_refused_in_words(
    calling: Caller, settings: LazySettings, path: str, body: bytes, status: int
) -> None:
    settings.UPLOAD_BYTES = 2000
    answer = calling("post", path, body)
    assert answer.status_code == status
    assert answer.json()["error"].endswith(".")
    assert not list((Path(settings.DATA_DIR) / "uploads").glob("*.file"))


@pytest.mark.parametrize(("found", "code"), [((5,), 3), ((0, 1), 1)])
def test_a_gate_ends_as_the_command_does_and_tells_the_very_same(
    calling: Caller, made: list[Query], tmp_path: Path, found: tuple[int, ...], code: int
) -> None:
    more = scene.queries_in(made[0].corpus, dict.fromkeys(SLICES, 20))
    factories.frozen_set(made[0].corpus)
    calling("post", INTO, trec([*made, *more], *found))
    body = {"set": "hard@1", "run": "int8", "k": 5, "commit": "f00d", "manifest": {"collection": "laws"}}
    asked = calling("post", "corpora/claims/gates", json.dumps(body)).json()
    assert calling("post", "corpora/claims/gates", json.dumps(body)).json()["job"] == asked["job"]
    work_on(asked["job"])
    told = calling.get(f"corpora/claims/jobs/{asked['job']}").json()
    report = GateReport.objects.get()
    assert (told["exit_code"], told["result"]["report"], report.commit) == (code, report.pk, "f00d")
    assert report.manifest == {"collection": "laws"}
    (tmp_path / "m.json").write_text(json.dumps(body["manifest"]), encoding="utf-8")
    same = ("--commit", "f00d", "--manifest", tmp_path / "m.json")
    printed = say("gate", "hard@1", "--run", "int8", "--k", 5, *same, "--json")
    differ = {"report", "measured_at", "measured_by", "since"}
    assert printed.code == code
    assert {**told["result"], **dict.fromkeys(differ)} == {**printed.json, **dict.fromkeys(differ)}
    one = calling.get(f"corpora/claims/gates/{report.pk}")
    assert one.json() == told["result"]
    assert "<testsuite" in calling.get(f"corpora/claims/gates/{report.pk}?format=junit").content.decode()
    assert [each["verdict"] for each in calling.get("corpora/claims/gates").json()["gates"]] == [report.verdict] * 2
