"""`manage.py rollback INDEX --reason WHY`: lead the alias of an index to its previous target."""

from __future__ import annotations

import getpass
import json
from argparse import ArgumentParser

from django.core.management.base import CommandError
from django.utils import timezone

from curation.actions import rollback as action
from curation.actions.refusal import Refused
from curation.commandline import REFUSED, PlainCommand
from curation.indexes.aliases import Swapped
from curation.indexes.base import IndexRefused
from curation.models import TargetIndex
from curation.reports.index_names import index_meant, spec_of

THERE_ALREADY = 1


class Command(PlainCommand):
    """Exit 0 where the alias was led back (or could be), 1 where it was there already, 2 where it was not."""

    help = "Lead the alias of an index to its named previous target. Exit 0: done; 1: there already; 2: refused."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Which index, why, and whether to try only."""
        parser.add_argument("index", help="NAME, or SLUG/NAME where several corpora have an index of that name")
        parser.add_argument("--reason", default="", help="why; it is stored with who asked")
        parser.add_argument("--by", default="", metavar="WHO", help="who asks (the login of this machine)")
        parser.add_argument("--dry-run", action="store_true", help="find out whether it can be done; change nothing")
        parser.add_argument("--json", action="store_true", help="answer as JSON")

    def handle(self, *_args: object, index: str, reason: str, **options: object) -> None:
        """Do it and tell what happened."""
        asker = action.Asker(f"{options['by'] or getpass.getuser()}, on the command line")
        rehearse = bool(options["dry_run"])
        try:
            named = index_meant(index)
            done = action.rollback(index=named, reason=reason, asker=asker, now=timezone.now(), rehearse=rehearse)
        except (IndexRefused, Refused) as refusal:
            if options["json"]:
                self.stdout.write(json.dumps({"outcome": "refused", "reason": str(refusal)}, ensure_ascii=False))
                raise SystemExit(REFUSED) from refusal
            raise CommandError(str(refusal), returncode=REFUSED) from refusal
        self.stdout.write(as_json(named, done) if options["json"] else in_words(done))
        if done.outcome is Swapped.ALREADY:
            raise SystemExit(THERE_ALREADY)


def in_words(done: action.Rollback) -> str:
    """What happened, in one sentence."""
    words = {
        Swapped.DONE: f"{done.alias} leads to {done.to} now; it led to {done.before}.",
        Swapped.REHEARSED: f"{done.alias} leads to {done.before} and can be led to {done.to}; nothing was changed.",
        Swapped.ALREADY: f"{done.alias} leads to {done.to} already; nothing was changed.",
    }
    return words[done.outcome]


def as_json(index: TargetIndex, done: action.Rollback) -> str:
    """What happened, for programs."""
    told = {
        "index": spec_of(index),
        "outcome": done.outcome.value,
        "alias": done.alias,
        "from": done.before,
        "to": done.to,
        "reason": done.swap.reason if done.swap else None,
        "asked_as": done.swap.asked_as if done.swap else None,
        "swapped_at": done.swap.swapped_at.isoformat() if done.swap and done.swap.swapped_at else None,
    }
    return json.dumps(told, ensure_ascii=False, indent=1)
