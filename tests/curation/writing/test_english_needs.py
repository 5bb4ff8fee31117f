"""Needs made of English queries that word none."""

from __future__ import annotations

import pytest
from django.test import Client

from curation.models import Corpus, Need, Query
from tests import factories
from tests.bringing import run

from .scene import a_need

pytestmark = pytest.mark.django_db

ENGLISH = "en en Latn question distinctive"


def a_set(corpus: Corpus) -> None:
    """An English question with a gold, a British keyword, a code, a Turkish query, and one that is withdrawn."""
    [judged] = factories.judged_queries(factories.a_stratum(corpus, ENGLISH), 1)
    Query.objects.filter(pk=judged.pk).update(text="Is hail covered?", gold_canonical_id="hail")
    factories.a_query(factories.a_stratum(corpus, "en-GB en Latn navigational keyword"), "hail claims")
    factories.a_query(factories.a_stratum(corpus, "en en Latn error_string distinctive"), "E-1234")
    factories.a_query(factories.a_stratum(corpus), "dolu?")
    factories.a_query(factories.a_stratum(corpus, ENGLISH), "Fog?", status="retired", retired_reason="a test")


def test_each_english_query_becomes_the_wording_of_a_need(corpus: Corpus) -> None:
    a_set(corpus)
    assert "2 needs made; 2 queries word a need now." in run("make_needs", "claims")[1]
    made = {need.text: (need.gold_canonical_id, need.slice_hint, need.is_english) for need in Need.objects.all()}
    assert made == {"Is hail covered?": ("hail", "", True), "hail claims": ("", "keyword", True)}
    assert {query.text for query in Query.objects.exclude(need=None)} == set(made)


def test_done_again_it_changes_nothing(corpus: Corpus) -> None:
    a_set(corpus)
    run("make_needs", "claims")
    assert "0 needs made; 0 queries word a need now." in run("make_needs", "claims")[1]
    assert Need.objects.count() == 2


def test_lead_makes_them_on_the_page_that_counts_them(lead: Client, corpus: Corpus) -> None:
    a_set(corpus)
    assert "2 English queries word no need" in lead.get("/c/claims/needs/").content.decode()
    assert len(lead.get("/c/claims/queries/?need=to_make").context["page"]) == 2
    page = lead.post("/c/claims/needs/make/", follow=True).content.decode()
    assert "2 needs made; 2 queries word a need now." in page
    assert "word no need" not in page
    assert {need.created_by.username for need in Need.objects.all() if need.created_by} == {"lena"}


def test_need_of_the_same_text_is_taken_and_other_spellings_go_along(corpus: Corpus) -> None:
    need = a_need(corpus, "Is hail covered?")
    query = factories.a_query(factories.a_stratum(corpus, ENGLISH), "Is hail covered?")
    other = factories.a_stratum(corpus, "en en Zyyy question distinctive")
    variant = factories.a_query(other, "hail cov?", variant_of=query, origin="variant")
    assert "0 needs made; 2 queries" in run("make_needs", "claims")[1]
    variant.refresh_from_db()
    assert variant.need == need


def test_query_whose_need_is_worded_in_its_cell_already_is_left_alone(corpus: Corpus) -> None:
    need = a_need(corpus, "Is hail covered?")
    stratum = factories.a_stratum(corpus, ENGLISH)
    rival = factories.a_query(stratum, "hail cover?", need=need)
    query = factories.a_query(stratum, "Is hail covered?")
    told = run("make_needs", "claims")[1]
    assert f"Query {query.external_id} stays without a need: query {rival.external_id} words it in its cell." in told
    query.refresh_from_db()
    assert query.need is None
