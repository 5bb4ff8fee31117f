"""Needs stated by hand."""

from __future__ import annotations

import pytest
from django.test import Client

from curation.models import Corpus, Need
from tests import factories

from .scene import a_need, an_article, questions_of

pytestmark = pytest.mark.django_db

ADDRESS = "/c/claims/needs/"
STATED = {"text": "Is theft covered?", "context": "", "gold_canonical_id": "", "slice_hint": ""}


def post(client: Client, where: str = "add/", **fields: str) -> str:
    return client.post(ADDRESS + where, {**STATED, **fields}, follow=True).content.decode()


def test_lead_states_a_need_with_its_gold_and_slice(lead: Client, corpus: Corpus) -> None:
    an_article(corpus, "CG-1", "en")
    post(lead, context="A broker asks", gold_canonical_id="CG-1", slice_hint="rare_entity")
    need = Need.objects.get()
    assert (need.text, need.context) == ("Is theft covered?", "A broker asks")
    assert (need.gold_canonical_id, need.slice_hint, need.is_english) == ("CG-1", "rare_entity", True)


def test_gold_that_no_document_has_is_refused(lead: Client, corpus: Corpus) -> None:
    an_article(factories.a_corpus("others"), "CG-1", "en")
    assert "No document of this corpus has the canonical id CG-1." in post(lead, gold_canonical_id="CG-1")
    assert not Need.objects.exists()


def test_same_form_sent_twice_states_one_need(lead: Client) -> None:
    assert "Need saved." in post(lead)
    assert "Need saved." in post(lead)
    assert Need.objects.count() == 1


def test_second_need_with_the_same_text_is_refused(lead: Client, corpus: Corpus) -> None:
    a_need(corpus, "Is theft covered?")
    assert "A need with this text is here already" in post(lead)


def test_need_is_changed_and_counts_as_english_from_then_on(lead: Client, corpus: Corpus) -> None:
    need = a_need(corpus, "Hırsızlık?", is_english=False)
    post(lead, f"{need.pk}/")
    need.refresh_from_db()
    assert (need.text, need.is_english) == ("Is theft covered?", True)


def test_need_cannot_take_the_text_of_another(lead: Client, corpus: Corpus) -> None:
    a_need(corpus, "Is theft covered?")
    other = a_need(corpus, "Is fire covered?")
    assert "Another need has this text already" in post(lead, f"{other.pk}/")


def test_list_counts_the_wordings_of_each_locale(lead: Client, corpus: Corpus) -> None:
    need = a_need(corpus)
    few = questions_of(lambda: lead.get(ADDRESS))
    factories.a_query(factories.a_stratum(corpus), need=need)
    factories.a_query(factories.a_stratum(corpus, "tr en Latn-plain question distinctive"), need=need)
    factories.a_query(factories.a_stratum(corpus, "de en Latn question distinctive"), need=need)
    factories.a_query(
        factories.a_stratum(corpus, "ja en Jpan-kana question distinctive"),
        need=need,
        status="retired",
        retired_reason="a test",
    )
    a_need(corpus, "Another")
    page = lead.get(ADDRESS).content.decode()
    assert questions_of(lambda: lead.get(ADDRESS)) == few
    assert "German 1, Turkish 2" in page
    assert "Japanese 1" not in page
