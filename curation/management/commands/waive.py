"""`manage.py waive SLUG SUBJECT`: a lead lets one rejection stand aside until a date, or takes that back."""

from __future__ import annotations

from argparse import ArgumentParser
from datetime import date
from typing import Any

from django.core.management.base import CommandError
from django.utils import timezone

from curation.actions.refusal import Refused
from curation.actions.waiving import Terms, checked_subject, grant, withdraw
from curation.commandline import REFUSED, PlainCommand, corpus_named, day
from curation.models import Corpus, User
from curation.reports.schedule import today_in
from curation.reports.waivers import waivers_of


class Command(PlainCommand):
    """Grant, withdraw or list waivers."""

    help = "Let the rejection of a slice, locale or cell stand aside until a date (leads alone). Without one, list."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """What, why, until when, and by whom."""
        parser.add_argument("slug", help="the corpus")
        parser.add_argument("subject", nargs="?", help='"slice near_duplicate", "locale tr" or "cell tr en"')
        parser.add_argument("--until", type=day, metavar="YYYY-MM-DD", help="the last day, included")
        parser.add_argument("--reason", default="", help="why; it stands on every report that the waiver counts for")
        parser.add_argument("--by", metavar="USERNAME", help="the lead who waives")
        parser.add_argument("--withdraw", action="store_true", help="let the floor count again")

    def handle(self, *_args: object, **options: Any) -> None:
        """Do it, and say so."""
        now = timezone.now()
        try:
            corpus = corpus_named(options["slug"])
            told = done(corpus, options) if options["subject"] else in_words(corpus, today_in(corpus, now))
        except Refused as refusal:
            raise CommandError(str(refusal), returncode=REFUSED) from refusal
        self.stdout.write(told)


def done(corpus: Corpus, options: dict[str, Any]) -> str:
    """Grant or withdraw what the options say.

    Raises:
        Refused: nobody of that name leads the corpus, the day is missing or past, or nothing of the kind is waived.
    """
    by = User.objects.filter(username=options["by"] or "").first()
    if by is None:
        raise Refused("A waiver names the lead who grants or withdraws it; give --by with their username.")
    now = timezone.now()
    if options["withdraw"]:
        found = list(waivers_of(corpus).filter(subject=checked_subject(options["subject"])))
        if not found:
            raise Refused(f"Nothing is waived for {options['subject']}.")
        for waiver in found:
            withdraw(waiver=waiver, by=by, now=now)
        return f"Withdrawn: {options['subject']} counts again from the next run."
    if options["until"] is None:
        raise Refused("A waiver ends on a day; give --until, as in --until 2026-09-30.")
    granted = grant(corpus=corpus, terms=Terms(options["subject"], options["reason"], options["until"]), by=by, now=now)
    return f"Waived until {granted.until}: {granted.subject}. It counts for the next run."


def in_words(corpus: Corpus, today: date) -> str:
    """The waivers that nobody withdrew, a line each."""
    lines = [
        f"{waiver.subject} until {waiver.until}{' (expired)' if waiver.until < today else ''} by {waiver.granted_by}: "
        f"{waiver.reason}"
        for waiver in waivers_of(corpus)
    ]
    return "\n".join(lines) or "Nothing is waived."
