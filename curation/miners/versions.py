"""The members of a group side by side: what their texts, their titles and their declared facts say."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from curation.miners.declared import beside, declared_columns, differing_kinds, stated, title_columns
from curation.miners.differences import Column, Passage, compare, ordered
from curation.miners.documents import Documents
from curation.miners.facts import Difference, Fact
from curation.miners.pieces import pieces
from curation.miners.place_names import is_subdivision, learned_names
from curation.miners.places import place_value
from curation.miners.reading import facts_in


@dataclass(frozen=True)
class Versions:
    """Members in the order of their rows: the facts of each text, and what `Comparison` says of all of them.

    `telling` are the columns a query may name: all but declared facts that by themselves set nothing apart.
    """

    facts: tuple[tuple[Fact, ...], ...]
    columns: tuple[Column, ...]
    telling: tuple[Column, ...]
    shared: tuple[Passage, ...]
    same: tuple[Fact, ...]
    differs_in: tuple[Difference, ...]


def side_by_side(rows: Sequence[int], documents: Documents, *, places: frozenset[str]) -> Versions:
    """Compare the texts of some rows of one language without their titles, then titles and declared facts.

    Args:
        rows: two rows or more.
        documents: the corpus.
        places: jurisdictions that the corpus declares.
    """
    language = documents.languages[rows[0]]
    texts = ([documents.body(row) for row in rows], [documents.titles[row] for row in rows])
    own = [documents.facts[row] for row in rows]
    names = _names(texts, [each.get("jurisdiction", "") for each in own], language)
    facts, titled = (tuple(_read(text, language, places=places, names=names) for text in column) for column in texts)
    compared = compare(texts[0], facts)
    told = [(*each, *title) for each, title in zip(facts, titled, strict=True)]
    declared = stated(declared_columns(own, language), told)
    by_declaration = differing_kinds(declared, told)
    titles = title_columns(titled)
    return Versions(
        facts=facts,
        columns=beside(declared, titles, compared.columns),
        telling=beside([column for column in declared if column.kind in by_declaration], titles, compared.columns),
        shared=compared.shared,
        same=compared.same,
        differs_in=ordered({*compared.differs_in, *by_declaration, *(column.kind for column in titles)}),
    )


def _names(texts: Iterable[Sequence[str]], declared: Sequence[str], language: str) -> dict[str, str]:
    """What texts or titles call the subdivisions that their documents declare by code, to the code."""
    if not any(map(is_subdivision, declared)):
        return {}
    learned: dict[str, str] = {}
    for column in texts:
        learned |= learned_names([pieces(text, facts_in(text, language)) for text in column], declared, language)
    return learned


def _read(text: str, language: str, *, places: frozenset[str], names: Mapping[str, str]) -> tuple[Fact, ...]:
    """The facts of a text; a place that goes by a learned name has the value of its code."""
    codes = {place_value(name, language): place_value(code, language) for name, code in names.items()}
    found = facts_in(text, language, declared=places.union(names))
    return tuple(replace(fact, value=codes.get(fact.value, fact.value)) for fact in found)
