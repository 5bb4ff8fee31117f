"""The product's addresses, and the page that shows every component in every state."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import include, path

from curation.access import public


@public
def states(request: HttpRequest) -> HttpResponse:
    return render(request, "look/states.html")


urlpatterns = [path("states/", states, name="states"), path("", include("curation.urls"))]
