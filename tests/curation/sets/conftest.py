"""The corpus of the tests of sets."""

from __future__ import annotations

import pytest

from curation.models import Corpus


@pytest.fixture
def corpus() -> Corpus:
    """The one that the rows of the module are staged in."""
    return Corpus.objects.get(slug="claims")
