"""The people page: who may do what in a corpus."""

from __future__ import annotations

import re
from html import unescape
from io import StringIO
from urllib.parse import urlsplit

import pytest
from django.core.management import call_command
from django.test import Client
from pytest_django.fixtures import DjangoAssertNumQueries

from curation.models import Corpus, Membership, Role, User
from tests import factories

pytestmark = pytest.mark.django_db

ADDRESS = "/c/claims/people/"


@pytest.fixture
def corpus() -> Corpus:
    return factories.a_corpus("claims")


@pytest.fixture
def lead(client: Client, corpus: Corpus) -> Client:
    client.force_login(factories.lena(corpus))
    return client


def add(client: Client, who: str, **fields: str) -> str:
    return client.post(ADDRESS, {"languages": "", "who": who, **fields}, follow=True).content.decode()


def held(corpus: Corpus) -> set[tuple[str, str]]:
    return set(Membership.objects.filter(corpus=corpus).values_list("user__username", "role"))


def link_in(page: str) -> str:
    found = re.search(r"http://testserver(/welcome/[^<\s]+)", page)
    assert found
    return urlsplit(found[1]).path


def test_lead_gives_a_person_a_role_with_languages_in_their_one_form(lead: Client, corpus: Corpus) -> None:
    factories.member(corpus, factories.person("aylin"), Role.ADJUSTER)
    page = add(lead, "aylin", role="writer", languages="TR, sr-Latn-RS, tr-TR")
    assert "Aylin is writer in this corpus now." in page
    assert Membership.objects.get(user__username="aylin", role="writer").languages == ["tr", "sr-Latn"]


def test_adding_the_same_role_again_only_sets_the_languages(lead: Client, corpus: Corpus) -> None:
    factories.aylin(corpus)
    add(lead, "aylin", role="writer", languages="tr, ar")
    assert Membership.objects.get(user__username="aylin").languages == ["tr", "ar"]


def test_adjuster_and_lead_may_have_languages_and_the_last_lead_of_all_none(lead: Client, corpus: Corpus) -> None:
    factories.marek(corpus)
    add(lead, "marek", role="adjuster", languages="tr")
    assert Membership.objects.get(user__username="marek").languages == ["tr"]
    assert "Lena is the only lead of this corpus." in add(lead, "lena", role="lead", languages="tr")
    assert "Marek is locale lead in this corpus now." in add(lead, "marek", role="lead", languages="tr")


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"who": "no such@", "role": "adjuster"}, "valid email address"),
        ({"who": "x" * 151, "role": "adjuster"}, "A username has at most 150 characters."),
        ({"who": "lena", "role": "writer"}, "A writer needs a language"),
        ({"who": "lena", "role": "writer", "languages": "xx-yy-zz"}, "is not known"),
        ({"who": "lena", "role": "writer", "languages": "sr"}, "sr-Cyrl"),
        ({"who": "lena", "role": "boss"}, "Select a valid choice"),
    ],
)
def test_refusal_stands_under_its_field_and_stores_nothing(
    lead: Client, corpus: Corpus, fields: dict[str, str], words: str
) -> None:
    page = add(lead, **fields)
    assert words in page
    assert 'aria-invalid="true"' in page
    assert held(corpus) == {("lena", "lead")}


def test_account_without_a_password_gets_a_link_until_its_owner_chose_one(lead: Client, corpus: Corpus) -> None:
    anna = factories.member(corpus, User.objects.create_user("anna"), Role.ADJUSTER)
    address = f"{ADDRESS}{anna.memberships.get().pk}/invite/"
    link = link_in(lead.post(address).content.decode())
    guest = Client()
    form = guest.get(link, follow=True)
    assert "For the account <b>anna</b>" in form.content.decode()
    password = {"new_password1": "seven green owls", "new_password2": "seven green owls"}
    guest.post(form.redirect_chain[-1][0], password)
    assert guest.get("/", follow=True).redirect_chain == [("/c/claims/", 302)]
    assert "does not open any more" in Client().get(link, follow=True).content.decode()
    assert "/welcome/" not in lead.post(address).content.decode()


@pytest.mark.parametrize("reach", ["another corpus", "operator"])
def test_lead_gets_no_link_to_an_account_that_reaches_further(lead: Client, corpus: Corpus, reach: str) -> None:
    anna = User.objects.create_user("anna", is_staff=reach == "operator")
    if reach == "another corpus":
        factories.member(factories.a_corpus("others"), anna, Role.LEAD)
    factories.member(corpus, anna, Role.ADJUSTER)
    address = f"{ADDRESS}{Membership.objects.get(user=anna, corpus=corpus).pk}/invite/"
    assert "gets no link here" in lead.post(address, follow=True).content.decode()


def test_page_tells_nobody_which_accounts_exist(lead: Client, corpus: Corpus) -> None:
    factories.person("elsewhere")
    told = [add(lead, who, role="adjuster") for who in ("elsewhere", "nobody")]
    assert ["is invited as adjuster" in page for page in told] == [True, True]
    assert held(corpus) == {("lena", "lead")}


def test_removed_member_sees_the_corpus_no_longer(lead: Client, corpus: Corpus) -> None:
    marek = factories.marek(corpus)
    own = Client()
    own.force_login(marek)
    assert own.get("/c/claims/").status_code == 200
    lead.post(f"{ADDRESS}{marek.memberships.get().pk}/remove/")
    assert own.get("/c/claims/").status_code == 404
    assert User.objects.filter(pk=marek.pk).exists()


def test_only_lead_cannot_be_removed(lead: Client, corpus: Corpus) -> None:
    only = Membership.objects.get(role=Role.LEAD)
    page = lead.post(f"{ADDRESS}{only.pk}/remove/", follow=True).content.decode()
    assert "Lena is the only lead of this corpus." in page
    assert held(corpus) == {("lena", "lead")}


def test_member_of_another_corpus_is_out_of_reach(lead: Client) -> None:
    other = factories.a_corpus("others")
    marek = factories.marek(other)
    membership = marek.memberships.get().pk
    lead.post(f"{ADDRESS}{membership}/remove/")
    assert lead.post(f"{ADDRESS}{membership}/invite/").status_code == 404
    assert held(other) == {("marek", "adjuster")}


def test_number_of_queries_does_not_grow_with_the_members(
    lead: Client, corpus: Corpus, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(20):
        factories.member(corpus, factories.person(f"writer{number}"), Role.WRITER, languages=["tr", "ar"])
    with django_assert_max_num_queries(12):
        page = lead.get(ADDRESS).content.decode()
    assert page.count("Turkish, Arabic") == 20


ABSENT = "Claims has no Japanese yet: plan cells or import queries, else there is no work."


def test_a_language_that_the_corpus_does_not_have_is_warned_of_in_the_same_words(lead: Client, corpus: Corpus) -> None:
    factories.person("ayumi")
    asked = ("people", "claims", "--add", "ayumi", "--role", "lead", "--languages", "tr,ja")
    call_command(*asked, stdout=StringIO(), stderr=(silent := StringIO()))
    factories.a_stratum(corpus, planned=30)
    call_command(*asked, stdout=StringIO(), stderr=(warned := StringIO()))
    assert (silent.getvalue(), warned.getvalue()) == ("", f"{ABSENT}\n")
    assert ABSENT in unescape(add(lead, "ayumi", role="writer", languages="ja"))
    assert ABSENT in unescape(add(lead, "new@example.org", role="writer", languages="ja"))
    assert "yet: plan cells" not in add(lead, "ayumi", role="writer", languages="tr")
