"""The people of a corpus, and the link by which a new account gets its password."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib.auth.tokens import default_token_generator
from django.db.models import Case, IntegerField, QuerySet, Value, When
from django.urls import reverse
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from curation.models import Corpus, Invitation, Membership, Role
from curation.retrieval.locales import language_name

from .desk import locales_of


def members_of(corpus: Corpus) -> list[Membership]:
    """Every membership with its person: leads first, then adjusters and writers, each by username."""
    places = {role: place for place, role in enumerate(reversed(Role))}
    place = Case(*(When(role=role, then=Value(place)) for role, place in places.items()), output_field=IntegerField())
    return list(Membership.objects.filter(corpus=corpus).select_related("user").order_by(place, "user__username", "pk"))


@dataclass(frozen=True, slots=True)
class LocaleTeam:
    """Who works on a locale: those whose memberships name it, and adjusters and leads of all locales."""

    locale: str
    writers: Sequence[Membership]
    adjusters: Sequence[Membership]
    leads: Sequence[Membership]


def teams(held: Sequence[Membership], locales: Sequence[str]) -> list[LocaleTeam]:
    """The team of each of `locales` and of those that members name; locales without a writer first.

    Deactivated people do nothing more, so they are in no team.
    """
    active = [each for each in held if each.user.is_active]
    tags = sorted({*locales, *(tag for each in active for tag in each.languages)})

    def those(role: Role, tag: str) -> list[Membership]:
        has_all = role != Role.WRITER
        return [e for e in active if e.role == role and (tag in e.languages or (has_all and not e.languages))]

    found = [LocaleTeam(tag, *(those(role, tag) for role in (Role.WRITER, Role.ADJUSTER, Role.LEAD))) for tag in tags]
    return sorted(found, key=lambda team: (bool(team.writers), team.locale))


def not_here(corpus: Corpus, languages: Sequence[str]) -> str:
    """A warning that the corpus has no query and no planned cell in some of `languages` yet; "" where it has all.

    A team may stand before its language does, so nothing is refused. Nor is anything said of a corpus without any.
    """
    held = locales_of(corpus)
    absent = [language_name(tag) for tag in languages if tag not in held]
    if not held or not absent:
        return ""
    return f"{corpus.name} has no {' and no '.join(absent)} yet: plan cells or import queries, else there is no work."


def open_invitations(corpus: Corpus) -> QuerySet[Invitation]:
    """Invitations that nobody accepted or withdrew, the newest first; those whose link has expired among them."""
    waiting = Invitation.objects.filter(corpus=corpus, accepted_at=None, withdrawn_at=None)
    return waiting.select_related("invited_by").order_by("-invited_at", "-pk")


def invitation(membership: Membership) -> str | None:
    """The path where the owner of a new account chooses a password, good for three days and once.

    Whoever holds the link holds the account, and a lead must not come by accounts that reach further than their own
    corpus: None for an account with a password, with a role in another corpus, or of the operators.
    """
    user = membership.user
    elsewhere = user.memberships.exclude(corpus_id=membership.corpus_id).exists()
    if user.has_usable_password() or user.is_staff or user.is_superuser or elsewhere:
        return None
    uid = urlsafe_base64_encode(force_bytes(user.pk))
    return reverse("password_reset_confirm", args=[uid, default_token_generator.make_token(user)])
