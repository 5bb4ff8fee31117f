"""Writing what people choose, and who may do what in a corpus."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction

from curation.models import Corpus, Membership, Role, User


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
    *, corpus: Corpus, username: str, role: Role, languages: Sequence[str] = (), new_account: bool = False
) -> Membership:
    """Give the person called `username` a role in `corpus`; done again, it only sets the languages.

    A new account has no password: its owner chooses one through `curation.reports.people.invitation`.

    Raises:
        PeopleRefused: nobody has that username, or a new account was asked for and somebody has.
    """
    user = account(username, new=new_account)
    membership, _ = Membership.objects.update_or_create(
        corpus=corpus, user=user, role=role, defaults={"languages": list(languages)}
    )
    return membership


def account(username: str, *, new: bool) -> User:
    """The account called `username`, or a new one without a password."""
    known = User.objects.filter(username=username).first()
    if known is None and not new:
        raise PeopleRefused(f"Nobody has the username {username}. Correct it, or tick New account.", field="username")
    if known is not None and new and known.has_usable_password():
        raise PeopleRefused(
            f"{username} has an account already. Untick New account, or choose another username.", field="username"
        )
    return known or User.objects.create_user(username)


@transaction.atomic
def remove_member(*, corpus: Corpus, membership: int) -> Membership | None:
    """Take a membership away, and return it; None where it was gone already. What the person did stays.

    Raises:
        PeopleRefused: it is the only lead's.
    """
    # The lock makes two leads who remove each other at once take turns.
    held = list(Membership.objects.select_for_update().filter(corpus=corpus).select_related("user"))
    found = next((each for each in held if each.pk == membership), None)
    if found is None:
        return None
    if found.role == Role.LEAD and sum(each.role == Role.LEAD for each in held) == 1:
        raise PeopleRefused(f"{found.user} is the only lead of this corpus. Make someone else a lead first.")
    found.delete()
    return found
