"""The pages for what may not be opened, is not there, or broke."""

from __future__ import annotations

import logging

import pytest
from django.test import Client

from tests import factories

pytestmark = pytest.mark.django_db


def test_role_that_does_not_reach_is_told_so(client: Client) -> None:
    client.force_login(factories.aylin(factories.a_corpus("claims")))
    answer = client.get("/c/claims/people/")
    assert answer.status_code == 403
    assert "Your role in this corpus does not open this page." in answer.content.decode()


def test_a_refused_person_is_one_quiet_line_of_the_log(client: Client, caplog: pytest.LogCaptureFixture) -> None:
    client.force_login(factories.aylin(factories.a_corpus("claims")))
    caplog.set_level(logging.INFO)
    client.get("/c/claims/people/")
    told = [(each.levelname, each.exc_info, each.getMessage()) for each in caplog.records]
    assert told == [("INFO", None, "Forbidden (Permission denied): /c/claims/people/")]


def test_corpus_of_others_looks_like_one_that_does_not_exist(client: Client) -> None:
    factories.a_corpus("others")
    client.force_login(factories.aylin(factories.a_corpus("claims")))
    theirs, missing = client.get("/c/others/"), client.get("/c/missing/")
    assert (theirs.status_code, missing.status_code) == (404, 404)
    assert theirs.content.decode().replace("others", "missing") == missing.content.decode()


def test_form_from_another_session_is_refused_in_words() -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(factories.aylin(factories.a_corpus("claims")))
    answer = client.post("/settings/", {"theme": "dark"})
    assert answer.status_code == 403
    assert "The form was too old to be accepted" in answer.content.decode()


def test_broken_page_names_the_time_that_stands_in_the_log(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*args: object, **kwargs: object) -> None:
        raise RuntimeError("broken on purpose")

    client.force_login(factories.aylin(factories.a_corpus("claims")))
    client.raise_request_exception = False
    monkeypatch.setattr("judging.reports.my_work.stratum_counts", broken)
    answer = client.get("/c/claims/")
    assert answer.status_code == 500
    assert "give your operator this time" in answer.content.decode()


def test_strict_policy_goes_with_every_page(client: Client) -> None:
    policy = client.get("/login/").headers["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy
