"""The product's addresses, and the pages of the tests: components, keys, requests, a work screen."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import include, path
from django_htmx.http import trigger_client_event

from curation.access import CorpusRequest, members, public, signed_in


@public
def states(request: HttpRequest) -> HttpResponse:
    return render(request, "look/states.html")


@public
def keys(request: HttpRequest) -> HttpResponse:
    return render(request, "look/keys.html")


@public
def requests(request: HttpRequest) -> HttpResponse:
    return render(request, "look/requests.html")


@public
def broken(request: HttpRequest) -> HttpResponse:
    return HttpResponse("<p>a trace</p>", status=500)


@public
def refused(request: HttpRequest) -> HttpResponse:
    return HttpResponse("<b>Not with this text.</b>", status=422)


@public
def saved(request: HttpRequest) -> HttpResponse:
    return trigger_client_event(HttpResponse("<b>37</b>"), "announce", {"value": "Query 37 finished"})


@signed_in
def inside(request: HttpRequest) -> HttpResponse:
    return HttpResponse("<b>inside</b>")


@members()
def work(request: CorpusRequest) -> HttpResponse:
    return render(request, "look/work.html", {"rows": range(60)})


urlpatterns = [
    path("c/<slug:slug>/work/", work, name="work"),
    path("states/", states, name="states"),
    path("keys/", keys, name="keys"),
    path("requests/", requests, name="requests"),
    path("requests/broken/", broken, name="broken"),
    path("requests/refused/", refused, name="refused"),
    path("requests/saved/", saved, name="saved"),
    path("requests/inside/", inside, name="inside"),
    path("", include("curation.urls")),
]
