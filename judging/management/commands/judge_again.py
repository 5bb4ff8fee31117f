"""`manage.py judge_again SLUG`: answers whose text changed since they were judged; `--send` asks judges anew."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any

from django.utils import timezone

from curation.commandline import corpus_named
from curation.models import Qrel
from curation.reporting import ReportCommand
from judging.actions.judging_again import send_changed
from judging.reports.judging_again import as_json, changed_answers, tally


class Command(ReportCommand):
    """List what is to be judged again, or send it."""

    help = "Answers whose text changed since they were judged."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Which corpus, and whether to send."""
        parser.add_argument("slug", help="the short name of the corpus, as in its address")
        parser.add_argument("--json", action="store_true", help="print JSON")
        parser.add_argument("--send", action="store_true", help="send all of them to judges")

    def make_ready(self, options: dict[str, Any]) -> None:
        """Send them where that is asked for."""
        corpus = corpus_named(options["slug"])
        if options["send"]:
            for words in send_changed(corpus=corpus, now=timezone.now()).refused:
                self.stderr.write(words)

    def tell(self, options: Mapping[str, Any]) -> str:
        """Each of them, and how many there are."""
        answers = changed_answers(corpus_named(options["slug"]))
        if options["json"]:
            return json.dumps([as_json(qrel) for qrel in answers], ensure_ascii=False, indent=1)
        moved = tally(answers)
        count = f"{moved.answers} graded on an earlier text, {moved.sent} of them sent to judges."
        return "\n".join([*map(in_words, answers), count])


def in_words(qrel: Qrel) -> str:
    """One line for a reader: "q1  d3  grade 1  sent"."""
    told = as_json(qrel)
    return f"{told['query_id']}  {told['document_id']}  grade {told['grade']}{'  sent' if told['sent'] else ''}"
