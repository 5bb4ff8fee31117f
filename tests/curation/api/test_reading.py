"""What the API tells is what the command line prints, because both ask the same report."""

from __future__ import annotations

import json
import zipfile
from io import BytesIO
from pathlib import Path

import pytest
from django.utils import timezone

from curation.api import shapes
from curation.models import Corpus, Generation, Job, MiningRun, Proposal, User
from tests import factories
from tests.curation.gating.scene import say

from .calling import Caller, caller

pytestmark = pytest.mark.django_db


@pytest.fixture
def claims() -> Corpus:
    corpus = factories.a_corpus("claims")
    made = factories.judged_across_slices(corpus, 10)
    factories.a_run(corpus, made["distinctive"], made["keyword"], name="int8")
    return corpus


@pytest.fixture
def calling(claims: Corpus) -> Caller:
    return caller(factories.lena(claims))


@pytest.mark.parametrize(
    ("asked", "options"),
    [
        ("", ()),
        ("?run=int8&use=screen", ("--run", "int8", "--use", "screen")),
        (
            "?by=slice&only=slice=keyword&only=script=Latn",
            ("--by", "slice", "--only", "slice=keyword", "--only", "script=Latn"),
        ),
    ],
)
def test_coverage_is_what_the_command_prints(calling: Caller, asked: str, options: tuple[str, ...]) -> None:
    answer = calling.get(f"corpora/claims/coverage{asked}")
    assert answer.json() == say("coverage", "claims", *options, "--json").json
    assert answer.content.decode() == say("coverage", "claims", *options, "--json").text
    shapes.Coverage.model_validate(answer.json())


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ("run=missing", "no run called missing"),
        ("by=colour", "colour"),
        ("only=script", "only script is not of the form left=right."),
        ("only=script=nope", "No script is called nope: the corpus has Latn"),
        ("only=script=Latn&only=script=Arab", "only names script twice."),
        ("run=int8&beside=int8", "Run int8 stands beside itself"),
        ("use=sometimes", "use"),
        ("k=0", "k"),
        ("k=99999999999999999999999", "k"),
        ("run=int8&k=11", "11"),
        ("run=%00", "a letter that no text has"),
    ],
)
def test_a_question_that_has_no_answer_is_refused_in_words(calling: Caller, asked: str, words: str) -> None:
    answer = calling.get(f"corpora/claims/coverage?{asked}")
    assert answer.status_code == 422
    assert words in answer.json()["error"]


def test_sets_are_told_as_freezing_prints_them(claims: Corpus, calling: Caller) -> None:
    printed = say("freeze_set", "claims", "hard", "--json").json
    one = calling.get("corpora/claims/sets/hard/1").json()
    assert {"frozen": True, **one} == printed
    assert calling.get("corpora/claims/sets").json() == {"sets": [one], "next": None}
    shapes.FrozenSet.model_validate(one)
    assert calling.get("corpora/claims/sets/hard/2").json()["error"] == "This corpus has no set version hard@2."


def test_a_set_of_another_corpus_is_not_told_apart_from_none(calling: Caller) -> None:
    factories.frozen_set(factories.a_corpus("others"), "secret")
    assert calling.get("corpora/claims/sets/secret/1").json()["error"] == "This corpus has no set version secret@1."
    assert "secret" not in calling.get("corpora/claims/sets").content.decode()
    asked = json.dumps({"set": "secret@1", "run": "int8"})
    assert calling("post", "corpora/claims/gates", asked).json()["error"].endswith("Known: none yet.")


def test_an_export_holds_what_the_command_writes(claims: Corpus, calling: Caller, tmp_path: Path) -> None:
    factories.frozen_set(claims)
    answer = calling.get("corpora/claims/sets/hard/1/export/trec")
    packed = zipfile.ZipFile(BytesIO(b"".join(answer.streaming_content)))
    say("export_set", "hard@1", "--format", "trec", "--out", tmp_path / "out")
    written = {path.name: path.read_bytes() for path in (tmp_path / "out").rglob("*") if path.is_file()}
    assert {Path(name).name: packed.read(name) for name in packed.namelist()} == written
    assert calling.get("corpora/claims/sets/hard/1/export/pdf").status_code == 422
    asked = calling("post", "corpora/claims/sets/hard/1/export/trec")
    assert (asked.status_code, asked.json()["state"]) == (202, "queued")


def test_proposals_are_the_lines_of_the_export(claims: Corpus, calling: Caller, tmp_path: Path) -> None:
    index = claims.indexes.create(name="r3", kind="run", is_production=True)
    generation = Generation.objects.create(
        index=index, number=1, due_on=timezone.now().date(), opened_at=timezone.now()
    )
    run = MiningRun.objects.create(generation=generation, miner="rare_entity", created_at=timezone.now())
    Proposal.objects.create(
        run=run,
        text="what does SAN-12 mean",
        fingerprint="f",
        rank=1,
        locale="en",
        evidence={"term": "SAN-12", "df": 1},
    )
    address = "corpora/claims/proposals?miner=rare_entity"
    assert calling.get(address).json()["error"] == "There is no finished rare_entity run; mine it first."
    MiningRun.objects.update(state="done", finished_at=timezone.now())
    say("export_proposals", "claims", "--miner", "rare_entity", "--out", tmp_path / "mined.jsonl")
    assert b"".join(calling.get(address).streaming_content) == (tmp_path / "mined.jsonl").read_bytes()


def test_a_job_that_failed_says_why_and_ends_as_a_command_that_could_not_run(claims: Corpus, calling: Caller) -> None:
    job = Job.objects.create(corpus=claims, kind="gate", unique_key="x", created_at=timezone.now())
    waiting = calling.get(f"corpora/claims/jobs/{job.pk}").json()
    assert (waiting["state"], waiting["exit_code"], waiting["result"]) == ("queued", None, None)
    Job.objects.update(state="failed", error="The vectors are gone.")
    told = calling.get(f"corpora/claims/jobs/{job.pk}").json()
    assert (told["exit_code"], told["error"]) == (2, "The vectors are gone.")
    shapes.Job.model_validate(told)
    others = Job.objects.create(
        corpus=factories.a_corpus("others"), kind="gate", unique_key="y", created_at=timezone.now()
    )
    assert calling.get(f"corpora/claims/jobs/{others.pk}").status_code == 404
    lena = User.objects.get(username="lena")
    asked = caller(lena, "gate", name="gate").get(f"corpora/claims/jobs/{job.pk}")
    other = caller(lena, "live_queries", name="live").get(f"corpora/claims/jobs/{job.pk}")
    assert (asked.status_code, other.status_code) == (200, 403)
    assert "the scope gate or read" in other.json()["error"]
    assert calling.get(f"corpora/claims/jobs/{10**30}").status_code == 404


def test_a_long_list_is_read_page_by_page(claims: Corpus, calling: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("curation.api.pages.ROWS", 1)
    factories.a_run(claims, [], [], name="older")
    address, found = "corpora/claims/runs", []
    while address:
        told = calling.get(address.removeprefix("/api/")).json()
        shapes.Runs.model_validate(told)
        found += [run["name"] for run in told["runs"]]
        address = told["next"]
    assert sorted(found) == ["int8", "older"]
    assert calling.get("corpora/claims/runs?page=0").status_code == 422
