"""Who may open what: every view says so, and a view that says nothing opens for nobody.

A corpus one is no member of looks exactly like one that does not exist (404); a corpus of one's own where the role
does not reach answers 403. So does a locale to whoever leads other ones: `Reach` says it, and nothing else does.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import Any, Concatenate, ParamSpec, cast

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils import timezone
from django_htmx.middleware import HtmxDetails

from curation.models import LOCALE_LEAD, Corpus, Membership, Role, User
from curation.reports.counts import StratumCount
from curation.reports.memberships import memberships_of
from curation.retrieval.locales import language_name

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


# Who may act as a lead somewhere; a view that opens for them asks `Reach` where.
LEADS = (Role.LEAD, LOCALE_LEAD)


@dataclass(frozen=True, slots=True)
class Reach:
    """How far a person's memberships of one corpus reach: their standings, and the locales of each role."""

    standings: frozenset[str]
    led: frozenset[str]
    written: frozenset[str]
    adjusted: frozenset[str]

    @classmethod
    def of(cls, memberships: Iterable[Membership]) -> Reach:
        """The reach of these memberships of one person in one corpus."""
        held = list(memberships)
        tags = {
            role: frozenset(tag for each in held if each.role == role for tag in each.languages)
            for role in (Role.LEAD, Role.WRITER, Role.ADJUSTER)
        }
        return cls(frozenset(each.standing for each in held), *tags.values())

    @property
    def leads_all(self) -> bool:
        """Whether the person leads the whole corpus."""
        return Role.LEAD in self.standings

    @property
    def leads_any(self) -> bool:
        """Whether the person leads the corpus or a locale of it."""
        return bool(self.standings.intersection(LEADS))

    @property
    def locales(self) -> list[str] | None:
        """The locales the person leads, sorted; None where they lead all."""
        return None if self.leads_all else sorted(self.led)

    def leads(self, locale: str) -> bool:
        """Whether the person acts as a lead on what belongs to `locale`."""
        return self.leads_all or locale in self.led

    @property
    def reviewed(self) -> list[str] | None:
        """The locales whose mined queries the person decides on, which they lead or adjust, sorted; None for all."""
        adjusts_all = Role.ADJUSTER in self.standings and not self.adjusted
        return None if adjusts_all or self.leads_all else sorted(self.led | self.adjusted)

    def reviews(self, locale: str) -> bool:
        """Whether the person decides on mined queries of `locale`."""
        return self.reviewed is None or locale in self.reviewed

    def require_review(self, locale: str) -> None:
        """Let the person decide on mined queries of `locale`.

        Raises:
            PermissionDenied: they neither lead nor adjust it.
        """
        if not self.reviews(locale):
            raise PermissionDenied(f"This belongs to {named(locale)}; you review {in_words(self.led | self.adjusted)}.")

    def require(self, *locales: str) -> None:
        """Let the person act as a lead on what belongs to these locales.

        Raises:
            PermissionDenied: they do not lead all of them.
        """
        beyond = [locale for locale in locales if not self.leads(locale)]
        if beyond:
            raise PermissionDenied(f"This belongs to {in_words(beyond)}, and you lead {in_words(self.led)} here.")

    def may_appoint(self, role: str, languages: Collection[str]) -> bool:
        """Whether the person gives or takes this role: a locale lead only writers and adjusters of what they lead."""
        within = role in {Role.WRITER, Role.ADJUSTER} and bool(languages) and self.led.issuperset(languages)
        return self.leads_all or within

    def require_appointing(self, role: str, languages: Collection[str]) -> None:
        """Let the person give or take a role.

        Raises:
            PermissionDenied: it reaches further than they do.
        """
        if not self.may_appoint(role, languages):
            raise PermissionDenied(f"You appoint writers and adjusters of {in_words(self.led)} here, and nobody else.")

    def require_all(self) -> None:
        """Let the person act on the whole corpus.

        Raises:
            PermissionDenied: they do not lead all of it.
        """
        if not self.leads_all:
            raise PermissionDenied(f"This holds for all languages, and you lead {in_words(self.led)} here.")


def in_words(locales: Collection[str]) -> str:
    """The locales by name: "Arabic and Turkish"; "no language" for none."""
    *others, last = sorted(map(named, locales)) or ["no language"]
    return f"{', '.join(others)} and {last}" if others else last


def named(locale: str) -> str:
    """The locale's English name, or its tag where it has none."""
    try:
        return language_name(locale)
    except KeyError:
        return locale


class PersonRequest(HttpRequest):
    """A request of someone signed in."""

    user: User
    htmx: HtmxDetails


class CorpusRequest(PersonRequest):
    """A request of a member inside one corpus.

    `corpora` are all that the person belongs to, by name. A view that counted the strata leaves them in
    `stratum_counts`, so that the menu does not count them again.
    """

    corpus: Corpus
    memberships: list[Membership]
    reach: Reach
    corpora: list[Corpus]
    stratum_counts: Sequence[StratumCount]


def writes_in(request: CorpusRequest) -> list[str]:
    """The locales the person writes in this corpus, sorted."""
    return sorted(request.reach.written)


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
    *standings: str,
) -> Callable[[Callable[Concatenate[CorpusRequest, P], HttpResponseBase]], Callable[..., HttpResponseBase]]:
    """Open a view below `/c/<slug>/` for members with one of `standings` (any where none is named).

    A lead of some locales is not meant by `Role.LEAD`: a view that names `LOCALE_LEAD` too asks `request.reach` about
    what it changes. The view gets a `CorpusRequest` and not the slug, and shows times in the corpus' zone.

    Raises:
        Http404: there is no such corpus, or the person is no member of it.
        PermissionDenied: a member without the role.
    """
    allowed = set(standings) or {*Role, LOCALE_LEAD}

    def decorate(view: Callable[Concatenate[CorpusRequest, P], HttpResponseBase]) -> Callable[..., HttpResponseBase]:
        @wraps(view)
        def opened(request: HttpRequest, slug: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
            entered = inside(request, slug, allowed)
            # Views render before they return, so that what the page shows is in the zone, and the next request is not.
            with timezone.override(entered.corpus.time_zone):
                return view(entered, *args, **kwargs)

        return declared(cast("Any", login_required(opened)), ", ".join(sorted(allowed)))

    return decorate


def inside(request: HttpRequest, slug: str, allowed: set[str]) -> CorpusRequest:
    """`request` with the corpus and the person's memberships, if a standing of them is allowed."""
    person = cast("User", request.user)
    everywhere = memberships_of(person)
    held = [membership for membership in everywhere if membership.corpus.slug == slug]
    if not held:
        raise Http404("There is no such corpus among yours.")
    reach = Reach.of(held)
    if not allowed & reach.standings:
        raise PermissionDenied("Your role in this corpus does not open this page.")
    entered = cast("CorpusRequest", request)
    entered.corpus, entered.memberships, entered.reach = held[0].corpus, held, reach
    entered.corpora = list({each.corpus_id: each.corpus for each in everywhere}.values())
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
