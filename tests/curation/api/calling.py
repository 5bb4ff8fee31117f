"""A program that calls the API: a token of a person, and requests that carry it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.test import Client
from django.utils import timezone

from curation.actions.tokens import Terms, make_token
from curation.models import Corpus, Scope, User


@dataclass
class Caller:
    """Calls with one token, "" for none."""

    secret: str = ""
    client: Client = field(default_factory=Client)

    def __call__(
        self,
        method: str,
        path: str,
        body: Any = b"",
        *,
        kind: str = "application/json",
        headers: Mapping[str, str] | None = None,
    ) -> Any:
        sent = {**({"Authorization": f"Bearer {self.secret}"} if self.secret else {}), **(headers or {})}
        return self.client.generic(method.upper(), f"/api/{path}", body, content_type=kind, headers=sent)

    def get(self, path: str) -> Any:
        return self("get", path)


def caller(person: User, *scopes: str, corpus: Corpus | None = None, name: str = "ci") -> Caller:
    """A program with a new token of `person`; every scope where none is named."""
    terms = Terms(name, scopes or Scope.values, corpus)
    return Caller(make_token(person=person, terms=terms, now=timezone.now()).secret)
