"""`manage.py add_index SLUG NAME --kind KIND --location LOCATION`: tell where an index of the corpus is."""

from __future__ import annotations

from argparse import ArgumentParser

from django.core.management.base import CommandError
from django.utils import timezone

from curation.actions.adding import ADDED, Served, add_index, described
from curation.actions.refusal import Refused
from curation.commandline import REFUSED, PlainCommand, corpus_named
from curation.indexes.base import IndexRefused
from curation.management.commands.check_index import in_words
from curation.models import TargetIndex
from curation.reports.index_checks import check_of
from curation.reports.index_names import index_named
from curation.reports.manifests import panel_of
from curation.retrieval.encoders import TextsRefused
from curation.retrieval.vectors import VectorsRefused


class Command(PlainCommand):
    """Add an index, or move one."""

    help = "Ask an index, and store where it is if it answers. Its address stays in the environment (INDEX_URL_NAME)."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """What it is called, of which kind it is, and where."""
        parser.add_argument("slug", help="the short name of the corpus, as in its address")
        parser.add_argument("name", help="what pages and reports call the index")
        parser.add_argument("--kind", required=True, choices=[kind.value for kind in ADDED])
        parser.add_argument("--location", default="", help="where it is, in the form of its kind (docs/formats.md)")
        parser.add_argument("--alias", default="", help="the name under which a search service asks it")
        parser.add_argument("--previous", default="", metavar="NAME", help="the index its alias led to before")
        parser.add_argument("--production", action="store_true", help="mine against it from now on")

    def handle(self, *_args: object, slug: str, name: str, kind: str, location: str, **options: object) -> None:
        """Ask first, then store."""
        before = str(options["previous"])
        try:
            corpus = corpus_named(slug)
            previous = index_named(corpus, before) if before else None
            served = Served(bool(options["production"]), str(options["alias"]), previous)
            index = described(corpus=corpus, name=name, kind=TargetIndex.Kind(kind), location=location)
            check = check_of(index)
            add_index(index=index, manifest=check.manifest, served=served, now=timezone.now())
        except (Refused, IndexRefused, TextsRefused, VectorsRefused) as refusal:
            raise CommandError(str(refusal), returncode=REFUSED) from refusal
        warned = filter(None, [panel_of(index).warning])
        self.stdout.write("\n".join((*in_words(index, check), stored(index), *warned)))


def stored(index: TargetIndex) -> str:
    """That the index is there now, and whether it is mined."""
    if index.is_production:
        return f"{index.name} is stored and in production: hard negatives are mined against it from now on."
    return f"{index.name} is stored, and not in production; --production puts it there."
