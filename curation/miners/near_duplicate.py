"""Near-duplicate groups: documents that read almost alike, with the facts that set each one apart.

Groups hold documents of one language: a pair is counted only between documents of one language and different canonical
ids, so renderings of an article never meet. The same articles found near in two languages are one group; see
`curation.miners.renderings` for the language it is shown in.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np

from curation.miners.documents import Documents, DocumentsRefused
from curation.miners.group import Group, Scene, cosines_within, describe
from curation.miners.groups import bounded_groups
from curation.miners.pairs import MOST_PAIRS, Pair, TooManyPairs, block_count, near_pairs
from curation.miners.progress import Progress, silent
from curation.miners.renderings import one_language_each
from curation.miners.twins import Twins, find_twins
from curation.miners.wording import read_alike
from curation.retrieval.vectors import Matrix


@dataclass(frozen=True)
class NearDuplicates:
    """Groups in order of their first member's external id; apart from them `twins`, sets of ids with the same text."""

    threshold: float
    pairs: int
    groups: tuple[Group, ...]
    twins: tuple[tuple[str, ...], ...]

    @property
    def largest(self) -> int:
        """Members of the largest group; 0 without groups."""
        return max((len(group.members) for group in self.groups), default=0)


def mine(
    vectors: Matrix,
    documents: Documents,
    *,
    threshold: float,
    progress: Progress = silent,
    threads: int | None = None,
) -> NearDuplicates:
    """Find the near-duplicate groups of a corpus.

    Args:
        vectors: (n, d) float32, row i for `documents.external_ids[i]`; a memory-mapped file as a rule.
        documents: the corpus, n rows.
        threshold: the lowest cosine of any two members.
        progress: called with steps done and steps in all (tiles of rows compared, then groups described); groups are
            added to the steps once they are known.
        threads: for the pair search; None takes one for each core.

    The result depends neither on the order the corpus was imported in nor on the number of threads.

    Raises:
        DocumentsRefused: the vectors have another number of rows than there are documents.
        TooManyPairs: the threshold lets through more pairs than can be grouped.
    """
    if len(vectors) != len(documents):
        raise DocumentsRefused(f"There are {len(documents)} documents and {len(vectors)} vectors.")
    twins = find_twins(documents, still_wanted=partial(progress, 0, 1))
    search = _Search(vectors, documents, twins, threshold, threads)
    pairs = search.pairs(progress)
    found = bounded_groups(pairs, still_wanted=partial(progress, search.tiles, search.tiles))
    scene = _scene(documents, twins, cosines_within(found, pairs))
    shown = one_language_each(found, documents)
    groups = []
    for done, (rows, renderings) in enumerate(shown.items(), 1):
        groups.append(describe(rows, scene, renderings=renderings))
        progress(search.tiles + done, search.tiles + len(shown))
    return NearDuplicates(threshold, len(pairs), tuple(groups), twins.sets)


def _scene(documents: Documents, twins: Twins, cosines: Mapping[tuple[int, int], float]) -> Scene:
    return Scene(
        documents,
        twins={row: [documents.external_ids[twin] for twin in others] for row, others in twins.of.items() if others},
        cosines=cosines,
        places=frozenset(own["jurisdiction"] for own in documents.facts if own.get("jurisdiction")),
    )


@dataclass(frozen=True)
class _Search:
    """The pairs of every language, counted as one piece of work."""

    vectors: Matrix
    documents: Documents
    twins: Twins
    threshold: float
    threads: int | None

    @property
    def tiles(self) -> int:
        """Tiles of rows to compare, in all languages."""
        return sum(block_count(len(rows)) for rows in self.twins.alone.values())

    def pairs(self, progress: Progress) -> list[Pair]:
        """Pairs of one language that reach the threshold and read alike."""
        folds = np.unique(np.array(self.documents.canonical_ids), return_inverse=True)[1]
        total, before = self.tiles, 0
        pairs: list[Pair] = []
        for rows in self.twins.alone.values():
            near = near_pairs(
                self.vectors,
                rows,
                bar=self.threshold,
                folds=folds,
                progress=_after(before, total, progress),
                threads=self.threads,
            )
            before += block_count(len(rows))
            pairs += read_alike(near, self.documents.body, still_wanted=partial(progress, before, total))
            if len(pairs) > MOST_PAIRS:
                raise TooManyPairs(
                    f"More than {MOST_PAIRS:,} pairs of documents in all languages reach a similarity of"
                    f" {self.threshold:g}, which is more than can be grouped: mine at a higher one."
                )
        return pairs


def _after(before: int, total: int, progress: Progress) -> Progress:
    """The progress of one language, as part of all of them."""
    return lambda done, _own: progress(before + done, total)
