"""A share as people and their spreadsheets write it: 0.02, 0,02, 2 %, 2,5% or, in Turkish, %2."""

import re
from math import isfinite

_WRITTEN = re.compile(r"(?P<before>%?)\s*(?P<figure>[+-]?(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:[eE][+-]?\d+)?)\s*(?P<after>%?)")


def share_of(written: str) -> float | None:
    """Return the share that a text writes, 0.02 for "2 %"; None where it is no number.

    A comma is a decimal one: no share has thousands that it could set apart.
    """
    found = _WRITTEN.fullmatch(written.strip())
    if found is None or (found["before"] and found["after"]):
        return None
    figure = float(found["figure"].replace(",", "."))
    if not isfinite(figure):
        return None
    return figure / 100 if found["before"] or found["after"] else figure
