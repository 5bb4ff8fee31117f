"""The description of the API is the one that is served, and committed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client

from .calling import Caller

pytestmark = pytest.mark.django_db
FILE = Path(settings.BASE_DIR) / "docs" / "openapi.json"


def test_the_committed_description_is_what_the_server_answers() -> None:
    """Run `make openapi` where this fails, and look at what changed."""
    assert Client().get("/api/openapi.json").content.decode() == FILE.read_text(encoding="utf-8")


def test_every_operation_has_an_id_of_its_own_says_its_scopes_and_what_problems_look_like() -> None:
    told = json.loads(FILE.read_text(encoding="utf-8"))
    operations = [each for methods in told["paths"].values() for each in methods.values()]
    assert len({each["operationId"] for each in operations}) == len(operations)
    by_token = [each for each in operations if "security" in each]
    assert {each["operationId"] for each in operations} - {each["operationId"] for each in by_token} == {"health"}
    assert all("x-scopes" in each and {"401", "403", "404", "429"} <= each["responses"].keys() for each in by_token)
    assert told["components"]["schemas"]["Problem"]["required"] == ["error"]


def test_health_and_every_address_that_is_none_answer_without_a_token() -> None:
    assert Caller().get("health").json()["status"] == "ok"
    nothing = Caller()("post", "corpora/claims/nothing", b"{}")
    assert nothing.status_code == 404
    assert "openapi.json" in nothing.json()["error"]


def test_a_method_that_an_address_does_not_know_is_told_in_the_same_shape() -> None:
    answer = Caller()("delete", "health")
    assert (answer.status_code, answer["Allow"]) == (405, "GET")
    assert answer.json()["error"] == "This address does not know DELETE; it takes GET."
