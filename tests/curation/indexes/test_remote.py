"""What every index behind a connection shares."""

import pytest

from curation.indexes.base import IndexRefused
from curation.indexes.remote import client_library


def test_a_library_that_is_missing_says_what_to_install() -> None:
    with pytest.raises(IndexRefused) as refusal:
        client_library("no_such_client.part", install="pip install 'hardset[qdrant]'")
    assert str(refusal.value) == (
        "The library no_such_client is not installed; install it with: pip install 'hardset[qdrant]'."
    )


def test_a_library_that_is_here_is_imported() -> None:
    assert client_library("json", install="nothing").dumps([]) == "[]"
