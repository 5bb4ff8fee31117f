"""The way back from a form's address: opened without its form, it leads to the page that the form stands on.

Such an address stays in the browser after a warning, and is where signing in leads whoever was signed out on a press.
"""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import is_valid_path


def page_above(path: str) -> str:
    """The nearest address above `path` that there is, "/" where none is."""
    parts = path.strip("/").split("/")[:-1]
    above = (f"/{'/'.join(parts[:depth])}/" for depth in range(len(parts), 0, -1))
    return next((address for address in above if is_valid_path(address)), "/")


class LeadBack:
    """Redirect who opens an address that takes forms alone; everybody else gets the answer that the view gave."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """The view's answer, or the way back."""
        response = self.get_response(request)
        if response.status_code == HTTPStatus.METHOD_NOT_ALLOWED and request.method in {"GET", "HEAD"}:
            return redirect(page_above(request.path))
        return response
