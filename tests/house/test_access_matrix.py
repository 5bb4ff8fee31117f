"""Every route says who may open it, and holds to it: role x {own corpus, other corpus, missing corpus}."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from curation.access import PUBLIC, SIGNED_IN, access_of
from curation.models import LOCALE_LEAD, Role
from tests import factories

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
IN_A_CORPUS = [route for route in ROUTES if "<slug:slug>" in route[0]]


def test_every_route_says_who_may_open_it() -> None:
    assert [where for where, _, view in ROUTES if access_of(view) is None] == []


def test_every_route_has_a_name() -> None:
    assert [where for where, name, _ in ROUTES if not name] == []


def test_every_corpus_route_names_roles() -> None:
    assert [where for where, _, view in IN_A_CORPUS if access_of(view) in {PUBLIC, SIGNED_IN, None}] == []


@pytest.fixture
def cast(db: None) -> dict[str, Client]:
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
        for role, client in cast.items():
            for slug in ("claims", "others", "missing"):
                status = getattr(client, method)(address(where, name, slug)).status_code
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
