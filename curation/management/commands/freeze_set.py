"""`manage.py freeze_set SLUG NAME`: freeze what a corpus counts as the next version of a set."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Iterable
from typing import Any

from django.core.management.base import CommandError
from django.utils import timezone

from curation.actions.freezing import Blocked, freeze, prepare
from curation.actions.refusal import Refused
from curation.commandline import REFUSED, PlainCommand, corpus_named
from curation.models import SetVersion
from curation.reports.certificate import in_words, version_as_json

BLOCKED = 1


class Command(PlainCommand):
    """Freeze a set and print its certificate."""

    help = "Freeze what a corpus counts now as NAME@n. Exit 0 frozen, 1 blocked, 2 it could not run."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The corpus, the set's name, and what to print."""
        parser.add_argument("slug", help="the short name of the corpus, as in its address")
        parser.add_argument("name", help="the name of the set; its versions are numbered from 1")
        parser.add_argument("--dry-run", action="store_true", help="print what would be frozen and write nothing")
        parser.add_argument("--json", action="store_true", help="print JSON")

    def handle(self, *_args: object, slug: str, name: str, **options: Any) -> None:
        """Freeze, or say what is in the way."""
        try:
            asked: dict[str, Any] = {"corpus": corpus_named(slug), "name": name, "frozen_by": None}
            asked["now"] = timezone.now()
            version = prepare(**asked).version if options["dry_run"] else freeze(**asked)
        except Blocked as blocked:
            if options["json"]:
                told = {"frozen": False, "blocks": [each.as_json() for each in blocked.checks.blocks]}
                self.stdout.write(json.dumps(told, ensure_ascii=False, indent=1))
            raise CommandError(str(blocked), returncode=BLOCKED) from blocked
        except Refused as refusal:
            raise CommandError(str(refusal), returncode=REFUSED) from refusal
        self.stdout.write(told_of(version, frozen=not options["dry_run"], as_json=options["json"]))


def told_of(version: SetVersion, *, frozen: bool, as_json: bool) -> str:
    """The version with its certificate."""
    if as_json:
        return json.dumps({"frozen": frozen, **version_as_json(version)}, ensure_ascii=False, indent=1)
    return "\n".join(lines_of(version, frozen=frozen))


def lines_of(version: SetVersion, *, frozen: bool) -> Iterable[str]:
    """The certificate for a reader."""
    day = f"{version.frozen_at:%Y-%m-%d}"
    yield f"{version} frozen on {day}" if frozen else f"{version} would be frozen; nothing was written"
    yield f"SHA-256 {version.sha256}"
    if version.generation:
        yield f"Generation {version.generation.number} of index {version.generation.index.name}"
    yield from in_words(version.certificate)
