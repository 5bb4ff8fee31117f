"""Who writes and leads in the corpus of these tests."""

from __future__ import annotations

import pytest
from django.test import Client

from curation.models import Corpus, Need, User
from tests import factories

from .scene import a_desk


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


@pytest.fixture
def writer(client: Client, aylin: User) -> Client:
    client.force_login(aylin)
    return client


@pytest.fixture
def need(corpus: Corpus) -> Need:
    return a_desk(corpus)
