"""`manage.py floors SLUG`: the floors that the gates of a corpus hold, and setting them."""

from __future__ import annotations

from argparse import SUPPRESS, ArgumentParser
from typing import Any

from django.core.management.base import CommandError
from django.utils import timezone

from curation.actions.floors import set_floors
from curation.actions.refusal import Refused
from curation.commandline import REFUSED, PlainCommand, corpus_named
from curation.models import Corpus, User
from curation.reports.gate_floors import NAMES, change_in_words, floor_changes, floors_of, level_in_words

HOUSE = "house"


class Command(PlainCommand):
    """Show or set floors."""

    help = "Show the floors that gates of a corpus hold, or set some of them; 'house' takes the installation's again."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Which corpus, and which levels."""
        parser.add_argument("slug", help="the corpus")
        for name in NAMES:
            parser.add_argument(f"--{name}", type=level, default=SUPPRESS, metavar="LEVEL|house", help="from 0 to 1")
        parser.add_argument("--reason", default="", help="why; a verdict under lowered floors names it")
        parser.add_argument("--by", metavar="USERNAME", help="the lead who sets them")

    def handle(self, *_args: object, slug: str, **options: Any) -> None:
        """Set what is named, and print what holds now."""
        given = {name: options[name] for name in NAMES if name in options}
        try:
            corpus = corpus_named(slug)
            if given:
                set_floors(
                    corpus=corpus, levels=given, reason=options["reason"], by=lead(options["by"]), now=timezone.now()
                )
            self.stdout.write(in_words(corpus))
        except ValueError as refusal:
            raise CommandError(str(refusal), returncode=REFUSED) from refusal


def lead(username: str | None) -> User:
    """The person of that name.

    Raises:
        Refused: nobody is named, or there is none.
    """
    found = User.objects.filter(username=username or "").first()
    if found is None:
        raise Refused("Floors name the lead who sets them; give --by with their username, and --reason.")
    return found


def level(told: str) -> float | None:
    """A level; None for the word that takes the installation's.

    Raises:
        ValueError: it is neither.
    """
    return None if told == HOUSE else float(told)


def in_words(corpus: Corpus) -> str:
    """Each floor, a line each, and whose it is; then who changed them, the newest change first."""
    changed = [f"changed: {change_in_words(change)}" for change in floor_changes(corpus)]
    levels = [
        f"{name:<9} {level_in_words(held)}{'' if name in corpus.floors else ' (of the installation)'}"
        for name, held in floors_of(corpus).as_json().items()
    ]
    return "\n".join([*levels, *changed])
