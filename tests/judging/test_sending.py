"""A suspicious hard negative, sent from curation's list, is a candidate that waits to be judged."""

from __future__ import annotations

import pytest
from django.utils import timezone

from curation.models import HardNegative, Qrel
from judging.models import Candidate
from tests import factories, reviewing

from .stage import a_document, signed_in

pytestmark = pytest.mark.django_db


def a_suspicious_one() -> HardNegative:
    corpus = factories.a_corpus()
    (query,) = factories.judged_queries(factories.a_stratum(corpus), 1)
    document = a_document(corpus, "suspicious", "It may be the answer.")
    return HardNegative.objects.create(
        run=reviewing.a_finished_run(corpus, "hard_negative"),
        query=query,
        document=document,
        canonical_id=document.canonical_id,
        rank=1,
        score=0.9,
    )


def test_a_hard_negative_sent_to_a_judged_query_waits_to_be_judged() -> None:
    negative = a_suspicious_one()
    client = signed_in(factories.lena(negative.query.corpus))
    page = client.post(f"/c/claims/hard-negatives/{negative.pk}/send/", follow=True).content.decode()
    candidate = Candidate.objects.select_related("pool").get()
    assert (candidate.pool.query_id, candidate.document_id, candidate.origins) == (
        negative.query_id,
        negative.document_id,
        {"hard_negative": None},
    )
    assert "waits to be judged</span>" in page


def test_what_was_judged_since_the_list_was_read_is_not_sent() -> None:
    negative = a_suspicious_one()
    client = signed_in(factories.lena(negative.query.corpus))
    Qrel.objects.create(
        query=negative.query, canonical_id=negative.canonical_id, grade=0, source="agreed", settled_at=timezone.now()
    )
    send = f"/c/claims/hard-negatives/{negative.pk}/send/"
    page = client.post(send, {"standing": "unjudged"}, follow=True).content.decode()
    assert "Document suspicious was judged for query" in page
    assert not Candidate.objects.exists()
    assert 'name="standing" value="judged"' in page
    client.post(send, {"standing": "judged"})
    assert Candidate.objects.exists()
