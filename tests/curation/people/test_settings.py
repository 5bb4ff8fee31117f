"""What a person chooses for themselves, and signing in."""

from __future__ import annotations

import pytest
from django.test import Client

from tests import factories

pytestmark = pytest.mark.django_db

CHOSEN = {"name": " Lena Berg ", "theme": "dark", "interface_language": "en"}


def test_chosen_settings_are_stored_and_shape_the_next_page(client: Client) -> None:
    lena = factories.lena(factories.a_corpus())
    client.force_login(lena)
    page = client.post("/settings/", CHOSEN, follow=True).content.decode()
    lena.refresh_from_db()
    assert (lena.name, lena.theme, lena.single_keys) == ("Lena Berg", "dark", False)
    assert 'data-theme="dark"' in page
    assert 'data-keys="off"' in page
    assert "Settings saved." in page


def test_unknown_theme_is_refused_in_words(client: Client) -> None:
    lena = factories.lena(factories.a_corpus())
    client.force_login(lena)
    answer = client.post("/settings/", {**CHOSEN, "theme": "neon"})
    lena.refresh_from_db()
    assert (answer.status_code, lena.theme) == (422, "")
    assert "Select a valid choice" in answer.content.decode()


def test_stranger_is_sent_to_sign_in(client: Client) -> None:
    assert client.get("/settings/").headers["Location"] == "/login/?next=/settings/"


def test_a_wrong_password_is_told_in_one_plain_sentence(client: Client) -> None:
    answer = client.post("/login/", {"username": "lena", "password": "wrong"})
    assert "The username or the password is wrong; both tell capitals from small letters." in answer.content.decode()
