"""A disagreement on a document that left the corpus holds nothing back, and is open again when the document comes back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import time_machine

from curation.models import Corpus, Qrel, Query
from curation.reports.freeze_checks import freeze_checks
from judging.models import Adjudication
from tests import factories
from tests.bringing import bring, written
from tests.judging import test_disagreements
from tests.judging.test_disagreements import PAGE, TEN, Lead, disputed

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("module_rows")]

ALL = [f"d00{number}" for number in range(1, 7)]
LEFT = (
    "Document d002 left the corpus at 10:00, so nothing is to settle. What was marked is kept, and the disagreement is"
)


stage_rows = test_disagreements.stage_rows


@pytest.fixture
def lead() -> Iterator[Lead]:
    """A lead who sees that judges disagree on d001 (3 and 2) and d002 (2 and left unmarked)."""
    with time_machine.travel(TEN, tick=False) as clock:
        yield Lead(factories.lena(Corpus.objects.get()), clock).open()


def holds(folder: Path, *names: str) -> None:
    """Import a whole corpus of these documents."""
    rows = [{"id": each, "title": f"Title of {each}", "text": f"Text of {each}.", "language": "en"} for each in names]
    assert bring("import_corpus", "claims", written(folder, "whole.jsonl", *rows), "--whole").code == 0


def test_what_left_is_not_open_takes_no_decision_and_holds_its_query_no_more(lead: Lead, tmp_path: Path) -> None:
    assert lead.code == "d002"
    holds(tmp_path, *(name for name in ALL if name != "d002"))
    assert Query.objects.get().status == "ready"  # d001 is in dispute still
    lead.settle(3, "slip")
    assert LEFT in lead.words
    assert not Adjudication.objects.exists()
    assert (lead.code, "1 open, 0 of them" in lead.words) == ("d001", True)
    assert LEFT in lead.open().words.partition("Documents that left the corpus")[2]
    lead.settle(3, "slip")
    assert Query.objects.get().status == "judged"
    assert list(Qrel.objects.filter(grade=3).values_list("canonical_id", flat=True)) == ["d001"]


def test_the_import_that_takes_the_last_one_turns_the_query_judged_and_it_opens_again_with_its_document(
    lead: Lead, tmp_path: Path
) -> None:
    holds(tmp_path, *ALL[2:])
    assert Query.objects.get().status == "judged"
    assert "Everything in the corpus that judges graded differently is settled." in lead.open().words
    assert "No disagreement is open." in [each.title for each in freeze_checks(Corpus.objects.get()).findings]
    waits = "/c/claims/queries/?status=disputed"
    assert Query.objects.get().external_id not in lead.open(waits).words
    assert disputed() == {"d001", "d002"}
    holds(tmp_path, *ALL)
    assert (lead.open(PAGE).code, "2 open" in lead.words) == ("d002", True)
    assert "left the corpus" not in lead.words
    assert Query.objects.get().external_id in lead.open(waits).words


def test_a_query_that_somebody_has_yet_to_judge_waits_for_them(lead: Lead, tmp_path: Path) -> None:
    Query.objects.get().pools.update(closed_at=None, opinions=3)
    holds(tmp_path, *ALL[2:])
    assert Query.objects.get().status == "ready"
