"""Bodies that come in another kind, without their length or not whole, and requests that the database leaves waiting."""

from __future__ import annotations

import json
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from django.conf import LazySettings
from django.db import OperationalError

from curation.models import Corpus, RankedRun
from tests import factories

from .calling import Caller, caller

pytestmark = pytest.mark.django_db
GATES, RUN = "corpora/claims/gates", "corpora/claims/runs?name=int8"


@pytest.fixture
def claims() -> Corpus:
    return factories.a_corpus("claims")


@pytest.fixture
def calling(claims: Corpus) -> Caller:
    return caller(factories.lena(claims))


@pytest.mark.parametrize(
    ("path", "kind", "headers", "words"),
    [
        (GATES, "application/x-www-form-urlencoded", {}, "This takes application/json"),
        (GATES, "text/plain", {}, "it carries text/plain"),
        (GATES, "application/json", {"Content-Encoding": "gzip"}, "not packed"),
        (RUN, "multipart/form-data; boundary=x", {}, "not a form"),
    ],
)
def test_a_body_of_another_kind_is_told_apart(
    calling: Caller, path: str, kind: str, headers: dict[str, str], words: str
) -> None:
    answer = calling("post", path, b"{}", kind=kind, headers=headers)
    assert answer.status_code == 415
    assert words in answer.json()["error"]
    assert calling("post", GATES, b"{}", kind="application/vnd.hardset+json").status_code == 422


def test_a_body_without_its_length_is_asked_for_it(calling: Caller) -> None:
    answer = calling.client.post(
        "/api/corpora/claims/runs?name=int8", headers={"Transfer-Encoding": "chunked"}, CONTENT_LENGTH=""
    )
    assert (answer.status_code, "Content-Length" in answer.json()["error"]) == (411, True)


def test_a_run_that_breaks_off_is_not_stored_as_a_shorter_one(
    claims: Corpus, calling: Caller, settings: LazySettings
) -> None:
    made = factories.judged_queries(factories.a_stratum(claims), 1)
    body = f"{made[0].external_id} Q0 d1 1 9 int8\n".encode()
    longer: dict[str, Any] = {"CONTENT_LENGTH": len(body) + 100, "wsgi.input": BytesIO(body)}
    answer = calling.client.post(
        "/api/corpora/claims/runs?name=int8&keep_good=true",
        body,
        content_type="application/octet-stream",
        headers={"Authorization": f"Bearer {calling.secret}"},
        **longer,
    )
    assert (answer.status_code, answer.json()["error"]) == (400, "The body broke off before its end.")
    assert not RankedRun.objects.exists()
    assert not list((Path(settings.DATA_DIR) / "uploads").glob("*.file"))


def test_what_is_wrong_is_named_as_its_sender_names_it(calling: Caller) -> None:
    answer = calling("post", GATES, json.dumps({"set": "hard@1", "run": "a\0", "k": "5"}))
    assert [each["where"] for each in answer.json()["details"]] == ["run", "k"]
    assert answer.json()["error"] == (
        "The request is not as described: run: A text holds a letter that no text has (NUL or half of a pair)."
    )
    long = json.dumps({"set": "hard@1", "run": "x", "commit": "c" * 201})
    assert "commit" in calling("post", GATES, long).json()["error"]
    misspelt = calling("post", GATES, json.dumps({"set": "hard@1", "run": "x", "base_line": "exact", "kk": 1}))
    assert [each["where"] for each in misspelt.json()["details"]] == ["base_line", "kk"]
    many = "&".join(f"f{n}=1" for n in range(2001))
    assert calling.get(f"corpora/claims/runs?{many}").status_code == 400


@pytest.mark.parametrize("moment", ["0001-01-01T00:00:00+14:00", "1969-12-31T23:59:59Z"])
def test_a_search_before_there_were_any_is_refused(claims: Corpus, calling: Caller, moment: str) -> None:
    claims.indexes.create(name="r3", kind="run")
    body = json.dumps({"queries": [{"text": "x", "asked_at": moment}]})
    answer = calling("post", "corpora/claims/indexes/r3/live-queries", body)
    assert (answer.status_code, "lies before 2000" in answer.json()["details"][0]["reason"]) == (422, True)


def test_a_database_that_does_not_answer_is_503_and_asks_to_come_again(
    calling: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    def silent(**_: object) -> None:
        raise OperationalError("the server closed the connection")

    monkeypatch.setattr("curation.api.doors.known_token", silent)
    answer = calling.get("token")
    assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    assert answer.json()["error"] == "The database does not answer; ask again in a moment."


def test_another_host_name_and_a_token_over_http_are_refused_in_words(calling: Caller, settings: LazySettings) -> None:
    answer = calling("get", "token", headers={"Host": "elsewhere.example.org"})
    assert (answer.status_code, "ALLOWED_HOSTS" in answer.json()["error"]) == (400, True)
    settings.HTTPS = settings.SECURE_SSL_REDIRECT = True
    settings.ALLOWED_HOSTS = ["*"]
    answer = Caller(calling.secret).get("token")
    assert (answer.status_code, "over https" in answer.json()["error"]) == (403, True)
    assert Caller().client.get("/api/")["Location"].startswith("https://")
