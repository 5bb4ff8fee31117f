"""A typed query gets its pool where the vectors were brought along and their encoder stands at an endpoint."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import LazySettings
from django.core.management.base import CommandError

from curation.retrieval.addresses import allow_list
from judging.models import Candidate
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
