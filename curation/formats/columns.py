"""Finds the column of each field: by the reader's own mapping first, then under the usual names."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from curation.formats.faults import FileRefused, RowRefused, Tally
from curation.formats.jsonl import json_object
from curation.formats.records import JsonValue, Record
from curation.formats.taken import Taken, is_empty

METADATA = "metadata"
PACKED = "metadata_json"
"""The column by which our Parquet carries metadata, whose fields may be of any type: one JSON object."""
_MOST_NAMED = 12


@dataclass(frozen=True, slots=True)
class Field:
    """A field under the column names it is known by; an earlier name wins where its value is not empty.

    A table needs the column of a `required` one, or that of the field `instead` of it.
    """

    name: str
    aliases: tuple[str, ...] = ()
    required: bool = False
    instead: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        """All names it may have, strongest first."""
        return (self.name, *self.aliases)


class Columns:
    """The columns of one file's fields; `mapping` is field to column, as in `--map field=column`.

    Raises:
        FileRefused: the mapping names a field that does not exist.
    """

    def __init__(self, fields: tuple[Field, ...], mapping: Mapping[str, str]) -> None:
        self._fields = fields
        self._mapped = {_field_named(name, fields).name: column for name, column in mapping.items()}
        self._unseen = dict(self._mapped)
        # Rows of one file share a few sets of columns; a hostile file may not, so the memory is bounded.
        self._find = lru_cache(maxsize=256)(self._found)

    def take(self, record: Record, tally: Tally) -> Taken:
        """The record's values by field; what BEIR keeps in a `metadata` object fills those the row lacks.

        Raises:
            FileRefused: a table whose header lacks a required column, or one that the mapping names.
        """
        if record.tabular:
            self._check(record)
        values, rest = self._picked(record.fields, {})
        inner = rest.get(METADATA) if PACKED not in rest else _unpacked(rest.pop(PACKED))
        if isinstance(inner, dict):
            values, left = self._picked(inner, values)
            rest = _opened(rest, left)
        return Taken(record.line, values, rest, tally)

    def _picked(
        self, fields: Mapping[str, JsonValue], known: Mapping[str, JsonValue]
    ) -> tuple[dict[str, JsonValue], dict[str, JsonValue]]:
        """`known` with the fields it lacks, and what no field used; a field's empty columns are neither."""
        values, left = dict(known), dict(fields)
        for name, columns in self._find(tuple(fields)).items():
            for column in columns:
                if is_empty(fields[column]):
                    left.pop(column, None)
                elif name not in values:
                    values[name] = fields[column]
                    left.pop(column, None)
        return values, left

    def check_mapping(self) -> None:
        """Once all rows are read: raise `FileRefused` when a mapped column was in none of them."""
        for name, column in self._unseen.items():
            raise FileRefused(f"No row has the column {column}, which was named for {name}.")

    def _found(self, present: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
        for name, column in self._mapped.items():
            if column in present:
                self._unseen.pop(name, None)
        taken = set(self._mapped.values())
        by_key: dict[str, list[str]] = {}
        for column in present:
            if column not in taken:
                by_key.setdefault(column_key(column), []).append(column)
        return {field.name: self._columns_of(field, present, by_key) for field in self._fields}

    def _columns_of(self, field: Field, present: tuple[str, ...], by_key: Mapping[str, list[str]]) -> tuple[str, ...]:
        if field.name in self._mapped:
            return tuple(column for column in present if column == self._mapped[field.name])
        return tuple(column for name in field.names for column in by_key.get(name, ()))

    def _check(self, record: Record) -> None:
        found = self._find(tuple(record.fields))
        for field in self._fields:
            if found[field.name]:
                continue
            if field.required and field.name not in self._mapped and not found.get(field.instead):
                raise FileRefused(_missing_column(field, record))
            if field.name in self._unseen:
                self.check_mapping()


def column_key(column: str) -> str:
    """A column name without what people vary: case, outer space, and the joint between words."""
    return re.sub(r"[\s-]+", "_", column.strip().casefold())


def _unpacked(packed: JsonValue) -> JsonValue:
    """The object that a packed column holds; None where there is none.

    Raises:
        FileRefused: it holds something else.
    """
    if is_empty(packed):
        return None
    try:
        return json_object(str(packed))
    except RowRefused as refusal:
        raise FileRefused(f"The column {PACKED} holds something else than a JSON object: {refusal}") from refusal


def _opened(rest: dict[str, JsonValue], inner: dict[str, JsonValue]) -> dict[str, JsonValue]:
    """The row's own columns and those inside its metadata; names that are in both stay inside."""
    outer = {name: value for name, value in rest.items() if name != METADATA}
    clashing = {name: value for name, value in inner.items() if name in outer}
    free = {name: value for name, value in inner.items() if name not in outer}
    return outer | free | ({METADATA: clashing} if clashing else {})


def _field_named(name: str, fields: tuple[Field, ...]) -> Field:
    for field in fields:
        if column_key(name) in field.names:
            return field
    known = ", ".join(field.name for field in fields)
    raise FileRefused(f"There is no field {name} to map a column to. The fields are {known}.")


def _missing_column(field: Field, record: Record) -> str:
    listed = ", ".join(list(record.fields)[:_MOST_NAMED])
    return (
        f"The file has no column for {field.name} ({' | '.join(field.names)}). Its columns are {listed}. "
        f"Call the right one {field.name}, or import the file and say {field.name}=COLUMN there (--map, or Columns)."
    )
