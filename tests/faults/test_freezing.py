"""Leads who freeze at the same moment: one wins, and the other is told what stands."""

from __future__ import annotations

import threading
from functools import partial
from typing import Any

import pytest
from django.db import transaction
from django.utils import timezone

from curation.actions.freezing import freeze
from curation.actions.refusal import Refused
from curation.models import Corpus, Query, SetVersion
from curation.reports.certificate import certificate_of
from curation.reports.freeze_checks import Checks, freeze_checks
from curation.reports.set_content import is_intact
from tests import factories
from tests.faults.threads import together

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def both_have_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither of two who freeze writes before the other has read everything."""
    read = threading.Barrier(2)

    def and_wait(*given: Any) -> dict[str, Any]:
        told = certificate_of(*given)
        read.wait(60)
        return told

    monkeypatch.setattr("curation.actions.freezing.certificate_of", and_wait)


def press(corpus: Corpus, name: str = "hard") -> str:
    try:
        return str(freeze(corpus=corpus, name=name, frozen_by=None, now=timezone.now()))
    except Refused as refusal:
        return str(refusal)


@pytest.mark.usefixtures("both_have_read")
def test_of_two_leads_who_freeze_at_once_one_wins_and_the_other_is_told() -> None:
    corpus = factories.a_corpus()
    factories.judged_across_slices(corpus)
    told = together(partial(press, corpus), partial(press, corpus))
    assert sorted(told) == ["Nothing has changed since: this is the same as hard@1.", "hard@1"]
    assert sorted(together(partial(press, corpus, "easy"), partial(press, corpus, "easier"))) == ["easier@1", "easy@1"]
    version = SetVersion.objects.get(name="hard")
    assert version.queries.count() == 8


def test_an_import_that_ends_while_a_freeze_reads_is_in_it_whole_or_not_at_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    corpus = factories.a_corpus()
    factories.judged_across_slices(corpus)
    counted, stored = threading.Event(), threading.Event()

    def and_wait(given: Corpus) -> Checks:
        told = freeze_checks(given)
        counted.set()
        assert stored.wait(30)  # at once from the second freeze on
        return told

    def bring() -> str:
        assert counted.wait(30)
        with transaction.atomic():
            Query.objects.filter(corpus=corpus).update(text="another")
            factories.judged_queries(factories.a_stratum(corpus), 5)
        stored.set()
        return "stored"

    monkeypatch.setattr("curation.actions.freezing.freeze_checks", and_wait)
    assert sorted(together(partial(press, corpus), bring)) == ["hard@1", "stored"]
    version = SetVersion.objects.get()
    assert version.certificate["queries"] == version.queries.count() == 8
    assert not version.queries.filter(text="another").exists()
    assert is_intact(version)
    assert press(corpus) == "hard@2"
    assert SetVersion.objects.get(number=2).queries.filter(text="another").count() == 8


@pytest.mark.usefixtures("both_have_read")
def test_of_two_corpora_that_freeze_one_name_at_once_one_gets_it() -> None:
    corpora = [factories.a_corpus(slug) for slug in ("claims", "others")]
    for corpus in corpora:
        factories.judged_across_slices(corpus)
    told = together(*(partial(press, corpus) for corpus in corpora))
    [refused] = set(told) - {"hard@1"}
    assert "is taken on this installation" in refused or "Somebody else froze a set called hard" in refused
    assert SetVersion.objects.count() == 1
