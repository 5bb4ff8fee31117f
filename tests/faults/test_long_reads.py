"""A job that reads much writes its progress meanwhile, and so do others."""

from __future__ import annotations

import threading

import pytest
from django.db import connection

from curation.models import Corpus, LogQuery
from curation.reports import gathered
from tests import factories

pytestmark = pytest.mark.django_db(transaction=True)
COUNT = gathered.LINES_AT_ONCE + 1000


def test_who_reads_the_log_can_write_after_somebody_else_did() -> None:
    corpus = factories.a_corpus("claims")
    LogQuery.objects.bulk_create(
        LogQuery(corpus=corpus, text=f"query {number}", sha256=f"{number:064x}") for number in range(COUNT)
    )
    lines = gathered.log_lines(corpus)
    first = next(lines)

    def beat() -> None:
        Corpus.objects.update(name="written by another connection")
        connection.close()

    other = threading.Thread(target=beat)
    other.start()
    other.join()
    Corpus.objects.update(name="written by whoever reads")
    assert [first.text, *(line.text for line in lines)] == [f"query {number}" for number in range(COUNT)]
