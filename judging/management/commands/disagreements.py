"""`manage.py disagreements SLUG`: what judges graded differently and no lead has decided yet."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any

from django.utils import timezone

from curation.commandline import corpus_named
from curation.reporting import ReportCommand
from judging.reports.disagreements import Disagreement, Voice, disagreements, settled_today


class Command(ReportCommand):
    """List the open disagreements of a corpus."""

    help = "The open disagreements of a corpus in the order of its page, without the names of the judges."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Which corpus."""
        parser.add_argument("slug", help="the short name of the corpus, as in its address")
        parser.add_argument("--json", action="store_true", help="print JSON")

    def tell(self, options: Mapping[str, Any]) -> str:
        """Each of them, and how many were settled today."""
        corpus = corpus_named(options["slug"])
        rows, settled = disagreements(corpus), settled_today(corpus, now=timezone.now())
        if options["json"]:
            told = {"open": [row.as_json() for row in rows], "settled_today": settled}
            return json.dumps(told, ensure_ascii=False, indent=1)
        splitting = f"{sum(row.splits for row in rows)} of them on different sides of relevant"
        ending = f"{len(rows)} open, {splitting} (grade {corpus.relevant_from}). {settled} settled today."
        return "\n".join([*(line_of(row) for row in rows), ending])


def line_of(row: Disagreement) -> str:
    """One disagreement on one line."""
    stratum = row.query.stratum
    pair = f"{stratum.query_language} x {stratum.corpus_language}"
    said = ", ".join(in_words(voice) for voice in row.voices)
    return f"{row.query.external_id}  {pair:<10} {row.dispute.canonical_id:<20} {said}  {row.query.text}"


def in_words(voice: Voice) -> str:
    """What one judge said."""
    said = voice.opinion
    imported = ", imported" if said.is_imported else ""
    twin = f" on its twin {said.on_twin.canonical_id}" if said.on_twin else ""
    return f"{voice.name}{imported} {'unmarked' if said.swept else said.grade}{twin}"
