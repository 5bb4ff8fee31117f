"""What every table reader yields: one record a row, with its values as the file wrote them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

JsonValue: TypeAlias = "bool | int | float | str | list[JsonValue] | dict[str, JsonValue] | None"


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
