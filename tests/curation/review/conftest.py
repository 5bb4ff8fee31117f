"""A corpus with one proposal of each family, and the people who review it."""

from __future__ import annotations

import pytest
from django.test import Client

from curation.models import Corpus, Proposal
from tests import factories, reviewing


@pytest.fixture
def corpus(db: None) -> Corpus:
    """A corpus named claims."""
    return factories.a_corpus("claims", time_zone="Europe/Berlin")


@pytest.fixture
def mined(corpus: Corpus) -> dict[str, Proposal]:
    """One pending proposal of each family, by family."""
    return reviewing.some_of_each(corpus)


@pytest.fixture
def marek(corpus: Corpus) -> Client:
    """An adjuster at work."""
    client = Client()
    client.force_login(factories.marek(corpus))
    return client


@pytest.fixture
def lena(corpus: Corpus) -> Client:
    """A lead at work."""
    client = Client()
    client.force_login(factories.lena(corpus))
    return client
