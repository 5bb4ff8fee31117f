"""`manage.py check_index SLUG NAME`: ask an index what it holds."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterable

from django.core.management.base import CommandError

from curation.actions.refusal import Refused
from curation.commandline import REFUSED, PlainCommand, corpus_named
from curation.indexes.base import IndexRefused
from curation.models import TargetIndex
from curation.reports.index_checks import IndexCheck, check_of
from curation.reports.index_names import index_named
from curation.reports.manifests import rows_of
from curation.retrieval.encoders import TextsRefused
from curation.retrieval.vectors import VectorsRefused

NAMED = 5


class Command(PlainCommand):
    """Check an index."""

    help = "Ask an index one query, and tell how much it holds and how many of its ids the corpus does not know."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Which one."""
        parser.add_argument("slug", help="the short name of the corpus, as in its address")
        parser.add_argument("name", help="the name of the index")

    def handle(self, *_args: object, slug: str, name: str, **_options: object) -> None:
        """Ask and tell."""
        try:
            index = index_named(corpus_named(slug), name)
            check = check_of(index)
        except (Refused, IndexRefused, TextsRefused, VectorsRefused) as refusal:
            raise CommandError(str(refusal), returncode=REFUSED) from refusal
        self.stdout.write("\n".join(in_words(index, check)))


def in_words(index: TargetIndex, check: IndexCheck) -> Iterable[str]:
    """What was found, a line each."""
    place = f", {index.location}" if index.location else ""
    production = ", in production" if index.is_production else ""
    yield f"{index.name}: {index.get_kind_display()}{place}{production}"
    yield f"holds {check.held:,} documents; {check.missing:,} of the corpus are missing from it"
    named = ", ".join(check.unknown[:NAMED]) + (" …" if len(check.unknown) > NAMED else "")
    yield f"{len(check.unknown):,} of its ids are unknown to the corpus" + (f": {named}" if named else "")
    yield f"fingerprint {check.fingerprint}"
    yield from as_made(check)
    if check.query is None:
        yield "The corpus has no query to ask it yet."
        return
    yield f"asked {check.query.external_id} ({check.query.text}): {len(check.ranking)} answers"
    yield from (f"  {rank:>2} {place.external_id}  {place.score:.4f}" for rank, place in enumerate(check.ranking, 1))


def as_made(check: IndexCheck) -> Iterable[str]:
    """What its manifest makes of a query before it is asked."""
    if check.manifest is None:
        return
    told = dict(rows_of(check.manifest))
    steps = [told[name] for name in ("embedding", "order", "quantisation") if name in told]
    yield f"asked as its manifest says: {'; '.join(steps)}"
    model = check.manifest.embedding.model
    if model != check.encoder:
        yield f"its manifest names the encoder {model}, and {check.encoder} encodes queries: see that both are one"
