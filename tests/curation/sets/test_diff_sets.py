"""`manage.py diff_sets`: what came, went and changed between two versions."""

from __future__ import annotations

import json

import pytest
from django.core.management import CommandError, call_command

from curation.models import Corpus, Qrel, Query
from tests import factories

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("module_rows")]


def stage_rows() -> None:
    """hard@1 of eight queries; hard@2 with one retired, one new, one moved to keyword and one graded anew."""
    made = factories.a_corpus()
    queries = factories.judged_across_slices(made)
    factories.frozen_set(made)
    gone, moved = queries["distinctive"]
    Query.objects.filter(pk=gone.pk).update(status="retired", retired_reason="a slip", external_id="gone")
    keyword = factories.a_stratum(made, "tr en Latn navigational keyword")
    Query.objects.filter(pk=moved.pk).update(stratum=keyword)
    factories.judged_queries(keyword, 1)
    graded = queries["rare_entity"][0]
    Qrel.objects.filter(query=graded, grade=2).update(grade=0)
    Qrel.objects.create(query=graded, canonical_id="found later", grade=1, source="agreed")
    factories.frozen_set(made)


def told(capsys: pytest.CaptureFixture[str], *asked: str) -> str:
    call_command("diff_sets", *asked)
    return capsys.readouterr().out


def test_slices_sum_and_every_change_is_named(corpus: Corpus, capsys: pytest.CaptureFixture[str]) -> None:
    found = json.loads(told(capsys, "hard@1", "hard@2", "--json"))
    slices = {each.pop("slice"): tuple(each.values()) for each in found["slices"]}
    assert slices == {
        "distinctive": (2, 0, 1, -1, 0),
        "near_duplicate": (2, 0, 0, 0, 2),
        "rare_entity": (2, 0, 0, 0, 2),
        "keyword": (2, 1, 0, 1, 4),
    }
    assert (len(found["added"]), len(found["withdrawn"])) == (1, 1)
    moved, graded = sorted(found["changed"], key=lambda each: not each["fields"])  # their ids are made in any order
    assert moved["fields"] == {
        "slice": {"before": "distinctive", "now": "keyword"},
        "query_type": {"before": "question", "now": "navigational"},
    }
    assert [(each["before"], each["now"]) for each in graded["grades"]] == [(None, 1), (2, 0)]


def test_in_words_each_change_has_its_line(corpus: Corpus, capsys: pytest.CaptureFixture[str]) -> None:
    said = told(capsys, "hard@1", "hard@2")
    assert "type question → type navigational" in said
    assert "found later: not judged" in said
    assert ("+1" in said, "+0" in said) == (True, False)
    assert "hold the same queries and grades" in told(capsys, "hard@2", "hard@2")


def test_versions_of_different_corpora_are_not_compared(corpus: Corpus) -> None:
    factories.frozen_set(factories.a_corpus("other"), "soft")
    with pytest.raises(CommandError, match="different corpora") as refusal:
        call_command("diff_sets", "hard@1", "soft@1")
    assert refusal.value.returncode == 2


def test_what_changed_for_all_queries_is_told(corpus: Corpus, capsys: pytest.CaptureFixture[str]) -> None:
    corpus.strata.filter(slice="near_duplicate").update(planned=140)
    factories.some_traffic(corpus, tr=0.25, de=0.75)
    factories.frozen_set(corpus)
    said = told(capsys, "hard@2", "hard@3")
    assert "Planned: 480 queries in 4 strata → 500 queries in 4 strata" in said
    assert "Searches by locale: not stated → de 75.0%, tr 25.0%" in said or "tr 25.0%, de 75.0%" in said
    rules = json.loads(told(capsys, "hard@2", "hard@3", "--json"))["rules"]
    assert set(rules) == {"plan", "traffic"}
    corpus.strata.filter(slice="near_duplicate").update(planned=120)
    corpus.strata.filter(slice="rare_entity").update(planned=140)
    factories.frozen_set(corpus)
    assert "→ 500 queries in 4 strata, otherwise divided" in told(capsys, "hard@3", "hard@4")
