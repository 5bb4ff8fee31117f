"""`manage.py webhooks SLUG`: who is told of a corpus's alarms; `--add ADDRESS` and `--remove ADDRESS` change it."""

from __future__ import annotations

from argparse import ArgumentParser

from django.core.management.base import CommandError
from django.utils import timezone

from curation.actions.refusal import Refused
from curation.actions.webhooks import add_webhook, remove_webhook
from curation.commandline import REFUSED, PlainCommand, corpus_named
from curation.models import Corpus, Webhook
from curation.reports.webhooks import webhooks_of
from curation.retrieval.addresses import AddressRefused
from curation.retrieval.connections import checked_url


class Command(PlainCommand):
    """List, add and remove."""

    help = "List the webhooks of a corpus, or add or remove one; a new one's secret is printed once."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Which corpus, and what to change."""
        parser.add_argument("slug", help="the short name of the corpus, as in its address")
        parser.add_argument("--add", default="", metavar="ADDRESS", help="tell it from now on")
        parser.add_argument("--remove", default="", metavar="ADDRESS", help="tell it nothing more")

    def handle(self, *_args: object, slug: str, add: str, remove: str, **_options: object) -> None:
        """Change, then list."""
        try:
            corpus = corpus_named(slug)
            if add:
                added = add_webhook(corpus=corpus, address=add, added_by=None, now=timezone.now())
                self.stdout.write(f"Its secret, which is not shown again: {added.secret}")
            if remove:
                remove_webhook(webhook=told(corpus, remove), now=timezone.now())
        except Refused as refusal:
            raise CommandError(str(refusal), returncode=REFUSED) from refusal
        rows = webhooks_of(corpus)
        for row in rows:
            self.stdout.write(f"{row.webhook.address}: {row.delivered:,} delivered, {row.waiting:,} waiting")
        if not rows:
            self.stdout.write("Nobody is told.")


def told(corpus: Corpus, address: str) -> Webhook:
    """The webhook of that address, as it was written or as it is stored.

    Raises:
        Refused: there is none.
    """
    try:
        stored = str(checked_url(address))
    except AddressRefused as refusal:
        raise Refused(str(refusal)) from refusal
    found = corpus.webhooks.filter(address=stored, removed_at=None).first()
    if found is None:
        raise Refused(f"{address} is not told of anything in {corpus.slug}.")
    return found
