"""The people of a corpus, and the link by which a new account gets its password."""

from __future__ import annotations

from django.contrib.auth.tokens import default_token_generator
from django.db.models import Case, IntegerField, Value, When
from django.urls import reverse
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from curation.models import Corpus, Membership, Role


def members_of(corpus: Corpus) -> list[Membership]:
    """Every membership with its person: leads first, then adjusters and writers, each by username."""
    places = {role: place for place, role in enumerate(reversed(Role))}
    place = Case(*(When(role=role, then=Value(place)) for role, place in places.items()), output_field=IntegerField())
    return list(Membership.objects.filter(corpus=corpus).select_related("user").order_by(place, "user__username", "pk"))


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
