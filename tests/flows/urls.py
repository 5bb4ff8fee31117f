"""The product's addresses, and two pages of the tests: every component in every state, and a page of keys."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import include, path

from curation.access import public


@public
def states(request: HttpRequest) -> HttpResponse:
    return render(request, "look/states.html")


@public
def keys(request: HttpRequest) -> HttpResponse:
    return render(request, "look/keys.html")


urlpatterns = [
    path("states/", states, name="states"),
    path("keys/", keys, name="keys"),
    path("", include("curation.urls")),
]
