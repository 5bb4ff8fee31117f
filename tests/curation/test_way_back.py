"""A form's address, opened without its form."""

from __future__ import annotations

import pytest
from django.test import Client

from curation.models import User
from tests import factories
from tests.judging import stage

pytestmark = pytest.mark.django_db


def test_forms_address_leads_back_to_its_page() -> None:
    corpus = stage.a_judged_corpus(3)
    lena = factories.lena(corpus)
    marek, lead = stage.signed_in(User.objects.get(username="marek")), stage.signed_in(lena)
    query, role = corpus.queries.get().pk, lena.memberships.get().pk
    held = stage.judging(marek).pk
    for client, address, page in (
        (lead, "/c/claims/disagreements/settle", "/c/claims/disagreements/"),
        (lead, "/c/claims/mining/generation", "/c/claims/mining/"),
        (lead, f"/c/claims/people/{role}/remove/", "/c/claims/people/"),
        (lead, f"/c/claims/queries/{query}/retire/", f"/c/claims/queries/{query}/"),
        (marek, f"/c/claims/judge/{held}/finish", f"/c/claims/judge/{held}/"),
        (marek, "/logout/", "/"),
    ):
        for opened in (client.get, client.head):
            response = opened(address)
            assert (response.status_code, response["Location"]) == (302, page)
        assert client.put(address).status_code == 405


def test_the_way_back_is_no_way_in() -> None:
    lead = stage.signed_in(factories.lena(factories.a_corpus()))
    assert lead.get("/c/claims/people/987654321/remove/").status_code == 404
    client = Client()
    assert client.get("/c/claims/disagreements/settle")["Location"].startswith("/login/")
    client.force_login(factories.charlie())
    assert client.get("/c/claims/disagreements/settle").status_code == 404


def test_a_program_is_told_the_method_that_an_address_takes_and_led_nowhere() -> None:
    answer = Client().get("/api/corpora/claims/indexes/words/live-queries")
    assert (answer.status_code, answer["Allow"]) == (405, "POST")
