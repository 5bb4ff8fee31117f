"""API tokens: made and shown once, and nothing opens without one that is good."""

from __future__ import annotations

import json
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from curation.actions import api_rates
from curation.models import ApiToken, Corpus, Membership
from tests import factories

from .calling import Caller, caller

pytestmark = pytest.mark.django_db
FORM = {"name": "CI of search", "scopes": ["read", "gate"], "days": "30", "corpus": ""}


@pytest.fixture
def claims() -> Corpus:
    return factories.a_corpus("claims")


def make(person: str = "lena", **options: object) -> str:
    out = StringIO()
    call_command("tokens", person, stdout=out, **options)
    return out.getvalue()


def test_a_person_makes_a_token_sees_it_once_uses_it_and_revokes_it(claims: Corpus) -> None:
    client = Client()
    client.force_login(factories.lena(claims))
    answer = client.post("/settings/tokens/", FORM)
    token, page = ApiToken.objects.get(), answer.content.decode()
    secret = page.partition('id="secret">')[2].partition("<")[0]
    assert secret.startswith("hs_")
    assert "no-store" in answer["Cache-Control"]
    assert secret not in client.get("/settings/tokens/").content.decode()
    assert secret not in json.dumps(list(ApiToken.objects.values()), default=str)
    told = Caller(secret).get("token")
    assert told.json()["corpora"] == ["claims"]
    assert told.json()["scopes"] == ["read", "gate"]
    client.post(f"/settings/tokens/{token.pk}/revoke/")
    assert Caller(secret).get("token").status_code == 401


def test_the_same_name_twice_and_a_token_without_a_scope_are_refused_in_words(claims: Corpus) -> None:
    client = Client()
    client.force_login(factories.lena(claims))
    client.post("/settings/tokens/", FORM)
    assert "a token called CI of search already" in client.post("/settings/tokens/", FORM).content.decode()
    assert client.post("/settings/tokens/", {**FORM, "name": "other", "scopes": []}).status_code == 422
    assert ApiToken.objects.count() == 1


def test_nobody_revokes_the_token_of_another(claims: Corpus) -> None:
    calling = caller(factories.lena(claims))
    client = Client()
    client.force_login(factories.charlie())
    assert client.post(f"/settings/tokens/{ApiToken.objects.get().pk}/revoke/").status_code == 404
    assert calling.get("token").status_code == 200


def test_the_command_makes_lists_and_revokes(claims: Corpus) -> None:
    factories.lena(claims)
    made = json.loads(make(make="ci", scope=["gate"], corpus="claims", json=True))
    assert Caller(made["secret"]).get("token").json()["scopes"] == ["gate"]
    assert "secret" not in make(json=True)
    assert "ci: gate; claims; until" in make()
    make(revoke="ci")
    assert Caller(made["secret"]).get("token").status_code == 401
    writer = make(factories.aylin(claims).username, make="w", scope=["gate"])
    assert writer.endswith("a corpus opens to tokens of its leads alone, and aylin does not lead any.\n")
    shut = Caller(writer.split("again: ")[1].split()[0]).get("corpora/claims/gates")
    assert (shut.status_code, shut.json()["error"]) == (
        403, "This is for a token of who leads the corpus, and its person does not.",
    )  # fmt: skip
    for options, words in (
        ({"revoke": "ci"}, "no token called ci"),
        ({"make": "x", "scope": ["gate"], "days": 0}, "lives from 1 to 365 days"),
        ({"make": "x"}, "opens nothing"),
        ({"make": "x" * 61, "scope": ["gate"]}, "at most 60 characters"),
    ):
        with pytest.raises(CommandError, match=words):
            make(**options)


@pytest.mark.parametrize("secret", ["", "hs_unknown", "nonsense", "hs_" + "x" * 5000])
def test_without_a_good_token_the_answer_is_401_and_a_sentence(claims: Corpus, secret: str) -> None:
    answer = Caller(secret).get("corpora/claims/coverage")
    assert answer.status_code == 401
    assert answer["WWW-Authenticate"] == "Bearer"
    assert answer.json()["error"].startswith("This needs an API token")


def test_a_session_opens_nothing_of_the_api(claims: Corpus) -> None:
    calling = Caller()
    calling.client.force_login(factories.lena(claims))
    assert calling.get("corpora/claims/coverage").status_code == 401


def test_a_token_ends_with_its_days_its_person_and_their_membership(claims: Corpus) -> None:
    lena = factories.lena(claims)
    calling = caller(lena)
    assert calling.get("corpora/claims/coverage").status_code == 200
    Membership.objects.filter(user=lena).delete()
    assert calling.get("corpora/claims/coverage").status_code == 404
    lena.is_active = False
    lena.save()
    assert calling.get("token").status_code == 401
    late = caller(factories.theo(claims))
    ApiToken.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    assert late.get("token").status_code == 401


def test_a_token_for_one_corpus_opens_no_other_of_its_person(claims: Corpus) -> None:
    others = factories.a_corpus("others")
    lena = factories.lena(claims)
    Membership.objects.create(corpus=others, user=lena, role="lead")
    calling = caller(lena, corpus=others)
    assert calling.get("corpora/others/coverage").status_code == 200
    assert calling.get("corpora/claims/coverage").status_code == 404
    assert calling.get("token").json()["corpora"] == ["others"]


def test_a_token_that_asks_too_often_waits_and_the_next_minute_goes_on(
    claims: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(api_rates, "A_MINUTE", 2)
    moment = timezone.now().replace(second=20)
    monkeypatch.setattr("curation.api.doors.timezone.now", lambda: moment)
    calling = caller(factories.lena(claims))
    statuses = [calling.get("token").status_code for _ in range(3)]
    refused = calling.get("token")
    assert statuses == [200, 200, 429]
    assert 39 <= int(refused["Retry-After"]) <= 40
    assert refused.json()["error"].startswith("Too many requests")
    token, later = ApiToken.objects.get(), moment + timedelta(minutes=1)
    assert api_rates.count_use(token=token, now=later) == 0


def test_an_address_whose_tokens_fail_is_slowed_and_a_good_one_from_there_is_not(
    claims: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(api_rates, "FAILURES_A_MINUTE", 1)
    moment = timezone.now().replace(second=1)
    monkeypatch.setattr("curation.api.doors.timezone.now", lambda: moment)
    assert [Caller("hs_wrong").get("token").status_code for _ in range(2)] == [401, 429]
    assert caller(factories.lena(claims)).get("token").status_code == 200


def test_the_day_of_use_is_kept(claims: Corpus) -> None:
    caller(factories.lena(claims)).get("token")
    assert ApiToken.objects.get().last_used_on == timezone.now().date()
