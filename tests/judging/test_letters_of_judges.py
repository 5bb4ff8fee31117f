"""The letters that stand for judges while a disagreement is open."""

from __future__ import annotations

import json
from io import StringIO

import pytest
from django.core.management import call_command

from tests.judging.judges import another, corpus_of, finish_with, marek

pytestmark = pytest.mark.django_db


def test_the_letter_of_a_judge_on_one_document_does_not_tell_theirs_on_the_next() -> None:
    corpus = corpus_of(2, documents=20)
    codes = [f"d{number:03}" for number in range(1, 21)]
    finish_with(marek(corpus), dict.fromkeys(codes, 3))
    finish_with(another(corpus), dict.fromkeys(codes, 2))
    said = StringIO()
    call_command("disagreements", corpus.slug, "--json", stdout=said)
    told = json.loads(said.getvalue())["open"]
    of_marek = [each["judge"] for row in told for each in row["opinions"] if each["grade"] == 3]
    assert (len(of_marek), set(of_marek)) == (20, {"Judge A", "Judge B"})
