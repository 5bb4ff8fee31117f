"""Facts that stand beside a text, in its fields or its title, set beside what the text says itself."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import regex

from curation.miners.dates import dates
from curation.miners.differences import Column, fact_column
from curation.miners.facts import Fact, Kind
from curation.miners.figures import parse_figure, plain
from curation.miners.places import place_name, place_value
from curation.miners.quantities import measured

FIELDS: Mapping[str, Kind] = {
    "effective_date": "date", "limit_amount": "amount", "jurisdiction": "jurisdiction", "version": "version",
}  # fmt: skip
# Every revision of a text is given a new one of these, so by themselves they set no two members apart.
_RENEWED: frozenset[Kind] = frozenset({"date", "version"})
# What a title may set members apart by; its other numbers are those of chapters and paragraphs.
_TITLED: tuple[Kind, ...] = ("date", "amount", "percent", "duration", "jurisdiction", "version")


def declared_columns(facts: Sequence[Mapping[str, str]], tag: str) -> list[Column]:
    """A column for each field that some member declares, in the order of `FIELDS`."""
    columns = []
    for field, kind in FIELDS.items():
        values = tuple(own.get(field) or None for own in facts)
        if any(values):
            keys = tuple(value and _key(value, kind, tag=tag) for value in values)
            if kind == "jurisdiction":
                values = tuple(value and place_name(value, tag) for value in values)
            columns.append(Column(kind, field, values, keys, declared=True))
    return columns


def title_columns(titled: Sequence[Sequence[Fact]]) -> list[Column]:
    """A column named title for each kind of fact that the members' titles state differently."""
    columns = (fact_column(kind, "title", titled, declared=True) for kind in _TITLED)
    return [column for column in columns if column.differs]


def differing_kinds(columns: Iterable[Column], told: Sequence[Sequence[Fact]]) -> set[Kind]:
    """Kinds that a declared column makes a difference in.

    A declared amount or jurisdiction counts wherever two members declare different ones. A date or version counts only
    if the text of some member states its own: otherwise nothing that was encoded could tell the members apart by it.
    """
    return {
        column.kind
        for column in columns
        if len(set(column.keys) - {None}) > 1 and (column.kind not in _RENEWED or _is_told(column, told))
    }


def beside(declared: Sequence[Column], read: Sequence[Column]) -> tuple[Column, ...]:
    """Columns from beside the texts, then those read in them; a fact both state stands once, in the text's words."""
    spoken = {(column.kind, column.keys): column.values for column in read}
    named = {(column.kind, column.keys) for column in declared}
    own = (replace(column, values=spoken.get((column.kind, column.keys), column.values)) for column in declared)
    return (*own, *(column for column in read if (column.kind, column.keys) not in named))


def _is_told(column: Column, told: Sequence[Sequence[Fact]]) -> bool:
    return any(
        key is not None and fact.kind == column.kind and key.startswith(fact.value)
        for key, facts in zip(column.keys, told, strict=True)
        for fact in facts
    )


def _key(value: str, kind: Kind, *, tag: str) -> str:
    if kind == "jurisdiction":
        return place_value(value, tag)
    if kind == "version":
        return str(regex.sub(r"^\s*v(?:ersion)?\.?\s*", "", value.casefold())).strip()
    if kind == "amount":
        return next((fact.value for fact in measured(value, tag) if fact.kind == "amount"), _figure(value, tag))
    return next((fact.value for fact in dates(value, tag)), value.strip())


def _figure(value: str, tag: str) -> str:
    number = parse_figure(value.strip(), tag) if regex.fullmatch(r"[\p{Nd}.,'’\s]+", value) else None
    return plain(number) if number is not None else value.strip().casefold()
