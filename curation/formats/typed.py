"""Turns records into the typed rows of one format."""

from collections.abc import Callable, Iterator
from typing import TypeVar

from curation.formats.columns import Columns
from curation.formats.faults import Fault, Notice, RowRefused, Tally
from curation.formats.records import Record
from curation.formats.taken import Taken

Row = TypeVar("Row")


def typed_rows(
    records: Iterator[Row | Record | Fault | Notice], columns: Columns, build: Callable[[Taken], Row]
) -> Iterator[Row | Fault | Notice]:
    """Rows as `build` makes them; a `RowRefused` it raises becomes a fault, its tallies notices at the end.

    What is a row already is passed on.

    Raises:
        FileRefused: from the records, or because a required or mapped column is nowhere.
    """
    tally = Tally()
    for record in records:
        if not isinstance(record, Record):
            yield record
            continue
        taken = columns.take(record, tally)
        try:
            yield build(taken)
        except RowRefused as refusal:
            within = f"{record.part}: " if record.part else ""
            yield Fault(record.line, taken.external_id, f"{within}{refusal}")
    columns.check_mapping()
    yield from tally.notices()
