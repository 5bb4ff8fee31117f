"""Other spellings added on the page of a query that is there already."""

from __future__ import annotations

from http import HTTPStatus

import pytest
from django.test import Client

from curation.models import Corpus, Job, Query, User
from tests import factories

from .scene import a_need

pytestmark = pytest.mark.django_db


@pytest.fixture
def query(corpus: Corpus) -> Query:
    stratum = factories.a_stratum(corpus, "tr ja Latn navigational keyword")
    return factories.a_query(stratum, "ışık hasarı", need=a_need(corpus))


def address(query: Query) -> str:
    return f"/c/claims/queries/{query.pk}/variants/"


def add(client: Client, query: Query, **fields: str) -> str:
    return client.post(address(query), {"spelling": "plain", **fields}, follow=True).content.decode()


def variants() -> list[tuple[str, str]]:
    found = Query.objects.filter(origin="variant").select_related("stratum").order_by("pk")
    return [(each.text, str(each.stratum)) for each in found]


def test_a_lead_adds_a_spelling_in_the_stratum_of_the_query_but_for_its_script(
    lead: Client, query: Query, lena: User
) -> None:
    page = add(lead, query)
    variant = Query.objects.get(origin="variant")
    assert variants() == [("isik hasari", "tr × ja, Latn-plain, navigational, keyword")]
    assert (variant.variant_of, variant.need, variant.author) == (query, query.need, lena)
    assert "Added in another spelling: isik hasari." in page
    assert f'href="/c/claims/queries/{variant.pk}/"' in page
    assert Job.objects.get().kind == "draw_pools"


def test_a_spelling_added_again_is_there_once_and_its_row_says_so(lead: Client, query: Query) -> None:
    add(lead, query)
    page = add(lead, query)
    assert "No spelling was ticked that is not here already." in page
    assert "saved already" in page
    assert len(variants()) == 1


def test_a_row_shows_the_variant_that_stands_there_however_it_was_typed(lead: Client, corpus: Corpus) -> None:
    kanji = factories.a_query(factories.a_stratum(corpus, "ja en Jpan-kanji question distinctive"), "夜間の盗難")
    add(lead, kanji, **{"spelling": "kana", "respelt-kana": "やかんのとうなん", "suggested-kana": ""})
    page = lead.get(f"/c/claims/queries/{kanji.pk}/").content.decode()
    assert 'value="やかんのとうなん"' in page
    assert page.count("saved already") == 1
    assert 'placeholder="Type it in romaji"' in page


def test_the_writer_adds_to_their_own_query_and_to_nobody_elses(
    client: Client, query: Query, aylin: User, corpus: Corpus
) -> None:
    client.force_login(aylin)
    assert client.post(address(query), {"spelling": "plain"}).status_code == HTTPStatus.NOT_FOUND
    Query.objects.update(author=aylin)
    add(client, query)
    assert [text for text, _ in variants()] == ["isik hasari"]


def test_an_adjuster_adds_none(client: Client, query: Query, corpus: Corpus) -> None:
    client.force_login(factories.marek(corpus))
    assert client.post(address(query), {"spelling": "plain"}).status_code == HTTPStatus.FORBIDDEN


def test_a_spelling_that_cannot_be_is_refused_with_what_was_typed(lead: Client, query: Query) -> None:
    page = add(lead, query, **{"respelt-plain": "ışik hasari", "suggested-plain": "isik hasari"})
    assert "Nothing is saved: the spelling “ışik hasari” cannot be." in page
    assert 'value="ışik hasari"' in page
    assert variants() == []


def test_a_query_without_a_need_has_one_variant_a_cell(lead: Client, query: Query) -> None:
    Query.objects.update(need=None)
    add(lead, query)
    page = add(lead, query, **{"respelt-plain": "isik hasar", "suggested-plain": "isik hasari"})
    assert "words this need in the same cell already: “isik hasari”" in page
    assert len(variants()) == 1


def test_a_variant_and_a_withdrawn_query_take_no_spellings(lead: Client, query: Query) -> None:
    add(lead, query)
    variant = Query.objects.get(origin="variant")
    assert "Same query in another spelling" not in lead.get(f"/c/claims/queries/{variant.pk}/").content.decode()
    assert "Add the spelling to its original." in add(lead, variant)
    Query.objects.filter(pk=query.pk).update(status="retired", retired_reason="a test")
    assert "This query is withdrawn, so it takes no further spellings." in add(lead, query)
