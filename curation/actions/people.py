"""Writing what people choose, and who may do what in a corpus."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime

from django.db import transaction

from curation.models import Corpus, Invitation, Membership, Role, User


class PeopleRefused(ValueError):
    """A change of people that cannot be made; says why, and names the form field it is about ("" for none)."""

    def __init__(self, words: str, *, field: str = "") -> None:
        super().__init__(words)
        self.field = field


def choose_settings(*, user: User, name: str, theme: str, interface_language: str, single_keys: bool) -> None:
    """Store what `user` chose for themselves."""
    user.name, user.theme = name.strip(), theme
    user.interface_language, user.single_keys = interface_language, single_keys
    user.save(update_fields=["name", "theme", "interface_language", "single_keys"])


@transaction.atomic
def add_member(
    *,
    corpus: Corpus,
    username: str,
    role: Role,
    now: datetime,
    languages: Sequence[str] = (),
    new_account: bool = False,
) -> Membership:
    """Give the person called `username` a role in `corpus`; done again, it only sets the languages.

    Open invitations of a lead that reach further than the languages they are left with are withdrawn.

    Raises:
        PeopleRefused: nobody has that username, or a new account was asked for and somebody has, or no lead of the
            whole corpus would be left.
    """
    user = account(username, new=new_account)
    if role == Role.LEAD and languages:
        held = list(
            Membership.objects.select_for_update(no_key=True)
            .filter(corpus=corpus, role=Role.LEAD)
            .select_related("user")
        )
        refuse_last_lead(next((each for each in held if each.user_id == user.pk), None), held)
    membership, _ = Membership.objects.update_or_create(
        corpus=corpus, user=user, role=role, defaults={"languages": list(languages)}
    )
    if role == Role.LEAD and languages:
        withdraw_invitations(corpus=corpus, by=user, now=now, within=languages)
    return membership


def widen_member(*, corpus: Corpus, user: User, role: Role, languages: Sequence[str]) -> Membership:
    """Give `user` a role for `languages` beside those they have in it; the caller holds the transaction.

    Nothing is taken away: an adjuster or a lead of all languages stays one.
    """
    made = {"languages": list(languages)}
    membership, is_new = Membership.objects.get_or_create(corpus=corpus, user=user, role=role, defaults=made)
    if not is_new:
        has_all = role != Role.WRITER and not (membership.languages and languages)
        membership.languages = [] if has_all else list(dict.fromkeys([*membership.languages, *languages]))
        membership.save(update_fields=["languages"])
    return membership


def account(username: str, *, new: bool) -> User:
    """The account called `username`, or a new one without a password."""
    known = User.objects.filter(username=username).first()
    if known is None and not new:
        raise PeopleRefused(f"Nobody has the username {username}. Correct it, or invite them.", field="username")
    if known is not None and new and known.has_usable_password():
        raise PeopleRefused(f"{username} has an account already. Choose another username.", field="username")
    return known or User.objects.create_user(username)


@transaction.atomic
def remove_member(*, corpus: Corpus, membership: int, now: datetime) -> Membership | None:
    """Take a membership away, and return it; None where it was gone already. What the person did stays.

    Raises:
        PeopleRefused: it is the only lead's.
    """
    # The lock makes two leads who remove each other at once take turns.
    held = list(Membership.objects.select_for_update(no_key=True).filter(corpus=corpus).select_related("user"))
    found = next((each for each in held if each.pk == membership), None)
    if found is None:
        return None
    refuse_last_lead(found, held)
    found.delete()
    if found.role == Role.LEAD:
        withdraw_invitations(corpus=corpus, by=found.user, now=now)
    return found


def withdraw_invitations(*, corpus: Corpus, by: User, now: datetime, within: Collection[str] = ()) -> None:
    """Close the open links of someone who leads no more, or only `within` these languages.

    Through a link of their own they would have again what was taken from them.
    """
    own = Invitation.objects.filter(corpus=corpus, invited_by=by, accepted_at=None, withdrawn_at=None)
    beyond = [
        each.pk
        for each in own
        if each.role == Role.LEAD or not each.languages or not set(within).issuperset(each.languages)
    ]
    own.filter(pk__in=beyond).update(withdrawn_at=now)


def refuse_last_lead(membership: Membership | None, held: Sequence[Membership]) -> None:
    """Keep a lead of the whole corpus: `membership` is about to be taken away or narrowed.

    Raises:
        PeopleRefused: it is the only such lead's.
    """
    whole = [each for each in held if each.standing == Role.LEAD]
    if membership is not None and [each.pk for each in whole] == [membership.pk]:
        raise PeopleRefused(f"{membership.user} is the only lead of this corpus. Make someone else a lead first.")
