"""The alias of an index and what it leads to: the one place that knows how each kind of alias is opened."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings

from curation.indexes.aliases import Alias
from curation.indexes.base import IndexRefused
from curation.indexes.elastic_alias import ElasticAlias
from curation.indexes.elasticsearch import SearchedFields
from curation.indexes.faiss_file import check_location as check_file
from curation.indexes.faiss_link import FaissLink
from curation.indexes.location import check_name
from curation.indexes.pgvector import table_of
from curation.indexes.pgvector_view import PgvectorView, check_view
from curation.indexes.postgres import Database
from curation.indexes.qdrant import Collection
from curation.indexes.qdrant_alias import QdrantAlias
from curation.indexes.qdrant_server import QdrantServer
from curation.indexes.search_server import server_at
from curation.indexes.server import parted, server_named
from curation.models import TargetIndex
from curation.reports.index_names import spec_of
from curation.retrieval.patience import PATIENCE

Kind = TargetIndex.Kind
REASON = "why"


@dataclass(frozen=True, slots=True)
class WayBack:
    """An alias that leads to `before`, and is to lead to `to`, which `previous` is: both as its server names them."""

    alias: Alias
    before: str
    to: str
    previous: TargetIndex


def way_back(index: TargetIndex) -> WayBack:
    """The alias of `index`, and what it leads to before and after a rollback.

    Raises:
        IndexRefused: no previous target or no alias is named, they do not belong together, or the server is not known
            or does not answer.
    """
    if index.previous_target is None:
        raise IndexRefused(
            f"No previous target of {index.name} is named, so there is nothing to go back to; name one with"
            f" manage.py name_previous {shlex.quote(spec_of(index))} PREVIOUS --alias ALIAS."
        )
    check_pair(index, index.previous_target, index.alias)
    return OPENERS[Kind(index.kind)](index, index.previous_target)


def check_pair(index: TargetIndex, previous: TargetIndex, alias: str) -> None:
    """Refuse a previous target that one alias cannot lead to; nothing is asked.

    Raises:
        IndexRefused: they are of two corpora or kinds or servers, or the alias is no name of one.
    """
    check_alias(index, alias)
    if (previous.corpus_id, previous.kind) != (index.corpus_id, index.kind):
        raise IndexRefused(f"{previous.name} is of another corpus or kind than {index.name}; name one like it.")
    if previous.pk == index.pk or previous.location == index.location:
        raise IndexRefused(f"{index.name} cannot be its own previous target; name the index it came after.")
    if index.kind != Kind.FAISS_FILE and parted(previous.location)[0] != parted(index.location)[0]:
        raise IndexRefused(f"{previous.name} lies on another server than {index.name}; an alias leads within one.")


def check_alias(index: TargetIndex, alias: str) -> None:
    """Refuse what can be no alias of the index; nothing is asked.

    Raises:
        IndexRefused: indexes of its kind have none, it is no name of one, or it is the name of the index itself.
    """
    if index.kind not in NAMES:
        raise IndexRefused(
            f"{index.get_kind_display()} has no alias that could be led elsewhere; nothing is served by it."
        )
    if not alias:
        raise IndexRefused(f"No alias of {index.name} is named; say the name under which a search service asks it.")
    CHECKS[Kind(index.kind)](alias)
    if alias == NAMES[Kind(index.kind)](index.location):
        raise IndexRefused(f"{alias} is where {index.name} lies; an alias is another name that leads there.")


def rollback_command(index: TargetIndex, reason: str = REASON) -> str:
    """The exact command that leads the alias of `index` back; "" where no previous target is named."""
    if index.previous_target_id is None:
        return ""
    return f"manage.py rollback {shlex.quote(spec_of(index))} --reason {shlex.quote(reason)}"


def _elasticsearch(index: TargetIndex, previous: TargetIndex) -> WayBack:
    here, there = SearchedFields.read(index.location), SearchedFields.read(previous.location)
    server = server_at(here.server, os.environ)
    return WayBack(ElasticAlias(server, index.alias), here.index, there.index, previous)


def _qdrant(index: TargetIndex, previous: TargetIndex) -> WayBack:
    here, there = Collection.read(index.location), Collection.read(previous.location)
    server = QdrantServer.connect(here.server, os.environ)
    return WayBack(QdrantAlias(server, index.alias), here.name, there.name, previous)


def _pgvector(index: TargetIndex, previous: TargetIndex) -> WayBack:
    here, there = table_of(index.location), table_of(previous.location)
    view = PgvectorView(Database(server_named(here.server, os.environ), PATIENCE), index.alias)
    return WayBack(view, view.named(str(here)), view.named(str(there)), previous)


def _faiss_file(index: TargetIndex, previous: TargetIndex) -> WayBack:
    link = FaissLink(Path(settings.INDEX_FOLDER), index.alias)
    return WayBack(link, link.named(index.location), link.named(previous.location), previous)


OPENERS: Mapping[Kind, Callable[[TargetIndex, TargetIndex], WayBack]] = {
    Kind.ELASTICSEARCH: _elasticsearch,
    Kind.QDRANT: _qdrant,
    Kind.PGVECTOR: _pgvector,
    Kind.FAISS_FILE: _faiss_file,
}
CHECKS: Mapping[Kind, Callable[[str], None]] = {
    Kind.ELASTICSEARCH: check_name,
    Kind.QDRANT: check_name,
    Kind.PGVECTOR: check_view,
    Kind.FAISS_FILE: check_file,
}
NAMES: Mapping[Kind, Callable[[str], str]] = {
    Kind.ELASTICSEARCH: lambda location: SearchedFields.read(location).index,
    Kind.QDRANT: lambda location: Collection.read(location).name,
    Kind.PGVECTOR: lambda location: str(table_of(location)),
    Kind.FAISS_FILE: str,
}
