"""A form's address, opened without its form."""

from __future__ import annotations

import pytest
from django.test import Client

from tests import factories

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("address", "page"),
    [
        ("/c/claims/disagreements/settle", "/c/claims/disagreements/"),
        ("/c/claims/judge/7/finish", "/c/claims/judge/7/"),
        ("/c/claims/people/7/remove/", "/c/claims/people/"),
        ("/c/claims/mining/generation", "/c/claims/mining/"),
        ("/logout/", "/"),
    ],
)
def test_forms_address_leads_back_to_its_page(address: str, page: str) -> None:
    corpus, client = factories.a_corpus(), Client()
    lead = factories.lena(corpus)
    client.force_login(lead)
    for opened in (client.get, client.head):
        response = opened(address)
        assert (response.status_code, response["Location"]) == (302, page)
    assert client.put(address).status_code == 405


def test_the_way_back_is_no_way_in() -> None:
    factories.a_corpus()
    client = Client()
    assert client.get("/c/claims/disagreements/settle")["Location"].startswith("/login/")
    client.force_login(factories.charlie())
    assert client.get("/c/claims/disagreements/settle").status_code == 404
