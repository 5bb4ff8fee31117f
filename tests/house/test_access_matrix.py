"""Every route says who may open it, and holds to it: role x {own corpus, other corpus, missing corpus}."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.conf import LazySettings
from django.http import HttpResponse
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from curation.access import PUBLIC, SIGNED_IN, access_of
from curation.actions import api_rates
from curation.api.urls import BY_TOKEN, doors
from curation.models import LOCALE_LEAD, Role, Scope, User
from tests import factories
from tests.curation.api.calling import Caller, caller

Route = tuple[str, str, Callable[..., Any]]


def routes(patterns: list[URLPattern | URLResolver], prefix: str = "") -> Iterator[Route]:
    for pattern in patterns:
        where = prefix + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            if pattern.app_name != "admin":
                yield from routes(pattern.url_patterns, where)
        else:
            yield where, pattern.name or "", pattern.callback


ROUTES = list(routes(get_resolver().url_patterns))
API = "api/"
IN_A_CORPUS = [route for route in ROUTES if "<slug:slug>" in route[0] and not route[0].startswith(API)]
IN_A_CORPUS_BY_TOKEN = [route for route in ROUTES if "<slug:slug>" in route[0] and route[0].startswith(API)]


def test_every_route_says_who_may_open_it() -> None:
    assert [where for where, _, view in ROUTES if access_of(view) is None] == []


def test_every_route_has_a_name() -> None:
    assert [where for where, name, _ in ROUTES if not name] == []


def test_every_corpus_route_names_roles() -> None:
    assert [where for where, _, view in IN_A_CORPUS if access_of(view) in {PUBLIC, SIGNED_IN, None}] == []


def test_every_corpus_route_of_the_api_has_a_door_for_each_method() -> None:
    assert {access_of(view) for _, _, view in IN_A_CORPUS_BY_TOKEN} == {BY_TOKEN}
    assert all(door for _, name, _ in IN_A_CORPUS_BY_TOKEN for door in doors()[name].values())


@pytest.fixture
def cheap_refusals(monkeypatch: pytest.MonkeyPatch, settings: LazySettings) -> None:
    """Of a refusal the status is read, a thousand times over: its page, which other tests read, is not drawn."""

    def refused(status: int) -> Callable[..., HttpResponse]:
        return lambda *_, **__: HttpResponse(status=status)

    for status in (403, 404):
        monkeypatch.setattr(f"django.conf.urls.handler{status}", refused(status))
    settings.SESSION_ENGINE = "django.contrib.sessions.backends.cache"


@pytest.fixture
def cast(db: None, cheap_refusals: None) -> dict[str, Client]:
    corpus, _ = factories.a_corpus("claims"), factories.a_corpus("others")
    people = {
        Role.WRITER: factories.aylin(corpus),
        Role.ADJUSTER: factories.marek(corpus),
        Role.LEAD: factories.lena(corpus),
        LOCALE_LEAD: factories.theo(corpus),
        "outside": factories.charlie(),
    }
    clients: dict[str, Client] = {"nobody": Client()}
    for role, user in people.items():
        clients[role] = Client()
        clients[role].force_login(user)
    return clients


def address(where: str, name: str, slug: str) -> str:
    """The route's address in `slug`; every other part names nothing that exists."""
    pattern = next(p for p in _patterns() if p.name == name)
    given = {
        part: ("missing" if converter.__class__.__name__ in {"SlugConverter", "StringConverter"} else 987654321)
        for part, converter in _converters(where, pattern).items()
    }
    if "family" in given:
        given["family"] = "near_duplicate"
    return reverse(name, kwargs={**given, "slug": slug})


def _patterns() -> Iterator[URLPattern]:
    def walk(found: list[Any]) -> Iterator[URLPattern]:
        for pattern in found:
            if isinstance(pattern, URLResolver):
                yield from walk(pattern.url_patterns)
            else:
                yield pattern

    return walk(get_resolver().url_patterns)


def _converters(where: str, pattern: URLPattern) -> dict[str, Any]:
    from django.urls.resolvers import RoutePattern

    return dict(RoutePattern("/" + where).converters) if isinstance(pattern.pattern, RoutePattern) else {}


@pytest.mark.parametrize("method", ["get", "post"])
def test_each_role_opens_what_its_routes_allow_and_nothing_else(cast: dict[str, Client], method: str) -> None:
    wrong = []
    for where, name, view in IN_A_CORPUS:
        allowed = set((access_of(view) or "").split(", "))
        for slug in ("claims", "others", "missing"):
            opened = address(where, name, slug)
            for role, client in cast.items():
                status = getattr(client, method)(opened).status_code
                if not as_expected(role, slug, status, allowed=allowed) or (method, status) == ("get", 405):
                    wrong.append(f"{method} {where} as {role} in {slug}: {status}")
    assert wrong == []


def as_expected(role: str, slug: str, status: int, *, allowed: set[str]) -> bool:
    """Nobody is sent to the login page, outsiders see nothing, members without the role are refused."""
    if role == "nobody":
        return status == 302
    if role == "outside" or slug != "claims":
        return status == 404
    if role not in allowed:
        return status == 403
    return status < 500 and status != 403


@pytest.fixture
def callers(cast: dict[str, Client], monkeypatch: pytest.MonkeyPatch) -> dict[str, dict[str, Caller]]:
    """Tokens of each role, by scope; "" has every scope. The lead has one of each scope besides."""
    monkeypatch.setattr(api_rates, "A_MINUTE", 10_000)
    people = {
        Role.WRITER: "aylin",
        Role.ADJUSTER: "marek",
        Role.LEAD: "lena",
        LOCALE_LEAD: "theo",
        "outside": "charlie",
    }
    return {
        role: {
            scope: caller(User.objects.get(username=name), *filter(None, [scope]), name=scope or "all")
            for scope in ("", *(Scope.values if role == Role.LEAD else ()))
        }
        for role, name in people.items()
    }


def test_each_token_opens_what_its_scope_and_its_person_do_and_nothing_else(
    callers: dict[str, dict[str, Caller]],
) -> None:
    wrong, seen = [], 0
    for where, name, _ in IN_A_CORPUS_BY_TOKEN:
        for method, door in doors()[name].items():
            assert door is not None
            for role, by_scope in callers.items():
                for scope, calling in by_scope.items():
                    for slug in ("claims", "others", "missing") if not scope else ("claims",):
                        path = address(where, name, slug).removeprefix("/api/")
                        answer = calling(method, path, b"{}")
                        has_scope = not scope or not door.scopes or scope in door.scopes
                        opens = role in door.standings and has_scope
                        hidden = role == "outside" or slug != "claims"
                        told = "There is no such corpus among yours."
                        is_hidden = answer.status_code == 404 and answer.json()["error"] == told
                        refused = answer.status_code == 403
                        seen += 1
                        if (is_hidden, refused) != (hidden, not hidden and not opens) or answer.status_code >= 500:
                            wrong.append(f"{method} {path} as {role} with {scope or 'all'}: {answer.status_code}")
    assert seen > 100
    assert wrong == []
