"""`manage.py judge_again SLUG`: answers whose text changed since they were judged; `--send` asks judges anew."""

from __future__ import annotations

import json
from argparse import ArgumentParser

from django.core.management.base import CommandError
from django.utils import timezone

from curation.actions.refusal import Refused
from curation.commandline import REFUSED, PlainCommand, corpus_named
from curation.models import Qrel
from judging.actions.judging_again import send_changed
from judging.reports.judging_again import as_json, changed_answers, tally


class Command(PlainCommand):
    """List what is to be judged again, or send it."""

    help = "Answers whose text changed since they were judged."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Which corpus, and whether to send."""
        parser.add_argument("slug", help="the short name of the corpus, as in its address")
        parser.add_argument("--json", action="store_true", help="print JSON")
        parser.add_argument("--send", action="store_true", help="send all of them to judges")

    def handle(self, *_args: object, slug: str, **options: object) -> None:
        """Send where asked, then print what the report says."""
        try:
            corpus = corpus_named(slug)
        except Refused as refusal:
            raise CommandError(str(refusal), returncode=REFUSED) from refusal
        if options["send"]:
            for words in send_changed(corpus=corpus, now=timezone.now()).refused:
                self.stderr.write(words)
        answers = changed_answers(corpus)
        if options["json"]:
            self.stdout.write(json.dumps([as_json(qrel) for qrel in answers], ensure_ascii=False, indent=1))
            return
        moved = tally(answers)
        count = f"{moved.answers} graded on an earlier text, {moved.sent} of them sent to judges."
        self.stdout.write("\n".join([*map(in_words, answers), count]))


def in_words(qrel: Qrel) -> str:
    """One line for a reader: "q1  d3  grade 1  sent"."""
    told = as_json(qrel)
    return f"{told['query_id']}  {told['document_id']}  grade {told['grade']}{'  sent' if told['sent'] else ''}"
