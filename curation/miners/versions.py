"""The members of a group side by side: what their texts, their titles and their declared facts say."""

from collections.abc import Sequence
from dataclasses import dataclass

from curation.miners.declared import beside, declared_columns, differing_kinds, title_columns
from curation.miners.differences import Column, Passage, compare, ordered
from curation.miners.documents import Documents
from curation.miners.facts import Difference, Fact
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
    bodies = [documents.body(row) for row in rows]
    facts = tuple(facts_in(body, language, declared=places) for body in bodies)
    titled = tuple(facts_in(documents.titles[row], language, declared=places) for row in rows)
    compared = compare(bodies, facts)
    declared = declared_columns([documents.facts[row] for row in rows], language)
    told = [(*own, *title) for own, title in zip(facts, titled, strict=True)]
    by_declaration = differing_kinds(declared, told)
    titles = title_columns(titled)
    return Versions(
        facts=facts,
        columns=beside([*declared, *titles], compared.columns),
        telling=beside([column for column in declared if column.kind in by_declaration] + titles, compared.columns),
        shared=compared.shared,
        same=compared.same,
        differs_in=ordered({*compared.differs_in, *by_declaration, *(column.kind for column in titles)}),
    )
