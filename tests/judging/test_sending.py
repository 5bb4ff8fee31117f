"""A suspicious hard negative, sent from curation's list, is a candidate that waits to be judged."""

from __future__ import annotations

import pytest

from curation.models import HardNegative
from judging.models import Candidate
from tests import factories, reviewing

from .stage import a_document, signed_in

pytestmark = pytest.mark.django_db


def test_a_hard_negative_sent_to_a_judged_query_waits_to_be_judged() -> None:
    corpus = factories.a_corpus()
    (query,) = factories.judged_queries(factories.a_stratum(corpus), 1)
    document = a_document(corpus, "suspicious", "It may be the answer.")
    negative = HardNegative.objects.create(
        run=reviewing.a_finished_run(corpus, "hard_negative"),
        query=query,
        document=document,
        canonical_id=document.canonical_id,
        rank=1,
        score=0.9,
    )
    client = signed_in(factories.lena(corpus))
    page = client.post(f"/c/claims/hard-negatives/{negative.pk}/send/", follow=True).content.decode()
    candidate = Candidate.objects.select_related("pool").get()
    assert (candidate.pool.query_id, candidate.document_id, candidate.origins) == (
        query.pk,
        document.pk,
        {"hard_negative": None},
    )
    assert "waits to be judged</span>" in page
