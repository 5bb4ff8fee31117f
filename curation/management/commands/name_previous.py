"""`manage.py name_previous INDEX PREVIOUS --alias ALIAS`: name what a rollback leads an alias back to."""

from __future__ import annotations

from argparse import ArgumentParser

from django.core.management.base import CommandError

from curation.actions.refusal import Refused
from curation.actions.rollback import name_previous
from curation.commandline import REFUSED, PlainCommand
from curation.indexes.base import IndexRefused
from curation.reports.aliases import rollback_command
from curation.reports.index_names import index_meant, index_named


class Command(PlainCommand):
    """Name the way back; no server is asked."""

    help = "Name the alias of an index, and the index that a rollback leads it back to."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Which index, which one before it, and the alias."""
        parser.add_argument("index", help="NAME, or SLUG/NAME where several corpora have an index of that name")
        parser.add_argument("previous", nargs="?", default="", help="the index it came after; none takes it away")
        parser.add_argument("--alias", default="", help="the name under which a search service asks the index")

    def handle(self, *_args: object, index: str, previous: str, alias: str, **_options: object) -> None:
        """Store it, and print the command of a rollback."""
        try:
            named = index_meant(index)
            before = index_named(named.corpus, previous) if previous else None
            name_previous(index=named, previous=before, alias=alias)
        except (IndexRefused, Refused) as refusal:
            raise CommandError(str(refusal), returncode=REFUSED) from refusal
        if before is None:
            self.stdout.write(f"{named.name} is asked as {named.alias} and has no previous target now.")
            return
        self.stdout.write(f"A rollback leads {named.alias} from {named.name} to {before.name}:")
        self.stdout.write(f"  {rollback_command(named)}")
