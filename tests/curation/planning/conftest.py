"""Who writes and leads in the corpus of these tests."""

from __future__ import annotations

import pytest
from django.test import Client

from curation.models import Corpus, User
from tests import factories


@pytest.fixture
def corpus() -> Corpus:
    return factories.a_corpus("claims")


@pytest.fixture
def aylin(corpus: Corpus) -> User:
    return factories.aylin(corpus)


@pytest.fixture
def lena(corpus: Corpus) -> User:
    return factories.lena(corpus)


@pytest.fixture
def lead(client: Client, lena: User) -> Client:
    client.force_login(lena)
    return client
