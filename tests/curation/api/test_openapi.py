"""The description of the API is the one that is served, and committed."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client

from curation.models import User
from tests import factories

from .calling import Caller, caller

pytestmark = pytest.mark.django_db
FILE = Path(settings.BASE_DIR) / "docs" / "openapi.json"


@pytest.fixture
def lena() -> User:
    return factories.lena(factories.a_corpus("claims"))


def test_the_committed_description_opens_for_a_token_and_for_whoever_is_signed_in(lena: User) -> None:
    """Run `make openapi` where this fails, and look at what changed."""
    signed_in = Client()
    signed_in.force_login(lena)
    for answer in (caller(lena, "live_queries").get("openapi.json"), signed_in.get("/api/openapi.json")):
        assert answer.content.decode() == FILE.read_text(encoding="utf-8")
    assert Caller().get("openapi.json").status_code == 401


def test_the_page_names_every_endpoint_field_and_shape_to_people_alone(lena: User) -> None:
    client = Client()
    assert client.get("/api/")["Location"].startswith("/login/")
    client.force_login(lena)
    page, told = client.get("/api/").content.decode(), json.loads(FILE.read_text(encoding="utf-8"))
    for path, methods in told["paths"].items():
        for method, each in methods.items():
            assert f"{method.upper()} {path}</code>" in page
            assert all(f"<code>{asked['name']}</code>" in page for asked in each.get("parameters", ()))
    named = set(re.findall(r'href="#(shape-\w+)"', page))
    assert named >= {"shape-GateReport", "shape-Problem", "shape-GateAsked"}
    assert named <= set(re.findall(r'id="(shape-\w+)"', page))


def test_every_operation_has_an_id_of_its_own_says_its_scopes_and_what_problems_look_like() -> None:
    told = json.loads(FILE.read_text(encoding="utf-8"))
    operations = [each for methods in told["paths"].values() for each in methods.values()]
    assert len({each["operationId"] for each in operations}) == len(operations)
    by_token = [each for each in operations if "security" in each]
    assert {each["operationId"] for each in operations} - {each["operationId"] for each in by_token} == {"health"}
    assert all("x-scopes" in each and {"401", "403", "404", "429"} <= each["responses"].keys() for each in by_token)
    assert told["components"]["schemas"]["Problem"]["required"] == ["error"]


def test_a_body_takes_no_field_that_it_does_not_have() -> None:
    """A manifest alone keeps what it does not know (docs/formats.md)."""
    told = json.loads(FILE.read_text(encoding="utf-8"))
    asked = [
        each.get("requestBody", {}).get("content", {}) for path in told["paths"].values() for each in path.values()
    ]
    bodies = [kinds["application/json"] for kinds in asked if "application/json" in kinds]
    named = set(re.findall(r"schemas/(\w+)", json.dumps(bodies)))
    assert {"GateAsked", "LiveQueries", "Provenance", "Configuration"} <= named
    shapes = told["components"]["schemas"]
    assert {name for name in named if shapes[name].get("additionalProperties") is not False} <= {"Manifest"}


def test_health_and_every_address_that_is_none_answer_without_a_token() -> None:
    assert Caller().get("health").json()["status"] == "ok"
    nothing = Caller()("post", "corpora/claims/nothing", b"{}")
    assert nothing.status_code == 404
    assert "openapi.json" in nothing.json()["error"]


def test_a_method_that_an_address_does_not_know_is_told_in_the_same_shape() -> None:
    answer = Caller()("delete", "health")
    assert (answer.status_code, answer["Allow"]) == (405, "GET")
    assert answer.json()["error"] == "This address does not know DELETE; it takes GET."
    opened = Caller().get("corpora/claims/indexes/r3/manifest/verify")
    assert (opened.status_code, opened["Allow"]) == (405, "POST")


def test_head_asks_what_get_does_and_what_did_not_change_is_not_sent_again(lena: User) -> None:
    calling = caller(lena)
    assert Caller()("head", "health").status_code == 200
    first = calling.get("token")
    again = calling("get", "token", headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert calling("head", "corpora/claims/runs")["ETag"] == calling.get("corpora/claims/runs")["ETag"]
