"""Which index is meant: a name alone where one corpus has it, else the corpus before it."""

from __future__ import annotations

from django.db.models import QuerySet

from curation.indexes.base import IndexRefused
from curation.models import Corpus, TargetIndex


def index_meant(spec: str) -> TargetIndex:
    """The index of `NAME`, or of `SLUG/NAME`.

    Raises:
        IndexRefused: there is none, or several corpora have one of that name.
    """
    slug, slash, name = spec.partition("/")
    indexes = TargetIndex.objects.select_related("corpus", "previous_target").order_by("corpus__slug", "name")
    found = list(indexes.filter(name=spec)) or list(indexes.filter(corpus__slug=slug, name=name) if slash else ())
    if len(found) == 1:
        return found[0]
    if found:
        raise IndexRefused(f"Several corpora have an index {spec}; write {' or '.join(map(spec_of, found))}.")
    raise _none_such(spec, indexes)


def index_named(corpus: Corpus, name: str) -> TargetIndex:
    """The index of that name in `corpus`.

    Raises:
        IndexRefused: there is none.
    """
    index = corpus.indexes.filter(name=name).first()
    if index is None:
        raise _none_such(f"{corpus.slug}/{name}", corpus.indexes.select_related("corpus").order_by("name"))
    return index


def spec_of(index: TargetIndex) -> str:
    """How a command names the index, whatever other corpora hold."""
    return f"{index.corpus.slug}/{index.name}"


def _none_such(spec: str, indexes: QuerySet[TargetIndex]) -> IndexRefused:
    known = ", ".join(map(spec_of, indexes)) or "none yet"
    return IndexRefused(f"There is no index {spec}. Known: {known}.")
