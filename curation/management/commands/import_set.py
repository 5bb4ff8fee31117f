"""`manage.py import_set SLUG PATH`: what `export_set` wrote comes back whole, and is encoded."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from curation.actions.corpora import CorpusAsked
from curation.actions.embeddings import DEFAULT_ENCODER, encoders_for
from curation.actions.receipts import Intake, Receipt
from curation.actions.refusal import Refused
from curation.actions.set_importing import import_set
from curation.commandline import corpus_named
from curation.management.commands import import_corpus
from curation.retrieval.vectors import Vectors


class Command(import_corpus.Command):
    """Import an exported set."""

    help = "Import an exported set whole, documents, queries, grades and strata, or nothing of it; then encode it."

    def store(self, asked: CorpusAsked, intake: Intake, *, options: dict[str, Any], now: datetime) -> Receipt:
        """Call the action.

        Raises:
            Refused: an option would read the set as something else than what was exported.
        """
        if options["whole"] or options["traffic"]:
            raise Refused("An exported set is read as it is; leave out --whole and --traffic.")
        return import_set(asked=asked, intake=intake, now=now)

    def make_space(self, options: dict[str, Any], vectors: Vectors | None) -> list[str]:
        """Encode the documents; say where nobody chose by what."""
        has_space = corpus_named(options["slug"]).embedding_spaces.filter(current=True).exists()
        told = super().make_space(options, vectors)
        if has_space or vectors is not None or options["encoder"]:
            return told
        others = " or ".join(f"--encoder {name}" for name in encoders_for("") if name != DEFAULT_ENCODER)
        return [
            *told,
            f"No encoder was named, so {DEFAULT_ENCODER} was taken; {others} encodes anew.",
        ]
