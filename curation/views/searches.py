"""What a list is searched for."""

from __future__ import annotations

from django.http import HttpRequest

MOST_CHARACTERS = 200


def searched(request: HttpRequest, name: str = "q") -> str:
    """The words of `?q=`, or of another question, without NUL, which PostgreSQL cannot look for."""
    return request.GET.get(name, "")[:MOST_CHARACTERS].replace("\0", "")
