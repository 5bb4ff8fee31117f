"""Text twins: documents with the very same text, which are true duplicates and not near ones."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from curation.miners.bounds import Rows
from curation.miners.documents import Documents, fingerprint
from curation.miners.progress import wanted

_ASKED_EVERY = 5000


@dataclass(frozen=True)
class Twins:
    """The texts of a corpus, each once.

    `alone` holds, by language, the first row of every distinct text; `of` the rows that repeat it, by that first row;
    `sets` the external ids of each text that stands under two canonical ids or more, in order of their first id.
    """

    alone: Mapping[str, Rows]
    of: Mapping[int, tuple[int, ...]]
    sets: tuple[tuple[str, ...], ...]


def find_twins(documents: Documents, *, still_wanted: Callable[[], None] = wanted) -> Twins:
    """Fold documents with the same text: within a language for grouping, across languages for the report.

    `still_wanted` is called now and then; whatever it raises ends the reading.
    """
    by_text: dict[str, list[int]] = {}
    for row in range(len(documents)):
        if row % _ASKED_EVERY == _ASKED_EVERY - 1:
            still_wanted()
        by_text.setdefault(fingerprint(documents.texts[row]), []).append(row)
    alone: dict[str, list[int]] = {}
    of: dict[int, tuple[int, ...]] = {}
    for rows in by_text.values():
        for language, (first, *others) in _by_language(rows, documents).items():
            alone.setdefault(language, []).append(first)
            of[first] = tuple(others)
    return Twins(
        alone={language: np.array(sorted(rows), dtype=np.int64) for language, rows in sorted(alone.items())},
        of=of,
        sets=tuple(
            tuple(documents.external_ids[row] for row in rows)
            for rows in by_text.values()
            if len({documents.canonical_ids[row] for row in rows}) > 1
        ),
    )


def _by_language(rows: Sequence[int], documents: Documents) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for row in rows:
        found.setdefault(documents.languages[row], []).append(row)
    return found
