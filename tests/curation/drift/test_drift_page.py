"""The page of drift: charts on their own scale with a table, alarms, sources, the shadow stage."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from curation.actions import alarms
from curation.models import AliasSwap, Corpus, OverlapReading, TargetIndex
from curation.reports.drift import drift_of
from curation.reports.watch import Watch
from tests import factories

pytestmark = pytest.mark.django_db
NOW = timezone.now()
YESTERDAY = NOW.date() - timedelta(days=1)


@pytest.fixture
def index() -> TargetIndex:
    corpus = factories.a_corpus("claims")
    old = corpus.indexes.create(name="old", kind="qdrant", location="LAWS/old")
    return corpus.indexes.create(
        name="r3", kind="qdrant", location="LAWS/r3", is_production=True, alias="claims", previous_target=old
    )


def some_readings(index: TargetIndex, *overlaps: float) -> None:
    OverlapReading.objects.bulk_create(
        OverlapReading(
            index=index,
            day=YESTERDAY - timedelta(days=len(overlaps) - 1 - number),
            stage="live",
            sampled=500,
            share=1,
            overlap=overlap,
            measured_at=NOW,
        )
        for number, overlap in enumerate(overlaps)
    )


def test_the_line_is_the_mean_of_three_and_the_scale_is_its_own(index: TargetIndex) -> None:
    some_readings(index, 0.94, 0.94, 0.91, 0.70)
    drift = drift_of(index, now=NOW)
    assert [day.mean and round(day.mean, 3) for day in drift.days] == [None, None, 0.93, 0.85]
    assert (drift.low, drift.is_low) == (0.7, False)
    assert drift.lowest_mean == pytest.approx(0.85)
    assert [words for words, _ in drift.grid] == ["1.00", "0.90", "0.80", "0.70"]
    assert [(day.x, day.y) for day in (drift.days[0], drift.days[-1])] == [(0, 20), (100, 100)]
    assert [line.count(" ") for line in drift.lines] == [1]
    assert drift.missed == []


@pytest.mark.parametrize(
    ("overlaps", "words"),
    [
        ((0.37,), "0.370</b> on {}, below the alarm line; 1 of 3 readings, so no alarm yet. "),
        ((0.95, 0.95, 0.8), "0.800</b> on {}, below the alarm line; the mean of 3 readings is 0.900, so no alarm. "),
    ],
)
def test_a_reading_below_the_line_warns_and_says_why_it_is_no_alarm(
    index: TargetIndex, client: Client, overlaps: tuple[float, ...], words: str
) -> None:
    some_readings(index, *overlaps)
    client.force_login(factories.lena(index.corpus))
    said = client.get(reverse("drift", args=["claims"])).content.decode().partition('<p class="said">')[2]
    assert words.format(f"{YESTERDAY.day} {YESTERDAY:%b %Y}") in said
    assert "i-warn" in said.partition("<b>")[0]


def test_a_day_without_a_reading_breaks_the_line_and_is_marked(index: TargetIndex, client: Client) -> None:
    some_readings(index, *[0.94] * 9)
    index.overlap_readings.get(day=YESTERDAY - timedelta(days=4)).delete()
    drift = drift_of(index, now=NOW)
    assert [line.count(" ") + 1 for line in drift.lines] == [2, 4]
    assert drift.missed == [50]
    client.force_login(factories.lena(index.corpus))
    shown = client.get(reverse("drift", args=["claims"])).content.decode()
    assert shown.count('<line class="missed"') == 1
    assert "; 1 day without a reading; the figures" in shown


def a_low_window(index: TargetIndex) -> None:
    """Three low readings, and the alarm that they raise."""
    some_readings(index, 0.8, 0.8, 0.8)
    readings = {reading.day: reading.overlap for reading in OverlapReading.objects.all()}
    alarms.raise_low(index=index, day=YESTERDAY, readings=readings, now=NOW)


def test_a_low_window_shows_the_command_of_the_way_back(index: TargetIndex, client: Client) -> None:
    a_low_window(index)
    client.force_login(factories.lena(index.corpus))
    shown = client.get(reverse("drift", args=["claims"])).content.decode()
    assert "manage.py rollback claims/r3 --reason why" in shown
    assert "Roll back<" in shown
    assert "alarm 0.85, 3 days" in shown
    assert "Overlap@10 of r3 is 0.800, the mean of its last 3" in shown
    assert shown.count("<circle") == 3
    assert 'class="num">0.800</td>' in shown


def test_a_day_above_the_line_whose_mean_is_below_says_that_it_is_the_mean(index: TargetIndex, client: Client) -> None:
    some_readings(index, 0.8, 0.79, 0.86)
    client.force_login(factories.lena(index.corpus))
    shown = client.get(reverse("drift", args=["claims"])).content.decode()
    assert ", below the alarm line by the mean of 3 days, 0.817. Lowest mean" in shown
    assert ", not in production</h2>" not in shown


def test_after_a_rollback_times_are_the_corpus_s_and_only_low_alarms_are_answered(
    index: TargetIndex, client: Client
) -> None:
    a_low_window(index)
    alarms.raise_missing(index=index, day=YESTERDAY - timedelta(days=5), words="nothing came", now=NOW)
    old = TargetIndex.objects.get(name="old")
    Corpus.objects.update(time_zone="Asia/Tokyo")
    TargetIndex.objects.filter(pk=index.pk).update(is_production=False)
    moment = NOW.replace(hour=22, minute=11) + timedelta(days=1)
    told = {"alias": "claims", "reason": "drift", "asked_at": moment, "swapped_at": moment}
    AliasSwap.objects.create(from_index=index, to_index=old, **told)
    client.force_login(factories.lena(index.corpus))
    shown = client.get(reverse("drift", args=["claims"])).content.decode()
    there = moment + timedelta(hours=9)
    assert shown.count(f"rolled back on {there.day} {there:%b %Y} 07:11") == 1
    assert ", not in production</h2>" in shown
    page = client.get(reverse("index_rollback", args=["claims", index.pk])).content.decode()
    assert f"It was led back on {there.day} {there:%b %Y} 07:11." in page


def test_an_alarm_after_which_somebody_rolled_back_offers_it_no_more(index: TargetIndex, client: Client) -> None:
    a_low_window(index)
    client.force_login(factories.lena(index.corpus))
    for hours, offered in ((-1, True), (1, False)):
        AliasSwap.objects.create(
            from_index=index,
            to_index=TargetIndex.objects.get(name="old"),
            alias="claims",
            reason="drift",
            asked_at=NOW,
            swapped_at=NOW + timedelta(hours=hours),
        )
        shown = client.get(reverse("drift", args=["claims"])).content.decode()
        assert ("Roll back<" in shown, "rolled back on" in shown) == (offered, not offered)


def test_the_page_says_what_is_missing(client: Client) -> None:
    client.force_login(factories.lena(factories.a_corpus("claims")))
    shown = client.get(reverse("drift", args=["claims"])).content.decode()
    assert "No index in production" in shown
    assert "None has come in" in shown


def test_a_candidate_is_put_into_the_shadow_stage_and_out(index: TargetIndex, client: Client) -> None:
    client.force_login(factories.lena(index.corpus))
    old = TargetIndex.objects.get(name="old")
    at = reverse("drift_shadow", args=["claims", old.pk])
    told = client.post(at, {"in_shadow": "1"}, follow=True).content.decode()
    assert "old is asked live queries beside production from now on." in told
    assert "in the shadow stage</h2>" in told
    told = client.post(at, {"in_shadow": "0"}, follow=True).content.decode()
    assert "old is asked no live queries any more." in told
    refused = reverse("drift_shadow", args=["claims", index.pk])
    assert "in production already" in client.post(refused, {"in_shadow": "1"}, follow=True).content.decode()


def test_the_page_asks_as_little_for_many_indexes_as_for_one(
    index: TargetIndex, client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    client.force_login(factories.lena(index.corpus))
    for number in range(5):
        some_readings(index.corpus.indexes.create(name=f"c{number}", kind="bm25", in_shadow=True), 0.9, 0.9)
    with django_assert_max_num_queries(16):
        client.get(reverse("drift", args=["claims"]))


def test_the_manifest_of_an_index_says_below_what_and_over_how_many_days_its_drift_alarms(
    index: TargetIndex, client: Client
) -> None:
    record = json.loads(Path("tests/data/manifests/int8.json").read_text())
    record["rollback"] |= {"threshold": 0.9, "window_days": 2}
    index.manifest = record
    index.save()
    some_readings(index, 0.95, 0.88, 0.9)
    readings = {reading.day: reading.overlap for reading in OverlapReading.objects.all()}
    alarm = alarms.raise_low(index=index, day=YESTERDAY, readings=readings, now=NOW)
    assert alarm is not None
    assert alarm.words.startswith("Overlap@10 of r3 is 0.890, the mean of its last 2 daily readings up to ")
    assert alarm.words.endswith("the alarm is below 0.90 as its manifest says.")
    told = json.loads(alarms.body_of(alarm))
    assert (told["threshold"], told["window"]) == (0.9, 2)
    client.force_login(factories.lena(index.corpus))
    shown = client.get(reverse("drift", args=["claims"])).content.decode()
    assert "alarm 0.90, 2 days" in shown
    assert "Alarm where the mean of 2 days is below 0.90, as its manifest says" in shown
    for metric in ("latency_p99", "overlap@100"):
        index.manifest = record | {"rollback": record["rollback"] | {"metric": metric}}
        assert drift_of(index, now=NOW).watch == Watch()
