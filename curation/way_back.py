"""The way back from a form's address: opened without its form, it leads to the page that the form stands on.

Such an address stays in the browser after a warning, and is where signing in leads whoever was signed out on a press.
"""

from __future__ import annotations

from collections.abc import Callable

from django.http import Http404, HttpRequest, HttpResponseNotAllowed
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import is_valid_path

from curation.reports.addressed import are_of


def page_above(path: str) -> str:
    """The nearest address above `path` that there is, "/" where none is."""
    parts = path.strip("/").split("/")[:-1]
    above = (f"/{'/'.join(parts[:depth])}/" for depth in range(len(parts), 0, -1))
    return next((address for address in above if is_valid_path(address)), "/")


def is_there(request: HttpRequest) -> bool:
    """Whether what the address names stands in its corpus; an address outside a corpus names nothing of one."""
    parts = request.resolver_match.kwargs if request.resolver_match else {}
    return "slug" not in parts or are_of(parts["slug"], parts)


class LeadBack:
    """Redirect who opens an address that takes forms alone; everybody else gets the answer that the view gave."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """The view's answer, or the way back.

        Raises:
            Http404: the form would change what its corpus does not hold.
        """
        response = self.get_response(request)
        if not isinstance(response, HttpResponseNotAllowed) or request.method not in {"GET", "HEAD"}:
            return response
        if not is_there(request):
            raise Http404("There is nothing with this number.")
        return redirect(page_above(request.path))
