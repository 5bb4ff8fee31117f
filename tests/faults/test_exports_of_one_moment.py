"""Exports and reports while the corpus changes: each is of one moment, never half of the one and half of the other."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import timedelta
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest
from django.db import connection, connections, transaction
from django.test import Client
from django.utils import timezone

from curation.actions import set_exporting
from curation.actions.tokens import Terms, make_token
from curation.models import (
    CannotTell,
    Corpus,
    Document,
    DocumentText,
    Generation,
    HardNegative,
    Job,
    MiningRun,
    Qrel,
    Query,
    QueryScore,
    RankedRun,
    Scope,
    SetVersion,
    Stratum,
    TrafficShare,
    User,
)
from curation.reports import negative_lines, set_exports
from curation.tasks import work_on
from judging.models import Adjudication, Judgment
from tests import factories
from tests.bringing import run
from tests.curation.gating import scene
from tests.judging import stage

pytestmark = pytest.mark.django_db(transaction=True)
Door = Callable[[], bytes]
NAMES = ("d1", "d2", "d3")


@pytest.fixture
def corpus(monkeypatch: pytest.MonkeyPatch) -> Corpus:
    """Three documents, two judged queries with a run, mined negatives and opinions, and the set hard@1."""
    monkeypatch.setattr(set_exports, "BATCH", 1)
    monkeypatch.setattr(negative_lines, "QUERIES_AT_ONCE", 1)
    corpus = factories.a_corpus()
    documents = [stage.a_document(corpus, name) for name in NAMES]
    queries = factories.judged_queries(factories.a_stratum(corpus, planned=9), 2)
    for query in queries:
        settle(query, documents)
    factories.a_run(corpus, queries, [])
    mine(corpus, queries, documents[1])
    factories.frozen_set(corpus)
    return corpus


def settle(query: Query, documents: list[Document]) -> None:
    judge, lead = (User.objects.get_or_create(username=name)[0] for name in ("judge", "lead"))
    query.qrels.all().delete()
    Qrel.objects.create(query=query, canonical_id="d1", gold_document=documents[0], grade=3, source="imported")
    Qrel.objects.create(query=query, canonical_id="d2", grade=0, source="agreed")
    CannotTell.objects.create(query=query, canonical_id="d3")
    Query.objects.filter(pk=query.pk).update(gold_canonical_id="d1")
    said = {"canonical_id": "d2", "assessor": judge, "judged_at": timezone.now(), "state": "graded", "grade": 0}
    Judgment.objects.create(query=query, document=documents[1], **said)
    decided = {"decided_by": lead, "decided_at": timezone.now(), "cause": "slip", "token": query.external_id}
    Adjudication.objects.create(query=query, canonical_id="d2", grade=0, **decided)


def mine(corpus: Corpus, queries: list[Query], document: Document) -> None:
    now = timezone.now()
    index = corpus.indexes.create(name="exact", kind="exact", is_production=True)
    generation = Generation.objects.create(index=index, number=1, due_on=now.date(), opened_at=now)
    told = {"miner": "hard_negative", "state": "done", "params": {"depth": 20}, "created_at": now}
    found = MiningRun.objects.create(generation=generation, **told)
    for query in queries:
        HardNegative.objects.create(run=found, query=query, document=document, canonical_id="d2", rank=1, score=0.5)


def changed(word: str) -> None:
    """The corpus in one of two states, put there in one transaction, as an import does it."""
    old = word == "old"
    with transaction.atomic():
        Document.objects.update(metadata={"state": word})
        Document.objects.filter(external_id__in=["d3", "t3"]).update(gone_at=None if old else timezone.now())
        DocumentText.objects.update(title=word)
        Query.objects.update(original_text=word, text=word)
        for query, grade in zip(Query.objects.order_by("pk"), (3, 3) if old else (1, 2), strict=True):
            query.qrels.filter(canonical_id="d1").update(grade=grade, original_score=str(grade))
        Stratum.objects.update(planned=9 if old else 18)
        TrafficShare.objects.update(locale="tr" if old else "de")
        Qrel.objects.filter(canonical_id="t2").update(grade=0 if old else 1)
        Qrel.objects.filter(canonical_id="d2").update(source="agreed" if old else "derived")
        CannotTell.objects.update(original_score="-1" if old else "-2")
        Judgment.objects.update(note=word, grade=0 if old else 2)
        Judgment.objects.filter(assessor__username="second").update(grade=2)
        Adjudication.objects.update(grade=0 if old else 1, cause="slip" if old else "rubric")
        RankedRun.objects.update(k=10 if old else 20)
        QueryScore.objects.update(k=10 if old else 20, hits=["d1"] if old else ["d2", "d1"])


@contextmanager
def changing_all_the_time(change: Callable[[str], None]) -> Iterator[None]:
    """Before whatever is read over this connection, another one brings the corpus into its other state."""
    words = cycle(("new", "old"))

    def first(execute: Any, *given: Any) -> Any:
        if not connection.in_atomic_block:
            pool.submit(change, next(words)).result(60)
        return execute(*given)

    with ThreadPoolExecutor(1) as pool:
        with connection.execute_wrapper(first):
            yield
        pool.submit(connections.close_all).result(60)


def torn(doors: Mapping[str, Door], change: Callable[[str], None] = changed) -> list[str]:
    """The exports and reports that are neither wholly what they are in one state nor what they are in the other."""
    whole = {}
    for word in ("new", "old"):
        change(word)
        whole[word] = {name: door() for name, door in doors.items()}
    assert [name for name in doors if whole["old"][name] == whole["new"][name]] == []
    with changing_all_the_time(change):
        met = {name: door() for name, door in doors.items()}
    return [name for name, content in met.items() if content not in {whole["old"][name], whole["new"][name]}]


def test_what_a_command_exports_is_of_one_moment(corpus: Corpus, tmp_path: Path) -> None:
    out = iter(range(10_000))

    def written(command: str, *words: str) -> Door:
        def door() -> bytes:
            path = tmp_path / str(next(out))
            code, told = run(command, *words, "--out", path)
            assert code == 0, told
            files = [path] if path.is_file() else sorted(each for each in path.rglob("*") if each.is_file())
            return b"".join(file.read_bytes() for file in files)

        return door

    mined = ("export_proposals", "claims", "--miner", "hard_negative")
    doors = {
        "export_set": written("export_set", "hard@1", "--format", "jsonl"),
        "export_queries": written("export_queries", "claims"),
        "export_qrels": written("export_qrels", "claims", "--fold-twins"),
        "export_run": written("export_run", "claims", "a-run"),
        "export_judgments": written("export_judgments", "claims"),
        "export_judgments --merged": written("export_judgments", "claims", "--merged"),
        "export_proposals": written(*mined),
        "export_proposals --form triplets": written(*mined, "--form", "triplets"),
    }
    assert torn(doors) == []


def test_what_a_page_or_a_job_sends_is_of_one_moment(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    lead = Client()
    lead.force_login(factories.lena(corpus))

    def fetched(address: str) -> Door:
        def door() -> bytes:
            answer: Any = lead.get(f"/c/claims/{address}")
            assert answer.status_code == 200
            return bytes(answer.getvalue())

        return door

    def packed() -> bytes:
        Job.objects.all().delete()
        with monkeypatch.context() as patch:
            patch.setattr(set_exporting, "AT_ONCE", 0)
            assert lead.post("/c/claims/sets/hard/1/export/jsonl").status_code == 302
            assert work_on(Job.objects.get().pk)
            return set_exporting.archive_path(SetVersion.objects.get(), "jsonl").read_bytes()

    doors = {
        "set": fetched("sets/hard/1/export/jsonl"),
        "set, packed": packed,
        "negatives": fetched("hard-negatives/export?form=triplets"),
        "board": fetched("coverage/export?format=csv&run=a-run"),
        "plan": fetched("plan/export"),
    }
    assert torn(doors) == []


def test_what_a_report_says_is_of_one_moment(corpus: Corpus) -> None:
    second = factories.person("second")
    factories.some_traffic(corpus, tr=1.0)
    for name in ("t1", "t2", "t3"):
        stage.a_document(corpus, name, "One text.")
    for query in Query.objects.order_by("pk"):
        for name, grade in (("t1", 3), ("t2", 0), ("t3", 2)):
            Qrel.objects.create(query=query, canonical_id=name, grade=grade, source="agreed")
        also = {"query": query, "document": Document.objects.get(external_id="d2"), "canonical_id": "d2", "grade": 2}
        Judgment.objects.create(assessor=second, judged_at=timezone.now(), state="graded", **also)
    Judgment.objects.update(text_sha256=DocumentText.objects.get(document__external_id="d2").sha256)
    secret = make_token(person=factories.lena(corpus), terms=Terms("ci", Scope.values, None), now=timezone.now()).secret
    program = Client(headers={"Authorization": f"Bearer {secret}"})

    def said(command: str, *words: str) -> Door:
        def door() -> bytes:
            code, told = run(command, *words, "--json")
            assert code == 0, told
            return told.encode()

        return door

    def answered() -> bytes:
        answer = program.get("/api/corpora/claims/coverage?run=a-run")
        assert answer.status_code == 200
        return bytes(answer.content)

    doors = {
        "coverage": said("coverage", "claims", "--run", "a-run"),
        "plan": said("plan", "claims", "--run", "a-run"),
        "twins": said("twins", "claims"),
        "agreement": said("agreement", "claims", "--run", "a-run"),
        "coverage, by the API": answered,
    }
    assert torn(doors) == []


def test_a_gate_reads_its_run_and_its_floors_at_one_moment() -> None:
    searchable = scene.searchable()
    _, made = scene.whole(searchable, 2)
    stored = scene.a_run(searchable, dict.fromkeys(made, 5))

    def change(word: str) -> None:
        found, level = (5, 0.5) if word == "old" else (1, 0.9)
        with transaction.atomic():
            Corpus.objects.update(floors={"absolute": level})
            RankedRun.objects.update(sha256=f"{found:064x}", measured_at=scene.NOW + timedelta(days=found))
            for query in made:
                stored.scores.filter(query=query).update(hits=scene.answers(query, found))

    def gated() -> bytes:
        said = scene.say("gate", "hard@1", "--run", "int8", "--k", 5, "--json")
        assert said.code == 3, said.text
        told = {name: value for name, value in said.json.items() if name not in {"report", "measured_at", "since"}}
        return json.dumps(told).encode()

    assert torn({"gate": gated}, change) == []
