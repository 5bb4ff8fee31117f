"""The product's addresses, and the pages of the tests: components, keys, a work screen."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import include, path

from curation.access import CorpusRequest, members, public


@public
def states(request: HttpRequest) -> HttpResponse:
    return render(request, "look/states.html")


@public
def keys(request: HttpRequest) -> HttpResponse:
    return render(request, "look/keys.html")


@members()
def work(request: CorpusRequest) -> HttpResponse:
    return render(request, "look/work.html", {"rows": range(60)})


urlpatterns = [
    path("c/<slug:slug>/work/", work, name="work"),
    path("states/", states, name="states"),
    path("keys/", keys, name="keys"),
    path("", include("curation.urls")),
]
