"""A tighter bar for groups that were mined already, from the scores that were kept: no vectors, no search.

The merges at a tighter bar are the first merges at the bar that was mined (`curation.miners.groups`), so the pairs
inside each group, those folded as renderings included, are all that mining again would have to go by.
"""

from collections.abc import Iterator, Sequence
from functools import partial

from curation.miners.documents import Documents
from curation.miners.group import Group, Scene, cosines_within, describe
from curation.miners.groups import bounded_groups
from curation.miners.kept import KeptGroup, KeptScores
from curation.miners.pairs import Pair
from curation.miners.progress import Progress, silent
from curation.miners.renderings import one_language_each

Tightened = list[int | Group]
"""Groups in order: the place of a kept group that stays whole, or a part of one as it is described anew."""


def tightened(
    kept: Sequence[KeptGroup],
    documents: Documents,
    *,
    threshold: float,
    places: frozenset[str],
    progress: Progress = silent,
) -> Tightened:
    """The groups that mining at `threshold` would find, which is at or above the bar that `kept` was mined at.

    Args:
        kept: every group of a run.
        documents: those that stand in `kept` or one of its renderings; texts are read only of groups that change.
        threshold: the lowest cosine of any two members.
        places: jurisdictions that the corpus declares.
        progress: called with groups done and groups in all.
    """
    row_of = {name: row for row, name in enumerate(documents.external_ids)}
    scored = [each for group in kept for each in (group.scored, *group.renderings)]
    pairs = [pair for each in scored for pair in _pairs(each, row_of) if pair.cosine >= threshold]
    found = bounded_groups(pairs, still_wanted=partial(progress, 0, len(kept)))
    scene = Scene(
        documents,
        twins={row_of[name]: twins for each in scored for name, twins in zip(each.documents, each.twins, strict=True)},
        cosines=cosines_within(found, pairs),
        places=places,
    )
    whole = {tuple(row_of[member.document] for member in group.members): place for place, group in enumerate(kept)}
    shown = one_language_each(found, documents)
    groups: Tightened = []
    for done, (rows, renderings) in enumerate(shown.items(), 1):
        groups.append(whole[rows] if rows in whole else describe(rows, scene, renderings=renderings))
        progress(done, len(shown))
    return groups


def _pairs(kept: KeptScores, row_of: dict[str, int]) -> Iterator[Pair]:
    rows = [row_of[name] for name in kept.documents]
    return (Pair(rows[first], rows[second], cosine) for first, second, cosine in kept.scores)
