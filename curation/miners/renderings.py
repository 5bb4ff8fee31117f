"""The same articles found near one another in several languages, folded into one group."""

from collections.abc import Mapping, Sequence

from curation.miners.documents import Documents
from curation.miners.group import Together


def one_language_each(groups: Sequence[Together], documents: Documents) -> Mapping[Together, list[Together]]:
    """The groups that are shown, in order of rows, each with those that hold no other articles in another language.

    A group is shown in the language in which more of its members are the source rendering, then in the larger one,
    then by language code.
    """
    shown: dict[Together, list[Together]] = {}
    holders: dict[str, list[Together]] = {}
    for group in sorted(groups, key=lambda rows: _standing(rows, documents)):
        articles = {documents.canonical_ids[row] for row in group}
        above = (other for other in holders.get(min(articles), []) if _renders(group, other, documents))
        holder = next(above, None)
        if holder is not None:
            shown[holder].append(group)
            continue
        shown[group] = []
        for article in articles:
            holders.setdefault(article, []).append(group)
    return dict(sorted(shown.items()))


def _standing(rows: Together, documents: Documents) -> tuple[int, int, str, Together]:
    sources = sum(documents.sources[row] for row in rows)
    return -sources, -len(rows), documents.languages[rows[0]], rows


def _renders(group: Together, other: Together, documents: Documents) -> bool:
    same_language = documents.languages[group[0]] == documents.languages[other[0]]
    articles = {documents.canonical_ids[row] for row in other}
    return not same_language and all(documents.canonical_ids[row] in articles for row in group)
