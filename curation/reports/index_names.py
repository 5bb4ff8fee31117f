"""Which index a command means: a name alone where one corpus has it, else the corpus before it."""

from __future__ import annotations

from curation.indexes.base import IndexRefused
from curation.models import TargetIndex


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
    known = ", ".join(map(spec_of, indexes)) or "none yet"
    raise IndexRefused(f"There is no index {spec}. Known: {known}.")


def spec_of(index: TargetIndex) -> str:
    """How a command names the index, whatever other corpora hold."""
    return f"{index.corpus.slug}/{index.name}"
