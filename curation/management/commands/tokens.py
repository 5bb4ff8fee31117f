"""`manage.py tokens USERNAME`: the API tokens of a person, and changes of them."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError
from django.utils import timezone

from curation.actions.refusal import Refused
from curation.actions.tokens import Made, Terms, make_token, revoke_token
from curation.commandline import REFUSED, PlainCommand, corpus_named
from curation.models import Scope, User
from curation.reports.tokens import opens_nothing, token_as_json, tokens_of


class Command(PlainCommand):
    """List, make and revoke API tokens."""

    help = "The API tokens of a person; --make and --revoke change them. The secret is printed once."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Whose, and what to change."""
        parser.add_argument("username")
        change = parser.add_mutually_exclusive_group()
        change.add_argument("--make", metavar="NAME", help="make a token under this name")
        change.add_argument("--revoke", metavar="NAME", help="end the token of this name at once")
        parser.add_argument("--scope", action="append", default=[], choices=Scope.values, help="may be given again")
        parser.add_argument("--corpus", metavar="SLUG", help="opens this corpus alone; without it all of the person's")
        parser.add_argument("--days", type=int, default=90, help="until it runs out (90)")
        parser.add_argument("--json", action="store_true", help="print JSON")

    def handle(self, *_args: object, username: str, **options: Any) -> None:
        """Change what was asked, then list."""
        person, now = User.objects.filter(username=username).first(), timezone.now()
        if person is None:
            raise CommandError(f"Nobody has the username {username}.", returncode=REFUSED)
        try:
            made = self.change(person, options)
        except Refused as refusal:
            raise CommandError(str(refusal), returncode=REFUSED) from refusal
        told = [token_as_json(token, now=now) for token in tokens_of(person)]
        if options["json"]:
            secret = {"secret": made.secret} if made else {}
            self.stdout.write(json.dumps({"tokens": told, **secret}, ensure_ascii=False, indent=1))
            return
        for each in told:
            where = each["corpus"] or "every corpus"
            until = f"{'ran out' if each['expired'] else 'until'} {each['expires_at'][:10]}"
            self.stdout.write(f"{each['prefix']}… {each['name']}: {', '.join(each['scopes'])}; {where}; {until}")
        if made:
            self.stdout.write(f"The secret, which is not shown again: {made.secret}")
            if idle := opens_nothing(made.token):
                self.stdout.write(idle)

    def change(self, person: User, options: dict[str, Any]) -> Made | None:
        """Do the one change asked for; the new token where one was made.

        Raises:
            Refused: it cannot be made, or there is none of that name.
        """
        now = timezone.now()
        if options["make"]:
            corpus = corpus_named(options["corpus"]) if options["corpus"] else None
            terms = Terms(options["make"], options["scope"], corpus, options["days"])
            return make_token(person=person, terms=terms, now=now)
        if options["revoke"]:
            token = tokens_of(person).filter(name=options["revoke"]).first()
            if token is None:
                raise Refused(f"{person.username} has no token called {options['revoke']}.")
            revoke_token(person=person, token=token.pk, now=now)
        return None
