"""The line that says where an index lies on a search server."""

from __future__ import annotations

import pytest

from curation.indexes.base import IndexRefused
from curation.indexes.location import Location


def test_a_name_and_its_options_are_read() -> None:
    assert Location.read("SEARCH/kb-2026.v1?id=article%20no&text=a,b", known=("id", "text")) == Location(
        "SEARCH", "kb-2026.v1", {"id": "article no", "text": "a,b"}
    )
    assert Location.read("A_1/kb", known=()) == Location("A_1", "kb", {})


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ("SEARCH/?id=a", "is no name of one index"),
        ("kb", "begins with no server"),
        ("https://search.example.test/kb", "begins with no server"),
        ("SEARCH/_all", "is no name"),
        ("SEARCH/kb*", "is no name"),
        ("SEARCH/kb,other", "is no name"),
        ("SEARCH/../_cluster", "is no name"),
        ("SEARCH/kb/_search", "is no name"),
        ("SEARCH/-kb", "is no name"),
        ("SEARCH/.security", "is no name"),
        ("SEARCH/kb?id", "must read option=value"),
        ("SEARCH/kb?id=a&id=b", "stands twice"),
        ("SEARCH/kb?di=a", "no option 'di' here; known are id, text"),
    ],
)
def test_a_location_written_otherwise_is_refused(written: str, words: str) -> None:
    with pytest.raises(IndexRefused, match=words):
        Location.read(written, known=("id", "text"))
