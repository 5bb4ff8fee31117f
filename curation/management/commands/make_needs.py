"""`manage.py make_needs SLUG`: each English query that words no need becomes the wording of one that says the same."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from curation.actions.english_needs import make_needs
from curation.actions.refusal import Refused
from curation.commandline import REFUSED, PlainCommand, corpus_named


class Command(PlainCommand):
    """Make needs of English queries."""

    help = "Make a need of each English query that words none. Run again, it changes nothing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the corpus."""
        parser.add_argument("slug", help="the short name of the corpus, as in its address")

    def handle(self, *_args: object, **options: Any) -> None:
        """Make them, and say how many."""
        try:
            made = make_needs(corpus=corpus_named(options["slug"]), by=None)
        except Refused as refusal:
            raise CommandError(str(refusal), returncode=REFUSED) from refusal
        self.stdout.write(f"{made.needs:,} needs made; {made.queries:,} queries word a need now.")
        for sentence in made.left:
            self.stdout.write(sentence)
