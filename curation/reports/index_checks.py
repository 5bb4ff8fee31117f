"""What an index holds, asked of the index itself. Runs in jobs and commands only."""

from __future__ import annotations

from dataclasses import dataclass

from curation.formats.manifest import Manifest
from curation.indexes.base import Ranked
from curation.models import Document, Query, TargetIndex
from curation.reports.indexes import answers, open_index, space_of
from curation.reports.made_indexes import standing_manifest

DEPTH = 10
TRIED = 20


@dataclass(frozen=True, slots=True)
class IndexCheck:
    """How many ids an index holds, which of them the corpus does not, how many of its documents are missing.

    `ranking` answers `query`, the first that it has an answer to; `query` is None where the corpus has none. `manifest`
    is the one that it was asked by, `encoder` the one that encodes its queries.
    """

    held: int
    unknown: tuple[str, ...]
    missing: int
    fingerprint: str
    query: Query | None
    ranking: tuple[Ranked, ...]
    manifest: Manifest | None
    encoder: str


def check_of(index: TargetIndex) -> IndexCheck:
    """Ask `index`, which need not be stored, for what it holds and for an answer.

    Raises:
        IndexRefused, TextsRefused, VectorsRefused: it cannot be asked.
    """
    opened, manifest = open_index(index), standing_manifest(index)
    queries = index.corpus.queries.exclude(status=Query.Status.RETIRED).select_related("stratum")
    tried = list(queries.order_by("external_id")[:TRIED])
    rankings = answers(index, tried, DEPTH, opened=opened) if tried else []
    answered = [(query, tuple(ranking)) for query, ranking in zip(tried, rankings, strict=True) if ranking]
    query, ranking = answered[0] if answered else (tried[0] if tried else None, ())
    held = set(opened.ids())
    known = set(Document.objects.filter(corpus=index.corpus, gone_at=None).values_list("external_id", flat=True))
    return IndexCheck(
        held=len(held),
        unknown=tuple(sorted(held - known)),
        missing=len(known - held),
        fingerprint=opened.fingerprint(),
        query=query,
        ranking=ranking,
        manifest=manifest,
        encoder=space_of(index).encoder if manifest else "",
    )
