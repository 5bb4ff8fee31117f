"""Who may open what: every view says so, and a view that says nothing opens for nobody.

A corpus one is no member of looks exactly like one that does not exist (404); a corpus of one's own where the role
does not reach answers 403.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any, Concatenate, ParamSpec, cast

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django_htmx.middleware import HtmxDetails

from curation.models import Corpus, Membership, Role, User
from curation.reports.counts import StratumCount

P = ParamSpec("P")
ACCESS = "hardset_access"
PUBLIC, SIGNED_IN = "public", "signed in"
# Django's own views that this product serves, each with who may open it; its admin decides for itself.
FOREIGN = {
    "django.contrib.auth.views.LoginView": PUBLIC,
    "django.contrib.auth.views.LogoutView": PUBLIC,
    "django.contrib.auth.views.PasswordResetConfirmView": PUBLIC,
    "django.contrib.auth.views.PasswordChangeView": SIGNED_IN,
    "django.contrib.auth.views.PasswordChangeDoneView": SIGNED_IN,
}


class PersonRequest(HttpRequest):
    """A request of someone signed in."""

    user: User
    htmx: HtmxDetails


class CorpusRequest(PersonRequest):
    """A request of a member inside one corpus.

    A view that counted the strata leaves them in `stratum_counts`, so that the menu does not count them again.
    """

    corpus: Corpus
    memberships: list[Membership]
    stratum_counts: Sequence[StratumCount]


def roles_of(request: CorpusRequest) -> set[str]:
    """The roles the person has in this corpus."""
    return {membership.role for membership in request.memberships}


def writes_in(request: CorpusRequest) -> list[str]:
    """The locales the person writes in this corpus, sorted."""
    return sorted({tag for m in request.memberships if m.role == Role.WRITER for tag in m.languages})


def public(
    view: Callable[Concatenate[HttpRequest, P], HttpResponse],
) -> Callable[Concatenate[HttpRequest, P], HttpResponse]:
    """Open `view` for everybody."""
    return declared(view, PUBLIC)


def signed_in(
    view: Callable[Concatenate[PersonRequest, P], HttpResponse],
) -> Callable[Concatenate[HttpRequest, P], HttpResponse]:
    """Open `view` for every person with an account."""
    return declared(cast("Any", login_required(cast("Any", view))), SIGNED_IN)


def members(
    *roles: Role,
) -> Callable[[Callable[Concatenate[CorpusRequest, P], HttpResponseBase]], Callable[..., HttpResponseBase]]:
    """Open a view below `/c/<slug>/` for members with one of `roles` (any role where none is named).

    The view gets a `CorpusRequest` and not the slug.

    Raises:
        Http404: there is no such corpus, or the person is no member of it.
        PermissionDenied: a member without the role.
    """
    allowed = set(roles) or set(Role)

    def decorate(view: Callable[Concatenate[CorpusRequest, P], HttpResponseBase]) -> Callable[..., HttpResponseBase]:
        @wraps(view)
        def opened(request: HttpRequest, slug: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
            return view(inside(request, slug, allowed), *args, **kwargs)

        return declared(cast("Any", login_required(opened)), ", ".join(sorted(allowed)))

    return decorate


def inside(request: HttpRequest, slug: str, allowed: set[Role]) -> CorpusRequest:
    """`request` with the corpus and the person's memberships, if a role of them is allowed."""
    person = cast("User", request.user)
    held = list(Membership.objects.filter(corpus__slug=slug, user=person).select_related("corpus"))
    for membership in held:
        membership.user = person  # at hand already, so that no page looks it up
    if not held:
        raise Http404("There is no such corpus among yours.")
    if not allowed & {Role(membership.role) for membership in held}:
        raise PermissionDenied("Your role in this corpus does not open this page.")
    entered = cast("CorpusRequest", request)
    entered.corpus, entered.memberships = held[0].corpus, held
    return entered


def declared(view: Callable[P, HttpResponse], access: str) -> Callable[P, HttpResponse]:
    """Write on `view` who may open it, for the middleware and for the access matrix of the tests."""
    setattr(view, ACCESS, access)
    return view


def access_of(view: Callable[..., Any]) -> str | None:
    """What a view declares, or None where it says nothing."""
    own: str | None = getattr(view, ACCESS, None)
    view_class = getattr(view, "view_class", None)
    name = f"{view_class.__module__}.{view_class.__qualname__}" if view_class else ""
    return (
        own or FOREIGN.get(name) or ("admin" if hasattr(view, "admin_site") or hasattr(view, "model_admin") else None)
    )


class DenyByDefault:
    """Refuse every view that does not declare who may open it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Pass the request on; the decision is taken once the view is known."""
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> None:
        """Raise PermissionDenied for a view without a declaration."""
        if access_of(view) is None:
            raise PermissionDenied("This page does not say who may open it, so it opens for nobody.")
