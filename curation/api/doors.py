"""Who may call an endpoint: a token with a scope, whose person has the role; a cookie opens the description alone."""

from __future__ import annotations

from collections.abc import Collection
from typing import cast

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest
from django.utils import timezone
from ninja.errors import Throttled
from ninja.security import HttpBearer

from curation.access import CorpusRequest, inside
from curation.actions.api_rates import count_failure, count_use
from curation.actions.tokens import known_token, note_use
from curation.models import LOCALE_LEAD, ApiToken, Role, Scope, User


class TokenRequest(CorpusRequest):
    """A request with a token, inside the corpus that its address names."""

    auth: ApiToken


class TokenDoor(HttpBearer):
    """Opens for a token with one of `scopes` (any where none is named) whose person has one of `standings`."""

    openapi_description = "An API token: Authorization: Bearer hs_…"

    def __init__(self, *scopes: Scope, standings: tuple[str, ...] = (Role.LEAD,)) -> None:
        super().__init__()
        self.scopes, self.standings = frozenset(scopes), frozenset(standings)

    def authenticate(self, request: HttpRequest, token: str) -> ApiToken | None:
        """The token, when it opens this; None where nobody knows it.

        Raises:
            Throttled: it, or tokens that nobody knows from this address, came too often.
            Http404: its person is no member of the corpus, the token is for another one, or there is none.
            PermissionDenied: it lacks the scope, or its person the role.
        """
        now = timezone.now()
        known = known_token(secret=token.strip(), now=now)
        wait = (
            count_use(token=known, now=now)
            if known
            else count_failure(address=request.META.get("REMOTE_ADDR", ""), now=now)
        )
        if wait:
            raise Throttled(wait)
        if known is not None:
            request.user = known.person
            self._enter(request, known)
            note_use(token=known, now=now)
        return known

    def _enter(self, request: HttpRequest, token: ApiToken) -> None:
        slug = request.resolver_match.kwargs.get("slug") if request.resolver_match else None
        if slug is not None:
            if token.corpus and token.corpus.slug != slug:
                raise Http404("There is no such corpus among yours.")
            self._require_standing(request, slug)
        if self.scopes:
            require_scope(token, self.scopes)

    def _require_standing(self, request: HttpRequest, slug: str) -> None:
        try:
            inside(request, slug, set(self.standings))
        except PermissionDenied as fault:
            leads = "leads" if LOCALE_LEAD in self.standings else "leads all of"
            raise PermissionDenied(
                f"This is for a token of who {leads} the corpus, and its person does not."
            ) from fault


def by_session(request: HttpRequest) -> User | None:
    """Opens for whoever is signed in to the pages: the description of the API, and nothing else of it."""
    person = request.user
    return person if isinstance(person, User) else None


def require_scope(token: ApiToken, scopes: Collection[Scope]) -> None:
    """Let a token with one of `scopes` go on.

    Raises:
        PermissionDenied: it has none of them.
    """
    if not set(scopes).intersection(token.scopes):
        needed = " or ".join(sorted(scopes))
        raise PermissionDenied(f"This needs a token with the scope {needed}; this one has {', '.join(token.scopes)}.")


def entered(request: HttpRequest) -> TokenRequest:
    """The request, which a door has let in."""
    return cast("TokenRequest", request)
