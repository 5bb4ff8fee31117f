"""What a list is searched for."""

from __future__ import annotations

from django.http import HttpRequest

MOST_CHARACTERS = 200


def searched(request: HttpRequest) -> str:
    """The words of `?q=`, without NUL, which PostgreSQL cannot look for."""
    return request.GET.get("q", "")[:MOST_CHARACTERS].replace("\0", "")
