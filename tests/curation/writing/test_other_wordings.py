"""How other languages worded a need, and what a lead sent back."""

from __future__ import annotations

from http import HTTPStatus

import pytest
from django.test import Client

from curation.models import Corpus, Need, User
from tests import factories

from .scene import a_need

pytestmark = pytest.mark.django_db

WORDINGS = "/c/claims/write/wordings/"


def test_wordings_of_other_languages_come_only_when_asked_for_and_without_judgments(
    writer: Client, corpus: Corpus, need: Need
) -> None:
    [german] = factories.judged_queries(factories.a_stratum(corpus, "de en Latn question distinctive"), 1)
    german.need, german.text = need, "Ist Diebstahl gedeckt?"
    german.save()
    factories.a_query(factories.a_stratum(corpus), "hırsızlık ödenir mi", need=need)
    assert "Ist Diebstahl" not in writer.get(f"/c/claims/write/?need={need.pk}").content.decode()
    asked = f"{WORDINGS}?need={need.pk}&locale=tr"
    told = writer.get(asked, headers={"HX-Request": "true"}).content.decode()
    assert "Ist Diebstahl gedeckt?" in told
    assert "hırsızlık" not in told
    assert "udged" not in told
    assert "Back to the desk" in writer.get(asked).content.decode()


def test_need_that_nobody_else_worded_says_so(writer: Client, need: Need) -> None:
    told = writer.get(f"{WORDINGS}?need={need.pk}&locale=tr").content.decode()
    assert "No other language has worded this need yet." in told


def test_wordings_of_another_corpus_stay_there(writer: Client, need: Need) -> None:
    foreign = a_need(factories.a_corpus("others"), "Secret")
    assert writer.get(f"{WORDINGS}?need={foreign.pk}").status_code == HTTPStatus.NOT_FOUND


def test_home_tells_what_a_lead_sent_back_until_it_is_worded_anew(
    writer: Client, corpus: Corpus, aylin: User, need: Need
) -> None:
    stratum = factories.a_stratum(corpus)
    given = {"origin": "written", "author": aylin, "need": need}
    query = factories.a_query(stratum, "tır çalındı mı", **given, status="retired", retired_reason="lost its end")
    page = writer.get("/c/claims/").content.decode()
    assert "lost its end" in page
    assert f"?again={query.pk}" in page
    factories.a_query(stratum, "tır çalınırsa ödenir mi", **given, metadata={"seconds": 161})
    page = writer.get("/c/claims/").content.decode()
    assert "lost its end" not in page
    assert "Median 2:41 each, planned 3:00" in page
