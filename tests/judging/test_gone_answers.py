"""A document that is gone takes no more grades, and is not sent to be judged again."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.utils import timezone

from curation.models import Corpus, Query, Role
from judging.models import Candidate
from tests import factories
from tests.bringing import bring
from tests.judging import stage
from tests.judging.judges import corpus_of, held_by, marek
from tests.judging.stage import Judge
from tests.judging.test_judging_again import page_of, row_of, send, told

pytestmark = pytest.mark.django_db


def test_a_document_that_is_gone_says_so_and_offers_no_grades() -> None:
    corpus = corpus_of(1)
    judge = marek(corpus)
    held = held_by(judge)
    judge.mark(held, "d001", 3)
    corpus.documents.filter(external_id="d001").update(gone_at=timezone.now())
    page = page_of(judge, held)
    row = row_of(page, "d001")
    assert "Gone from the corpus, so it takes no grade." in row
    assert "radio" not in row
    assert "data-candidate" not in row
    asked = judge.client.post(f"/c/claims/judge/{held.pk}/finish").content.decode()
    assert "0 of 5 documents are marked" in asked
    assert "No document is marked relevant. Why?" in asked


def test_c19_the_changed_answer_is_sent_and_the_one_that_is_gone_is_not(tmp_path: Path, cases: Path) -> None:
    bring("import_corpus", "claims", cases / "c19-corpus-v1.jsonl")
    queries = tmp_path / "q.jsonl"
    queries.write_text('{"id": "q1", "text": "soru", "locale": "tr"}\n')
    bring("import_queries", "claims", queries)
    bring("import_judgments", "claims", cases / "c19-judgments.tsv", "--judge", "ayse")
    Query.objects.update(status="judged", judged_at=timezone.now())
    bring("import_corpus", "claims", cases / "c19-corpus-v2.jsonl", "--whole")
    corpus = Corpus.objects.get(slug="claims")
    assert [each["document_id"] for each in told(corpus)] == ["d3"]
    send(corpus)
    assert stage.ids(Candidate.objects.all()) == ["d3"]
    judge = Judge(factories.member(corpus, factories.person("marek"), Role.ADJUSTER))
    row = row_of(page_of(judge, held_by(judge)), "d3")
    assert "Earlier text" in row
