"""A typed query gets its pool where the vectors were brought along and their encoder stands at an endpoint."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from django.conf import LazySettings
from django.core.management.base import CommandError
from django.test import Client
from django.utils import timezone

from curation.actions.pooling import KIND
from curation.models import Corpus, Job, Need, Query
from curation.reports import embeddings
from curation.retrieval.addresses import allow_list
from curation.retrieval.encoders.http import Endpoint
from curation.retrieval.patience import Patience
from curation.tasks import wait_for
from judging.models import Candidate
from judging.reports.pools import TRY_AGAIN
from judging.tasks import sweep_pools
from tests import factories
from tests.bringing import bring, run, written
from tests.loopback import Answer, Asked, Loopback, serving

pytestmark = pytest.mark.django_db


def model(asked: Asked) -> Answer:
    """The endpoint's vectors are three wide; the corpus keeps the first two."""
    rows = [{"index": number, "embedding": [0, 3, 9]} for number, _ in enumerate(asked.json["input"])]
    return Answer({"data": rows} if asked.json["model"] == "enc-a" else {}, 200)


@pytest.fixture
def loopback() -> Iterator[Loopback]:
    with serving(model) as server:
        yield server


@pytest.fixture
def corpus(tmp_path: Path) -> None:
    documents = written(tmp_path, "c.jsonl", *({"id": name, "text": f"Text of {name}"} for name in ("d1", "d2")))
    vectors = written(tmp_path, "v.jsonl", {"id": "d1", "vector": [4, 0]}, {"id": "d2", "vector": [1, 1]})
    made_by = ("--encoder-name", "enc-a", "--revision", "2026-01", "--native-dims", 3)
    assert bring("import_corpus", "claims", documents, "--vectors", vectors, *made_by).code == 0
    queries = written(tmp_path, "q.jsonl", {"id": "q1", "text": "dolu hasarı", "locale": "tr"})
    assert bring("import_queries", "claims", queries).code == 0


def drawn() -> dict[str, Any]:
    code, out = run("draw_pools", "claims", "--json")
    assert code == 0
    result: dict[str, Any] = json.loads(out)
    return result


@pytest.mark.usefixtures("corpus")
def test_the_endpoint_of_the_operator_encodes_a_query_that_brought_no_vector(
    loopback: Loopback, settings: LazySettings
) -> None:
    with pytest.raises(CommandError, match="which cannot run it; bring vectors for the queries"):
        drawn()
    settings.OPENAI_BASE_URL, settings.OPENAI_API_KEY = loopback.url, "key"
    settings.ALLOWED_ADDRESSES = allow_list([loopback.url.removeprefix("http://")])
    assert drawn()["pools"] == 1
    scores = Candidate.objects.order_by("exact_rank").values_list("document__external_id", "score")
    assert list(scores) == [("d2", pytest.approx(0.5**0.5)), ("d1", 0.0)]
    (asked,) = loopback.asked
    assert (asked.path, asked.headers["authorization"]) == ("/embeddings", "Bearer key")
    assert asked.json["input"] == ["dolu hasarı"]


@pytest.mark.usefixtures("corpus")
def test_c71_an_endpoint_on_this_machine_is_not_asked_unless_allowed(
    loopback: Loopback, settings: LazySettings
) -> None:
    settings.OPENAI_BASE_URL = loopback.url
    with pytest.raises(CommandError, match="inside a private network"):
        drawn()
    assert loopback.asked == []


@pytest.mark.usefixtures("corpus")
def test_an_endpoint_that_refuses_is_asked_once_and_not_query_by_query(
    tmp_path: Path, loopback: Loopback, settings: LazySettings
) -> None:
    texts = ({"id": f"q{number}", "text": f"soru {number}", "locale": "tr"} for number in range(2, 7))
    bring("import_queries", "claims", written(tmp_path, "more.jsonl", *texts))
    loopback.answering = lambda _: Answer("secret", 401)
    settings.OPENAI_BASE_URL = loopback.url
    settings.ALLOWED_ADDRESSES = allow_list([loopback.url.removeprefix("http://")])
    with pytest.raises(CommandError, match="The endpoint of the encoder enc-a refused the key") as refusal:
        drawn()
    assert "secret" not in str(refusal.value)
    assert len(loopback.asked) == 1


@pytest.fixture
def aylin(corpus: None) -> Client:
    """She writes Turkish, and a need waits for her wording; the query that came with the corpus is withdrawn."""
    held = Corpus.objects.get()
    Query.objects.update(status=Query.Status.RETIRED, retired_reason="Asked elsewhere")
    Need.objects.create(corpus=held, text="Hail damage to a parked car")
    factories.a_stratum(held, planned=30)
    client = Client()
    client.force_login(factories.aylin(held))
    return client


@pytest.fixture
def endpoint(loopback: Loopback, settings: LazySettings, monkeypatch: pytest.MonkeyPatch) -> Loopback:
    """The operator's, allowed; it is waited for as long as a test can afford."""
    settings.OPENAI_BASE_URL = loopback.url
    settings.ALLOWED_ADDRESSES = allow_list([loopback.url.removeprefix("http://")])
    short = partial(Endpoint, patience=Patience(timeout_s=0.3, attempts=3, pause_s=0.0))
    monkeypatch.setattr(embeddings, "Endpoint", short)
    return loopback


def written_on_the_desk(writer: Client) -> Query:
    """A query that was typed on the desk; its job waits."""
    need = Need.objects.get(text="Hail damage to a parked car")
    wording = {"need": need.pk, "locale": "tr", "token": "t1", "text": "arabaya dolu hasarı"}
    assert writer.post("/c/claims/write/", wording).status_code == 302
    return Query.objects.get(text="arabaya dolu hasarı")


def test_query_written_on_the_desk_gets_its_pool_by_its_vector(aylin: Client, endpoint: Loopback) -> None:
    query = written_on_the_desk(aylin)
    job = work(Job.objects.get(kind=KIND))
    assert (job.state, job.result["pools"]) == (Job.State.DONE, 1)
    assert [asked.json["input"] for asked in endpoint.asked] == [["arabaya dolu hasarı"]]
    # (0, 3, 9) is cut to two dimensions and normalised, as the documents' vectors were.
    found = (
        Candidate.objects.filter(pool__query=query).order_by("exact_rank").values_list("document__external_id", "score")
    )
    assert list(found) == [("d2", pytest.approx(0.5**0.5)), ("d1", 0.0)]


def rows(*embedding: object) -> dict[str, Any]:
    return {"data": [{"index": 0, "embedding": list(embedding)}]}


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (Answer(rows(1, 2)), "gives 2 dimensions and the corpus's vectors have 3"),
        (Answer(b'{"data": [{"index": 0, "embedding": [NaN, 1, 2]}]}'), "gives vectors that cannot be ranked"),
        (Answer("secret", 500), "failed while answering (status 500); try again later."),
        (Answer(rows(0, 3, 9), pause=0.6), "did not answer within 0.3 s"),
        (Answer(b"<html>secret</html>", 200, {"Content-Type": "text/html"}), "answered something else than JSON"),
        (Answer("secret", 302, {"Location": "http://169.254.169.254/"}), "sends the question on to another address"),
    ],
    ids=["width", "nan", "fault", "slow", "html", "redirect"],
)
def test_bad_answer_is_one_sentence_on_the_job_and_the_query_waits_and_is_tried_again(
    aylin: Client, endpoint: Loopback, answer: Answer, words: str
) -> None:
    query = written_on_the_desk(aylin)
    endpoint.faults = [answer] * 3
    job = work(Job.objects.get(kind=KIND))
    assert job.state == Job.State.FAILED
    assert job.error.startswith("No pool could be drawn for 1 query: The endpoint of the encoder enc-a ")
    assert words in job.error
    assert "secret" not in job.error
    query.refresh_from_db()
    assert (query.status, query.pools.exists()) == (Query.Status.READY, False)
    endpoint.faults = []
    Job.objects.update(created_at=timezone.now() - TRY_AGAIN)
    sweep_pools()
    assert work(Job.objects.latest("pk")).result["pools"] == 1
    assert query.pools.exists()


def work(job: Job) -> Job:
    """What a worker makes of a job."""
    return wait_for(job.pk)
