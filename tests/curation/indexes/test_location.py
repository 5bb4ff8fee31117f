"""The line that says where an index lies on a search server."""

from __future__ import annotations

import pytest

from curation.indexes.base import IndexRefused
from curation.indexes.location import Location


def test_a_name_and_its_options_are_read() -> None:
    assert Location.read(" kb-2026.v1?id=article%20no&text=a,b ", known=("id", "text")) == Location(
        "kb-2026.v1", {"id": "article no", "text": "a,b"}
    )
    assert Location.read("kb", known=()) == Location("kb", {})


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ("", "is no name of one index"),
        ("_all", "is no name"),
        ("kb*", "is no name"),
        ("kb,other", "is no name"),
        ("../_cluster", "is no name"),
        ("kb/_search", "is no name"),
        ("-kb", "is no name"),
        (".security", "is no name"),
        ("kb?id", "must read option=value"),
        ("kb?id=a&id=b", "stands twice"),
        ("kb?di=a", "no option 'di' here; known are id, text"),
    ],
)
def test_a_location_written_otherwise_is_refused(written: str, words: str) -> None:
    with pytest.raises(IndexRefused, match=words):
        Location.read(written, known=("id", "text"))
