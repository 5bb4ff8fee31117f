"""The API: its endpoints below `/api/`, and their description in OpenAPI."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import nullcontext
from functools import cache, wraps
from itertools import chain
from typing import Any, cast

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import URLPattern, path, re_path
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import conditional_page
from ninja import NinjaAPI, Router
from ninja.operation import Operation

from curation.access import PUBLIC, PersonRequest, access_of, declared, public, signed_in
from curation.api import about, boards, gates, indexes, jobs, live_queries, runs, sets
from curation.api.answers import add_handlers, problem
from curation.api.bodies import kinds_taken, refusal
from curation.api.doors import TokenDoor, by_session
from curation.api.reference import reference_of
from curation.reports.picture import one_picture

described = Router(tags=["about"])
ROUTERS = (described, *(room.router for room in (about, boards, sets, runs, gates, jobs, indexes, live_queries)))
BY_TOKEN = "by token"  # noqa: S105  (who may open it, in words)
VERSION = "1"
PROBLEM = {
    "description": "A problem",
    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Problem"}}},
}

api = NinjaAPI(
    title="Hardset",
    version=VERSION,
    description="What CI needs of Hardset. Every answer from status 400 on is a Problem.",
    docs_url=None,
    openapi_url=None,
)
add_handlers(api)


@described.get(
    "/openapi.json",
    auth=[TokenDoor(), by_session],
    response=dict,
    operation_id="description",
    url_name="api_description",
)
def description(request: HttpRequest) -> HttpResponse:
    """This description, in OpenAPI; it opens for a token and for whoever is signed in."""
    return HttpResponse(openapi(), content_type="application/json; charset=utf-8")


def at_one_moment(view: Callable[..., Any]) -> Callable[..., Any]:
    """The endpoint, which reads all that it answers to a GET at one moment; the others may write."""

    @wraps(view)
    def seen(request: HttpRequest, *given: object, **named: object) -> object:
        with one_picture() if request.method == "GET" else nullcontext():
            return view(request, *given, **named)

    return seen


api.add_decorator(at_one_moment)
for router in ROUTERS:
    api.add_router("", router)


Doors = dict[str, TokenDoor | None]
"""Who opens an address, by method; None for everybody."""


def doors() -> dict[str, Doors]:
    """Who opens each route, by its name; an address with one operation that does not say so is left out whole."""
    found: dict[str, Doors] = {}
    for view in chain.from_iterable(router.path_operations.values() for router in ROUTERS):
        own = {method: door_of(operation) for operation in view.operations for method in operation.methods}
        if all(own[method] or is_public(each) for each in view.operations for method in each.methods):
            found |= {operation.url_name: own for operation in view.operations}
    return found


def door_of(operation: Operation) -> TokenDoor | None:
    """The door of an operation, None where it has none."""
    return next((each for each in operation.auth_callbacks if isinstance(each, TokenDoor)), None)


def is_public(operation: Operation) -> bool:
    """Whether an operation says that it opens for everybody."""
    return access_of(operation.view_func) == PUBLIC


def opened(
    view: Callable[..., HttpResponseBase], kinds: Mapping[str, Collection[str]]
) -> Callable[..., HttpResponseBase]:
    """The view, which answers HEAD as GET, with an ETag, and tells of a wrong method or body as of any problem.

    `kinds` are the media types that it takes, by method.
    """

    @wraps(view)
    def answered(request: HttpRequest, **named: object) -> HttpResponseBase:
        if refused := refusal(request, kinds.get(request.method or "", ())):
            return refused
        told = view(request, **named)
        if told.status_code != 405:
            return told
        refused = problem(405, f"This address does not know {request.method}; it takes {told['Allow']}.")
        refused["Allow"] = told["Allow"]
        return refused

    conditional = conditional_page(answered)

    @wraps(view)
    def asked(request: HttpRequest, **named: object) -> HttpResponseBase:
        method, request.method = request.method, "GET" if request.method == "HEAD" else request.method
        told = conditional(request, **named)
        request.method = method  # whoever sends the answer leaves its body out
        return told

    return csrf_exempt(asked)


def kinds_of(name: str) -> dict[str, tuple[str, ...]]:
    """The media types that the operations of an address take, by method; `name` is that of any of them."""
    views = chain.from_iterable(router.path_operations.values() for router in ROUTERS)
    own = next((view for view in views if name in {each.url_name for each in view.operations}), None)
    return {method: kinds_taken(each) for each in (own.operations if own else ()) for method in each.methods}


def routes() -> Iterator[URLPattern]:
    """Each endpoint that says who may open it; one that does not stays undeclared and opens for nobody."""
    known = doors()
    for pattern in api.urls[0]:
        if isinstance(pattern, URLPattern) and pattern.name != "api-root":
            view = opened(pattern.callback, kinds_of(pattern.name or ""))
            if methods := known.get(pattern.name or ""):
                declared(cast("Any", view), BY_TOKEN if all(methods.values()) else PUBLIC)
            yield URLPattern(pattern.pattern, view, pattern.default_args, pattern.name)


@cache
def openapi() -> str:
    """The description of every endpoint; docs/openapi.json holds the same bytes."""
    told = api.get_openapi_schema(path_prefix="/api/")
    scopes = {operation.operation_id: door.scopes for operation in operations() if (door := door_of(operation))}
    for methods in told["paths"].values():
        for each in methods.values():
            if each["operationId"] in scopes:
                each["x-scopes"] = sorted(scopes[each["operationId"]])
                statuses = (401, 403, 404, 429, *((400, 411, 415, 422) if "requestBody" in each else ()))
                each["responses"] = {str(status): PROBLEM for status in statuses} | each["responses"]
    return json.dumps(told, ensure_ascii=False, indent=1) + "\n"


def operations() -> Iterator[Operation]:
    """Every operation."""
    for router in ROUTERS:
        for view in router.path_operations.values():
            yield from view.operations


@signed_in
def reference(request: PersonRequest) -> HttpResponse:
    """The description as a page for people."""
    return render(request, "curation/api_reference.html", {"told": reference_of(json.loads(openapi()))})


@csrf_exempt
@public
def nothing(request: HttpRequest) -> HttpResponse:
    """What stands at every other address."""
    return problem(404, "There is nothing at this address; /api/openapi.json names those that there are.")


urlpatterns = [
    path("", reference, name="api_reference"),
    *routes(),
    re_path(r"^", nothing, name="api_nothing"),
]
