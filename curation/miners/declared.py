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
TITLE = "title"
"""The name of a column that is read in titles."""
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
            keys = tuple(value and comparable(value, kind, tag=tag) for value in values)
            if kind == "jurisdiction":
                values = tuple(value and place_name(value, tag) for value in values)
            columns.append(Column(kind, field, values, keys, declared=True))
    return columns


def title_columns(titled: Sequence[Sequence[Fact]]) -> list[Column]:
    """A column named `TITLE` for each kind of fact that the members' titles state differently."""
    columns = (fact_column(kind, TITLE, titled, declared=True) for kind in _TITLED)
    return [column for column in columns if column.differs]


def differing_kinds(columns: Iterable[Column], told: Sequence[Sequence[Fact]]) -> set[Kind]:
    """Kinds that a declared column makes a difference in.

    A declared amount or jurisdiction counts wherever two members declare different ones. A date or version counts only
    if the text of some member states its own: otherwise nothing that was encoded could tell the members apart by it.
    """
    return {column.kind for column in stated(columns, told) if column.stated and len(set(column.keys) - {None}) > 1}


def beside(fields: Iterable[Column], titles: Iterable[Column], read: Iterable[Column]) -> tuple[Column, ...]:
    """Declared fields, then what is read in the texts, then what titles add; a fact said twice stands once.

    A column that says no more than a field does gives it its words, the text's before the title's.
    """
    own, apart = _absorbed(titles, fields)
    own, told = _absorbed(read, own)
    told, apart = _absorbed(apart, told)
    return (*own, *told, *apart)


def stated(columns: Iterable[Column], told: Sequence[Sequence[Fact]]) -> list[Column]:
    """The declared columns; a date or version that the text and title of no member state is marked."""
    return [replace(each, stated=each.kind not in _RENEWED or _is_told(each, told)) for each in columns]


def _absorbed(columns: Iterable[Column], hosts: Iterable[Column]) -> tuple[list[Column], list[Column]]:
    """The hosts, worded by the columns that say no more than one of them, and the other columns."""
    worded, rest = list(hosts), []
    for column in columns:
        place = next((at for at, host in enumerate(worded) if _says_no_more(column, host)), None)
        if place is None:
            rest.append(column)
        else:
            worded[place] = _in_words_of(worded[place], column)
    return worded, rest


def _says_no_more(column: Column, host: Column) -> bool:
    both = zip(column.keys, host.keys, strict=True)
    return column.kind == host.kind and host.differs and all(key is None or _meets(key, other) for key, other in both)


def _meets(key: str, other: str | None) -> bool:
    """Whether one value is the other, or a date that says less (2025-04 of 2025-04-01)."""
    return other is not None and (key == other or other.startswith(f"{key}-"))


def _in_words_of(host: Column, column: Column) -> Column:
    places = zip(host.values, host.keys, column.values, column.keys, strict=True)
    return replace(host, values=tuple(own if key != other else words for own, key, words, other in places))


def _is_told(column: Column, told: Sequence[Sequence[Fact]]) -> bool:
    return any(
        key is not None and fact.kind == column.kind and key.startswith(fact.value)
        for key, facts in zip(column.keys, told, strict=True)
        for fact in facts
    )


def comparable(value: str, kind: Kind, *, tag: str) -> str:
    """What a declared value of a locale is compared by: "2024-07-01", "EUR 250000", an ISO 3166 code, its own words."""
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
