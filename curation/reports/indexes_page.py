"""The indexes of a corpus, as a lead sees them; nothing here asks an index."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import QuerySet

from curation.indexes.base import IndexRefused
from curation.models import Corpus, Generation, TargetIndex
from curation.reports.aliases import NAMES as ALIASED
from curation.reports.generations import mined_index
from curation.reports.index_names import index_named
from curation.reports.manifests import ManifestPanel, State, panel_of


@dataclass(frozen=True, slots=True)
class IndexRow:
    """An index, whether it is the one mined against, and its newest generation with what it answered from then."""

    index: TargetIndex
    is_mined: bool
    newest: Generation | None
    manifest: ManifestPanel

    @property
    def has_record(self) -> bool:
        """Whether its manifest, or that it has none, is told at length."""
        return self.manifest.state not in {State.NOWHERE, State.UNREAD}

    @property
    def has_alias(self) -> bool:
        """Whether it is of a kind that a search service asks by an alias."""
        return self.index.kind in ALIASED

    @property
    def fingerprint(self) -> str:
        """The first digits of what it answered from, "" where nobody has asked yet."""
        return self.newest.index_fingerprint[:12] if self.newest else ""


def indexes_of(corpus: Corpus) -> list[IndexRow]:
    """Every index of the corpus by name, the mined one first; two more queries for each that names hashes."""
    mined = mined_index(corpus)
    generations = Generation.objects.filter(index__corpus=corpus).order_by("number")
    newest = {generation.index_id: generation for generation in generations}
    indexes = corpus.indexes.select_related("previous_target").order_by("name")
    rows = [IndexRow(index, index == mined, newest.get(index.pk), panel_of(index)) for index in indexes]
    return sorted(rows, key=lambda row: not row.is_mined)


def connected(corpus: Corpus) -> QuerySet[TargetIndex]:
    """The indexes that can be asked here besides exact search, by name: each may be measured."""
    kinds = (TargetIndex.Kind.EXACT, TargetIndex.Kind.RUN)
    return corpus.indexes.exclude(kind__in=kinds).order_by("name")


def connected_index(corpus: Corpus, name: str) -> TargetIndex:
    """The connected index of that name.

    Raises:
        IndexRefused: there is none, or it is no index that can be asked.
    """
    index = index_named(corpus, name)
    if index not in connected(corpus):
        what = index.get_kind_display().lower()
        raise IndexRefused(
            f"The index {name} ({what}) is not asked here; exact search is measured by itself, and export_run "
            f"{corpus.slug} exact --k 200 writes it to a file as deep as a gate reads."
        )
    return index
