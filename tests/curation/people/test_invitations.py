"""Invitations: a link that works once, for whom it is meant, and only as long as it is open."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from io import StringIO
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.conf import LazySettings
from django.core import mail
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone
from pytest_django.fixtures import DjangoAssertNumQueries

from curation.models import Corpus, Invitation, Membership, Role, User
from tests import factories

pytestmark = pytest.mark.django_db

ADDRESS = "/c/claims/people/"
ACCOUNT = {"username": "anna", "name": "Anna", "password1": "seven green owls", "password2": "seven green owls"}


@pytest.fixture
def corpus() -> Corpus:
    return factories.a_corpus("claims")


@pytest.fixture
def lead(client: Client, corpus: Corpus) -> Client:
    client.force_login(factories.lena(corpus))
    return client


@pytest.fixture
def theo(corpus: Corpus) -> Client:
    client = Client()
    client.force_login(factories.theo(corpus))
    return client


def link_in(page: str) -> str:
    found = re.search(r"http://testserver(/invitation/[^<\s]+)", page)
    assert found, page
    return urlsplit(found[1]).path


def invited(client: Client, who: str = "anna@example.org", role: str = "adjuster", languages: str = "") -> str:
    answer = client.post(ADDRESS, {"who": who, "role": role, "languages": languages})
    return link_in(answer.content.decode())


def held(corpus: Corpus) -> set[tuple[str, str, tuple[str, ...]]]:
    rows = Membership.objects.filter(corpus=corpus).values_list("user__username", "role", "languages")
    return {(name, role, tuple(languages)) for name, role, languages in rows}


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def test_newcomer_makes_an_account_through_a_link_that_works_once(lead: Client, corpus: Corpus) -> None:
    link = invited(lead, role="writer", languages="tr, ja")
    assert Invitation.objects.get().token_sha256 not in link
    assert not Invitation.objects.filter(token_sha256__contains=link.split("/")[2]).exists()
    guest = Client()
    page = guest.get(link).content.decode()
    assert "Lena</bdi> invites you as <b>writer</b> of Turkish, Japanese" in page
    assert guest.post(link, ACCOUNT).headers["Location"] == "/c/claims/"
    assert guest.get("/c/claims/").status_code == 200
    assert ("anna", "writer", ("tr", "ja")) in held(corpus)
    assert User.objects.get(username="anna").email == "anna@example.org"
    again = Client().post(link, {**ACCOUNT, "username": "other"})
    assert again.status_code == 410
    assert "does not open any more" in again.content.decode()
    assert not User.objects.filter(username="other").exists()
    assert mail.outbox == []


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"password2": "another thing"}, "didn’t match"),
        ({"password1": "123456", "password2": "123456"}, "too short"),
        ({"username": "lena"}, "Somebody is called lena already"),
        ({"name": ""}, "This field is required"),
    ],
)
def test_refused_account_says_why_and_leaves_the_link_open(
    lead: Client, corpus: Corpus, given: dict[str, str], words: str
) -> None:
    link = invited(lead)
    answer = Client().post(link, {**ACCOUNT, **given})
    assert (answer.status_code, words in answer.content.decode()) == (422, True)
    assert Client().post(link, ACCOUNT).status_code == 302


def test_account_that_is_signed_in_gets_the_role_beside_what_it_has(lead: Client, corpus: Corpus) -> None:
    anna = factories.member(factories.a_corpus("others"), factories.person("anna"), Role.LEAD)
    link = invited(lead, role="writer", languages="tr")
    own = signed_in(anna)
    assert "Join as <bdi>Anna</bdi>" in own.get(link).content.decode()
    own.post(link)
    assert ("anna", "writer", ("tr",)) in held(corpus)
    menu = own.get("/c/claims/").content.decode()
    assert 'href="/c/others/"' in menu
    assert "Others" in own.get("/").content.decode()


def test_invitation_by_username_opens_for_that_account_alone(lead: Client, corpus: Corpus) -> None:
    anna, bora = factories.person("anna"), factories.person("bora")
    link = invited(lead, who="anna")
    assert "This invitation is for <b>anna</b>" in signed_in(bora).get(link).content.decode()
    assert signed_in(bora).post(link).status_code == 410
    assert Client().post(link, {**ACCOUNT, "username": "eve"}).status_code == 422
    assert "/login/?next=%2Finvitation%2F" in Client().get(link).content.decode()
    signed_in(anna).post(link)
    assert {name for name, *_ in held(corpus)} == {"lena", "anna"}


def test_accepting_takes_no_language_away(lead: Client, corpus: Corpus) -> None:
    marek = factories.marek(corpus)
    link = invited(lead, who="m@example.org", role="adjuster", languages="ja")
    signed_in(marek).post(link)
    assert ("marek", "adjuster", ()) in held(corpus)


def test_new_link_closes_the_old_one_and_withdrawing_closes_both(lead: Client, corpus: Corpus) -> None:
    first, made = invited(lead), Invitation.objects.get()
    second = link_in(lead.post(f"{ADDRESS}invitations/{made.pk}/again/").content.decode())
    assert Client().get(first).status_code == 410
    assert Client().get(second).status_code == 200
    assert "anna@example.org" in lead.get(ADDRESS).content.decode()
    lead.post(f"{ADDRESS}invitations/{made.pk}/withdraw/")
    assert Client().get(second).status_code == 410
    assert "Open invitations" not in lead.get(ADDRESS).content.decode()
    gone = lead.post(f"{ADDRESS}invitations/{made.pk}/again/", follow=True).content.decode()
    assert "is not open any more" in gone


def test_link_expires_after_seven_days(lead: Client, corpus: Corpus) -> None:
    link = invited(lead)
    Invitation.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    assert Client().get(link).status_code == 410
    assert "expired" in lead.get(ADDRESS).content.decode()


def test_links_of_a_removed_lead_open_no_more(lead: Client, corpus: Corpus) -> None:
    other = factories.member(corpus, factories.person("second"), Role.LEAD)
    link = invited(signed_in(other))
    lead.post(f"{ADDRESS}{other.memberships.get().pk}/remove/")
    assert Client().get(link).status_code == 410


def test_links_beyond_the_languages_that_a_lead_is_left_with_open_no_more(lead: Client, corpus: Corpus) -> None:
    other = signed_in(factories.member(corpus, factories.person("second"), Role.LEAD))
    asked = (
        ("a", "lead", ""),
        ("b", "lead", "tr"),
        ("c", "adjuster", ""),
        ("d", "writer", "tr, ja"),
        ("e", "writer", "tr"),
    )
    links = [invited(other, who=who, role=role, languages=languages) for who, role, languages in asked]
    kept = invited(lead, who="f", role="lead")
    lead.post(ADDRESS, {"who": "second", "role": "lead", "languages": "tr"})
    assert [Client().get(link).status_code for link in (*links, kept)] == [410, 410, 410, 410, 200, 200]


def test_lead_of_a_language_invites_writers_and_adjusters_of_it_and_nobody_else(theo: Client, corpus: Corpus) -> None:
    assert Client().get(invited(theo, role="writer", languages="tr")).status_code == 200
    for role, languages in (("writer", "ja"), ("writer", "tr, ja"), ("adjuster", ""), ("lead", "tr"), ("lead", "")):
        answer = theo.post(ADDRESS, {"who": "b@example.org", "role": role, "languages": languages})
        assert answer.status_code == 403
        assert "You appoint writers and adjusters of Turkish here" in answer.content.decode()
    assert Invitation.objects.count() == 1


def test_lead_of_a_language_takes_no_other_language_from_a_writer(theo: Client, corpus: Corpus) -> None:
    aylin = factories.member(corpus, factories.person("aylin"), Role.WRITER, languages=["ja"])
    theo.post(ADDRESS, {"who": "aylin", "role": "writer", "languages": "tr"})
    assert Membership.objects.get(user=aylin).languages == ["ja", "tr"]
    assert theo.post(f"{ADDRESS}{aylin.memberships.get().pk}/remove/").status_code == 403


def test_mail_is_sent_only_where_the_operator_named_a_server(
    lead: Client, corpus: Corpus, settings: LazySettings
) -> None:
    settings.EMAIL_URL = "smtp://mail.example:25"
    link = invited(lead)
    (sent,) = mail.outbox
    assert (sent.to, link in sent.body) == (["anna@example.org"], True)


def people(*given: str) -> Any:
    out = StringIO()
    call_command("people", "claims", *given, stdout=out)
    return out.getvalue()


def test_command_lists_adds_invites_and_removes(corpus: Corpus) -> None:
    factories.lena(corpus)
    factories.person("aylin")
    assert "aylin: writer (tr)" in people("--add", "aylin", "--languages", "tr")
    told = json.loads(people("--invite", "anna@example.org", "--role", "adjuster", "--json"))
    assert [each["username"] for each in told["members"]] == ["lena", "aylin"]
    assert [(each["who"], each["role"]) for each in told["invitations"]] == [("anna@example.org", "adjuster")]
    assert Client().get(told["link"]).status_code == 200
    assert "aylin" not in people("--remove", "aylin")
    with pytest.raises(CommandError, match="Lena is the only lead"):
        people("--remove", "lena", "--role", "lead")
    with pytest.raises(CommandError, match="Lena is the only lead"):
        people("--add", "lena", "--role", "lead", "--languages", "tr")


def test_locales_without_a_writer_come_first_and_deactivated_people_write_nothing(lead: Client, corpus: Corpus) -> None:
    for tag in ("ar", "ja", "tr"):
        corpus.locales.create(locale=tag)
    factories.aylin(corpus)
    gone = factories.member(corpus, factories.person("haru"), Role.WRITER, languages=["ja"])
    User.objects.filter(pk=gone.pk).update(is_active=False)
    page = lead.get(f"{ADDRESS}?language=ja").content.decode()
    assert re.findall(r'id="locale-(\w+)"', page) == ["ar", "ja", "tr"]
    assert page.count("Find a writer") == 2
    assert 'value="ja"' in page
    assert "haru, deactivated" in page


def test_number_of_queries_does_not_grow_with_invitations(
    lead: Client, corpus: Corpus, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(10):
        invited(lead, who=f"n{number}@example.org")
    with django_assert_max_num_queries(12):
        page = lead.get(ADDRESS).content.decode()
    assert page.count("by <bdi>Lena</bdi>") == 10
