"""What every table reader yields: one record a row, with its values as the file wrote them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

JsonValue: TypeAlias = "bool | int | float | str | list[JsonValue] | dict[str, JsonValue] | None"

ID_NAMES = ("doc_id", "query_id", "_id", "id", "information_need_id", "need_id")
"""Columns by one of which a reader of a report finds a row again that was refused before it was read."""


def id_of(fields: Mapping[str, object]) -> str:
    """The id of a refused row where one can be seen, so that the report can name it."""
    found = (fields.get(name) for name in ID_NAMES)
    ids = (str(value) for value in found if isinstance(value, str | int))
    return next((each for each in ids if each and "\0" not in each), "")


@dataclass(frozen=True, slots=True)
class Record:
    """One row. `line` is where it starts (a row number in Parquet, which has no lines).

    `tabular` says that every row has the same columns, so that a missing one is the file's fault. `part` names the
    file where several are read as one.
    """

    line: int
    fields: Mapping[str, JsonValue]
    tabular: bool = False
    part: str = ""
