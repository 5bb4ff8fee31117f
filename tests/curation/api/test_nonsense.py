"""Whatever is sent, the answer is one shape below 500: broken JSON, NUL, huge numbers, wrong types, deep nesting."""

from __future__ import annotations

import json

import pytest
from django.urls import reverse
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from curation.actions import api_rates
from curation.api.answers import Problem
from curation.api.urls import doors
from curation.models import Corpus, LiveQuery
from tests import factories

from .calling import Caller, caller

pytestmark = pytest.mark.django_db
TAKES_JSON = {
    "api_ask_to_gate": {},
    "api_write_manifest": {"index": "r3"},
    "api_verify_manifest": {"index": "r3"},
    "api_take_live_queries": {"index": "r3"},
}
SEARCH = {"text": "storm damage", "locale": "en", "asked_at": "2026-07-13T16:04:05Z", "served": ["d07"]}
BROKEN = (
    b"",
    b"{",
    b"[]",
    b"null",
    b"\xff\xfe",
    b'{"set": "\\u0000", "run": "\\ud800"}',
    b'{"k": ' + b"9" * 5000 + b"}",
    b'{"k": 1e999, "set": NaN}',
    b"[" * 100_000,
    b'{"set": "hard@1", "run": "int8", "manifest": {"a": "\\u0000"}}',
    b'{"set": "hard@1", "run": "int8", "manifest": {"a": NaN}}',
    b'{"queries": [{"text": "\\u0000", "asked_at": "2026-07-13T16:04:05Z"}]}',
    b'{"queries": [{"text": "x", "asked_at": "2026-07-13T16:04:05Z", "served": ["\\ud800"]}]}',
    b'{"queries": [{"text": 1, "asked_at": true}]}',
    b'{"truncate_to": true, "transform_order": [[]]}',
    b'{"truncate_to": ' + b"9" * 40 + b"}",
    b'{"x": "' + b"x" * 3_000_000 + b'"}',
)


@pytest.fixture
def claims() -> Corpus:
    corpus = factories.a_corpus("claims")
    corpus.indexes.create(name="r3", kind="faiss_file", location="laws.faiss")
    return corpus


@pytest.fixture
def calling(claims: Corpus, monkeypatch: pytest.MonkeyPatch) -> Caller:
    monkeypatch.setattr(api_rates, "A_MINUTE", 10_000)
    return caller(factories.lena(claims))


def problems(calling: Caller, body: bytes) -> list[str]:
    """Where `body` was answered otherwise than by a problem."""
    wrong = []
    for name, parts in TAKES_JSON.items():
        [method] = (method for method in doors()[name] if method != "GET")
        path = reverse(name, kwargs={"slug": "claims", **parts}).removeprefix("/api/")
        answer = calling(method, path, body)
        if not 400 <= answer.status_code < 500 or not Problem.model_validate(answer.json()).error.endswith("."):
            wrong.append(f"{name}: {answer.status_code} {answer.content[:200]!r}")
    return wrong


def test_every_broken_body_is_told_what_is_wrong_with_it(calling: Caller) -> None:
    accepted = {b"{}", b"null"}
    assert {body[:60]: found for body in BROKEN if (found := problems(calling, body)) and body not in accepted} == {}


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=10), inner, max_size=3),
    max_leaves=8,
)
FIELDS = st.sampled_from(["set", "run", "k", "commit", "manifest", "queries", "truncate_to", "transform_order"])


@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(body=st.dictionaries(FIELDS, VALUES, min_size=1))
def test_no_body_is_a_fault_of_ours(calling: Caller, body: dict[str, object]) -> None:
    sent = json.dumps(body).encode()
    for name, parts in TAKES_JSON.items():
        [method] = (method for method in doors()[name] if method != "GET")
        path = reverse(name, kwargs={"slug": "claims", **parts}).removeprefix("/api/")
        assert calling(method, path, sent).status_code < 500


def test_live_queries_are_stored_once_however_often_they_are_told(calling: Caller, claims: Corpus) -> None:
    address = "corpora/claims/indexes/r3/live-queries"
    body = json.dumps({"queries": [SEARCH, {**SEARCH, "token": "t1"}]})
    assert calling("post", address, body).json() == {"stored": 2, "known": 0}
    assert calling("post", address, body).json() == {"stored": 0, "known": 2}
    refused = calling("post", address, json.dumps({"queries": [SEARCH, {**SEARCH, "text": ""}]}))
    assert refused.status_code == 422
    assert refused.json()["details"][0]["where"] == "queries.1"
    many = json.dumps({"queries": [{**SEARCH, "token": str(n)} for n in range(1001)]})
    assert "At most 1,000 live queries" in calling("post", address, many).json()["error"]
    assert calling("post", "corpora/claims/indexes/none/live-queries", body).status_code == 404
    assert LiveQuery.objects.count() == 2
