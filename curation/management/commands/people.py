"""`manage.py people SLUG`: who is in a corpus, who is invited, and changes of both."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError
from django.urls import reverse
from django.utils import timezone

from curation.actions.invitations import invite
from curation.actions.people import PeopleRefused, add_member, remove_member
from curation.actions.refusal import Refused
from curation.commandline import REFUSED, PlainCommand, corpus_named
from curation.forms.people import InviteForm
from curation.models import Corpus, Invitation, Membership, Role
from curation.reports.people import members_of, not_here, open_invitations


class Command(PlainCommand):
    """List, add, remove and invite the people of a corpus."""

    help = "The people of a corpus and its open invitations; --add, --remove and --invite change them."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Which corpus, and what to change."""
        parser.add_argument("slug", help="the short name of the corpus, as in its address")
        change = parser.add_mutually_exclusive_group()
        change.add_argument("--add", metavar="USERNAME", help="give an account a role; again, it sets the languages")
        change.add_argument("--remove", metavar="USERNAME", help="take a role away; what the person did stays")
        change.add_argument("--invite", metavar="WHO", help="make a link for an e-mail address or a username")
        parser.add_argument("--role", choices=Role.values, default=Role.WRITER, help="which role (writer)")
        parser.add_argument("--languages", default="", help="codes with commas between: tr,ja")
        parser.add_argument("--json", action="store_true", help="print JSON")

    def handle(self, *_args: object, **options: Any) -> None:
        """Change what was asked, then list."""
        try:
            corpus = corpus_named(options["slug"])
            link = self.change(corpus, options)
        except (Refused, PeopleRefused) as refusal:
            raise CommandError(str(refusal), returncode=REFUSED) from refusal
        held, open_ones = members_of(corpus), list(open_invitations(corpus))
        if options["json"]:
            told: dict[str, Any] = {
                "members": [member(each) for each in held],
                "invitations": [invited(each) for each in open_ones],
            }
            told |= {"link": link} if link else {}
            self.stdout.write(json.dumps(told, ensure_ascii=False, indent=1))
            return
        self.stdout.write("\n".join([*map(in_words, held), *map(in_words, open_ones)]))
        if link:
            self.stdout.write(f"Link, below the address of this server, good once and for seven days: {link}")

    def change(self, corpus: Corpus, options: dict[str, Any]) -> str:
        """Do the one change asked for; the path of a new invitation's link, else ""."""
        who = next((options[name] for name in ("add", "remove", "invite") if options[name] is not None), None)
        if who is None:
            return ""
        role, now = Role(options["role"]), timezone.now()
        if options["remove"] is not None:
            held = Membership.objects.filter(corpus=corpus, user__username=who, role=role).first()
            if held is None:
                raise Refused(f"{who} is no {role.label.lower()} of {corpus.slug}.")
            remove_member(corpus=corpus, membership=held.pk, now=now)
            return ""
        form = InviteForm({"who": who, "role": role, "languages": options["languages"]})
        if not form.is_valid():
            raise Refused(" ".join(str(fault) for faults in form.errors.values() for fault in faults))
        if absent := not_here(corpus, form.wanted.languages):
            self.stderr.write(absent)
        if options["invite"] is not None:
            return reverse("invitation", args=[invite(corpus=corpus, wanted=form.wanted, by=None, now=now).token])
        add_member(corpus=corpus, username=who, role=role, now=now, languages=form.wanted.languages)
        return ""


def member(held: Membership) -> dict[str, Any]:
    """A membership for a program."""
    user = held.user
    return {
        "username": user.username,
        "name": user.name,
        "role": held.role,
        "languages": held.languages,
        "active": user.is_active,
    }


def invited(held: Invitation) -> dict[str, Any]:
    """An open invitation for a program: without its link, which nobody can read again."""
    return {
        "who": held.who,
        "role": held.role,
        "languages": held.languages,
        "invited_by": held.invited_by.username if held.invited_by else None,
        "invited_at": held.invited_at.isoformat(),
        "expires_at": held.expires_at.isoformat(),
    }


def in_words(held: Membership | Invitation) -> str:
    """One line for a reader: "aylin: writer (tr)", "new@example.org: adjuster (all), invited"."""
    who = held.user.username if isinstance(held, Membership) else held.who
    mark = "" if isinstance(held, Membership) else ", invited"
    return f"{who}: {held.standing} ({', '.join(held.languages) or 'all'}){mark}"
