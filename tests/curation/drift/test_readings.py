"""The reading of a day: drawn, measured, stored once, and the alarms it raises."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import faiss
import numpy as np
import pytest
import time_machine
from django.conf import LazySettings
from django.core import mail
from django.core.management import CommandError
from django.test import Client

from curation import tasks
from curation.actions import alarms, drift
from curation.actions.alarms import raise_missing
from curation.actions.live_files import live_file_of
from curation.actions.production import put_in_production
from curation.actions.refusal import Refused
from curation.actions.webhooks import add_webhook
from curation.models import DriftAlarm, Job, LiveQuery, OverlapReading, TargetIndex, WebhookDelivery
from curation.reports.embeddings import vectors_path
from curation.reports.exact_search import current_space
from curation.reports.overlap import drawn
from curation.retrieval.addresses import allow_list
from curation.retrieval.vectors import open_vectors
from tests import factories
from tests.bringing import run, written
from tests.curation.drift.live import DAY, DOCUMENTS, NOW, TEN, a_rollback_target, a_served_corpus, told

pytestmark = pytest.mark.django_db
NINE, SIX = [*TEN[:9], "x"], [*TEN[:6], "x"]


@pytest.fixture
def index() -> TargetIndex:
    return a_served_corpus()


def read(now: datetime = NOW) -> list[Job]:
    """Tick, and do what it asked for."""
    with time_machine.travel(now, tick=False):
        jobs = drift.tick(now=now)
        for job in jobs:
            tasks.work_on(job.pk)
    return list(Job.objects.filter(pk__in=[job.pk for job in jobs]))


def test_a_reading_is_the_mean_of_what_was_served_that_day(index: TargetIndex) -> None:
    told(index, TEN, NINE, SIX, None)
    told(index, [], at=NOW - timedelta(hours=40))
    told(index, [], at=NOW - timedelta(hours=1))
    told(index, TEN, text="no vector")
    [job] = read()
    assert (job.state, job.result["sampled"]) == ("done", 4), job.error
    reading = OverlapReading.objects.get()
    assert (reading.day, reading.stage, reading.share, reading.unplaced) == (DAY, "live", 1.0, 1)
    assert reading.overlap == pytest.approx((1 + 0.9 + 0.6 + 1) / 4)  # the last one was asked of exact search itself
    assert read() == []


def test_a_day_is_that_of_the_corpus(index: TargetIndex) -> None:
    type(index.corpus).objects.update(time_zone="Asia/Tokyo")  # the 13th ends there at 15:00 UTC
    told(index, TEN, at=NOW - timedelta(hours=13))
    told(index, [], at=NOW - timedelta(hours=11))
    read()
    assert OverlapReading.objects.get().overlap == 1.0


def test_five_hundred_are_drawn_the_same_way_every_time(index: TargetIndex) -> None:
    told(index, *([TEN] * 510))
    queries = drift.queries_of(index, DAY)
    first, again = (drawn(queries, count=500, seed="2026-07-13") for _ in range(2))
    assert (len(queries), len(first), first) == (510, 500, again)
    assert drawn(queries, count=500, seed="2026-07-14") != first
    read()
    assert OverlapReading.objects.get().sampled == 500


def test_under_a_sample_both_lists_are_cut_down_first(index: TargetIndex) -> None:
    """The service told ten documents of all thirty: too few of the sample, so the index is asked deep enough."""
    told(index, TEN[::-1], DOCUMENTS)
    code, out = run("overlap", "r3", "--documents", "12", "--json")
    measured = json.loads(out)
    assert (code, measured["overlap"], measured["share"], measured["told"]) == (0, 1.0, 0.4, 1)


def test_the_command_tells_and_exits_by_the_threshold(index: TargetIndex, tmp_path: Path) -> None:
    when = "2026-07-13T12:00:00Z"
    file = written(tmp_path, "q.jsonl", {"text": "storm", "asked_at": when, "served": SIX})
    code, out = run("overlap", "claims/r3", "--queries", file)
    assert (code, "overlap@10 is 0.600 over 1 query, below 0.85" in out) == (1, True)
    told(index, TEN)
    assert run("overlap", "r3")[0] == 0
    assert not OverlapReading.objects.exists()


def test_the_command_reads_what_waits_in_a_file_and_says_in_which_stage_the_index_is(index: TargetIndex) -> None:
    index.corpus.indexes.create(name="next", kind="exact")
    path = live_file_of(index)
    assert path is not None
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps({"text": "storm", "asked_at": "2026-07-13T12:00:00Z", "served": TEN}) + "\n")
    with time_machine.travel(NOW, tick=False):
        for name, stage in (("next", "not in the shadow stage yet"), ("r3", "in production")):
            assert f"claims/{name}, {stage}: overlap@10 is 1.000 over 1 query" in run("overlap", f"claims/{name}")[1]
    drift.put_in_shadow(index=index.corpus.indexes.get(name="next"), in_shadow=True)
    assert "claims/next, in the shadow stage: overlap@10" in run("overlap", "claims/next")[1]


def test_what_is_stored_by_hand_was_asked_on_the_day_it_is_stored_for(index: TargetIndex, tmp_path: Path) -> None:
    told(index, TEN)
    told(index, SIX, at=NOW - timedelta(days=3))
    older = {"text": "storm", "asked_at": "2026-07-11T12:00:00Z", "served": SIX}
    with time_machine.travel(NOW, tick=False):
        with pytest.raises(CommandError, match="There is no live query of r3 to measure"):
            run("overlap", "r3", "--store", "--queries", written(tmp_path, "q.jsonl", older))
        with time_machine.travel(NOW + timedelta(days=1)), pytest.raises(CommandError, match="asked on 2026-07-14;"):
            run("overlap", "r3", "--store")
        code, out = run("overlap", "r3", "--store", "--json")
        assert (code, json.loads(out)["overlap"], json.loads(out)["stored"]) == (0, 1.0, True)
        assert "2026-07-13 has a reading already, which stays." in run("overlap", "r3", "--store")[1]
    reading = OverlapReading.objects.get()
    assert (reading.day, reading.overlap) == (DAY, 1.0)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["r3"], "There is no live query of r3 to measure"),
        (["away"], "There is no index away"),
        (["r3", "--sample", "0"], "measures nothing"),
        (["r3", "--queries", "/nowhere.jsonl"], "cannot be read: no such file"),
    ],
)
def test_what_cannot_be_measured_exits_2(index: TargetIndex, words: list[str], sentence: str) -> None:
    with pytest.raises(CommandError, match=sentence) as refusal:
        run("overlap", *words)
    assert refusal.value.returncode == 2


def test_a_bad_line_and_a_text_without_a_vector_are_named(index: TargetIndex, tmp_path: Path) -> None:
    when = "2026-07-13T12:00:00Z"
    with pytest.raises(CommandError, match=r"Line 2 of q\.jsonl: The line is no JSON"):
        run("overlap", "r3", "--queries", written(tmp_path, "q.jsonl", {"text": "storm", "asked_at": when}, "x"))
    with pytest.raises(CommandError, match="compass"):
        run("overlap", "r3", "--queries", written(tmp_path, "q.jsonl", {"text": "hail", "asked_at": when}))


@pytest.fixture
def half(index: TargetIndex, settings: LazySettings) -> TargetIndex:
    """A file of FAISS that lost every other document."""
    held = open_vectors(vectors_path(current_space(index.corpus)))
    rows, ids = np.ascontiguousarray(held.matrix)[::2], held.ids[::2]
    made = faiss.IndexFlatIP(rows.shape[1])
    made.add(rows)
    folder = Path(settings.INDEX_FOLDER)
    folder.mkdir()
    faiss.write_index(made, str(folder / "half.faiss"))
    (folder / "half.faiss.ids").write_text("\n".join(ids))
    return index.corpus.indexes.create(name="half", kind="faiss_file", location="half.faiss")


def test_a_file_that_lost_half_its_documents_is_seen_in_the_shadow_stage(index: TargetIndex, half: TargetIndex) -> None:
    drift.put_in_shadow(index=half, in_shadow=True)
    told(index, TEN)
    read()
    found = OverlapReading.objects.order_by("index__name").values_list("index__name", "stage", "overlap")
    assert list(found) == [("half", "shadow", 0.5), ("r3", "live", 1.0)]


def test_a_candidate_in_neither_stage_is_alarmed_of_without_a_way_back(
    index: TargetIndex, half: TargetIndex, client: Client
) -> None:
    half.previous_target, half.alias = a_rollback_target(index.corpus), "now"
    half.save()
    for number in range(3):
        now = NOW + timedelta(days=number)
        told(index, TEN, at=now - timedelta(hours=9))
        with time_machine.travel(now, tick=False):
            assert run("overlap", "half", "--store")[0] == 1
    alarm = DriftAlarm.objects.get()
    assert alarm.words.startswith("Overlap@10 of half outside production is 0.500, the mean of its last 3 daily")
    assert (alarm.command, json.loads(alarms.body_of(alarm))["command"]) == ("", None)
    client.force_login(factories.lena(index.corpus))
    with time_machine.travel(now, tick=False):
        shown = client.get("/c/claims/drift/").content.decode()
    assert ("it is not in production" in shown, "manage.py rollback" in shown) == (True, False)


def test_what_answers_no_live_query_has_no_shadow_stage(index: TargetIndex) -> None:
    imported = index.corpus.indexes.create(name="run", kind="run")
    for each, words in ((index, "in production already"), (imported, "an imported run")):
        with pytest.raises(Refused, match=words):
            drift.put_in_shadow(index=each, in_shadow=True)


def test_three_low_days_raise_one_alarm_with_the_command_of_the_way_back(
    index: TargetIndex, settings: LazySettings
) -> None:
    lena = factories.lena(index.corpus)
    type(lena).objects.update(email="lena@example.org")
    settings.EMAIL_URL = "smtp://mail.example.org"
    TargetIndex.objects.filter(pk=index.pk).update(previous_target=a_rollback_target(index.corpus), alias="now")
    for number in range(3):
        now = NOW + timedelta(days=number)
        told(index, SIX, at=now - timedelta(hours=9))
        assert not DriftAlarm.objects.exists()
        read(now)
    alarm = DriftAlarm.objects.get()
    command = "manage.py rollback claims/r3 --reason 'Overlap@10 of r3 is 0.600'"
    assert (alarm.kind, alarm.command) == ("low", command)
    assert alarm.mean == pytest.approx(0.6)
    with time_machine.travel(NOW + timedelta(days=2), tick=False):
        tasks.sweep()
        for _ in range(2):
            tasks.wait_for(Job.objects.filter(kind="tell_alarms").latest("pk").pk)
    [message] = mail.outbox
    assert (message.to, command in message.body) == (["lena@example.org"], True)
    assert TargetIndex.objects.get(name="r3").is_production


def test_a_day_that_cannot_be_measured_is_an_alarm_that_says_why(index: TargetIndex) -> None:
    told(index, TEN)
    read()
    [job] = read(NOW + timedelta(days=1))
    assert (job.state, job.error.partition(";")[0]) == ("failed", "There is no live query of r3 to measure")
    alarm = DriftAlarm.objects.get()
    assert alarm.words.startswith(
        "There is no overlap@10 of r3 for 2026-07-14: there is no live query of r3 to measure;"
    )
    read(NOW + timedelta(days=1))
    assert DriftAlarm.objects.count() == 1


def test_a_day_that_nobody_measured_is_an_alarm_of_its_own(index: TargetIndex) -> None:
    told(index, TEN)
    read()
    drift.tick(now=NOW + timedelta(days=4))
    missing = DriftAlarm.objects.order_by("day").values_list("day", "kind", "mean")
    assert list(missing) == [(DAY + timedelta(days=number), "missing", None) for number in (1, 2, 3)]


def test_a_day_is_missed_only_while_the_index_was_watched(index: TargetIndex) -> None:
    """After a rollback an index is in production again: the days that another one stood there are none of its own."""
    told(index, TEN)
    read()
    other = index.corpus.indexes.create(name="r4", kind="exact")
    put_in_production(index=other)
    drift.tick(now=NOW + timedelta(days=2))
    put_in_production(index=TargetIndex.objects.get(pk=index.pk))
    drift.tick(now=NOW + timedelta(days=5))
    assert not DriftAlarm.objects.exists()
    assert [job.params["index"] for job in Job.objects.order_by("pk")] == [index.pk, other.pk, index.pk]
    drift.tick(now=NOW + timedelta(days=7))
    assert [str(day) for day in DriftAlarm.objects.order_by("day").values_list("day", flat=True)] == [
        "2026-07-18",
        "2026-07-19",
    ]


def test_a_first_day_whose_job_died_is_missed_with_its_reason_and_never_measured_later(index: TargetIndex) -> None:
    told(index, TEN)
    drift.tick(now=NOW)
    Job.objects.update(state="failed", error="The worker died 3 times during this job.")
    [job] = read(NOW + timedelta(days=1))
    assert job.params["day"] == "2026-07-14"
    alarm = DriftAlarm.objects.get(day=DAY)
    assert alarm.words.endswith("for 2026-07-13: the worker died 3 times during this job.")
    assert not OverlapReading.objects.filter(day=DAY).exists()


def test_an_alarm_that_nobody_was_told_of_goes_once_the_day_has_a_reading(
    index: TargetIndex, settings: LazySettings
) -> None:
    settings.ALLOWED_ADDRESSES = allow_list(["127.0.0.1:9"])
    add_webhook(corpus=index.corpus, address="http://127.0.0.1:9/", added_by=None, now=NOW)
    for tried in (0, 1):
        day = DAY + timedelta(days=tried)
        raise_missing(index=index, day=day, words="The index is away.", now=NOW)
        WebhookDelivery.objects.update(attempts=tried)
        told(index, TEN, at=NOW + timedelta(days=tried, hours=-9))
        read(NOW + timedelta(days=tried))
        assert OverlapReading.objects.filter(day=day).exists()
    assert (DriftAlarm.objects.get().day, WebhookDelivery.objects.count()) == (DAY + timedelta(days=1), 1)


def test_a_day_on_which_the_clocks_change_is_read_whole(index: TargetIndex) -> None:
    type(index.corpus).objects.update(time_zone="Europe/Berlin")  # 25 October 2026 has 25 hours there
    begin = datetime(2026, 10, 24, 22, 0, tzinfo=UTC)
    for hours, served in ((-0.1, SIX), (0, TEN), (24.9, TEN), (25, SIX)):
        told(index, served, at=begin + timedelta(hours=hours))
    read(datetime(2026, 10, 26, 3, 0, tzinfo=UTC))
    reading = OverlapReading.objects.get()
    assert (str(reading.day), reading.sampled, reading.overlap) == ("2026-10-25", 2, 1.0)


def test_mail_that_the_server_does_not_take_is_tried_again_after_a_pause(
    index: TargetIndex, settings: LazySettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    lena = factories.lena(index.corpus)
    type(lena).objects.update(email="lena@example.org")
    settings.EMAIL_URL = "smtp://mail.example.org"
    raise_missing(index=index, day=DAY, words="The index is away.", now=NOW)
    with monkeypatch.context() as down:
        down.setattr("curation.actions.mailing.send_mail", refusing)
        assert alarms.mail_waiting(now=NOW) == 0
    assert not alarms.has_mail(now=NOW + timedelta(seconds=59))
    assert [alarms.mail_waiting(now=NOW + timedelta(seconds=60 + more)) for more in (0, 0)] == [1, 0]
    assert [message.to for message in mail.outbox] == [["lena@example.org"]]


def refusing(*_: object) -> None:
    raise ConnectionRefusedError


def test_an_index_that_was_told_nothing_is_not_watched(index: TargetIndex) -> None:
    assert drift.tick(now=NOW) == []
    told(index, TEN)
    assert [each.name for each in drift.watched()] == ["r3"]
    LiveQuery.objects.all().delete()
    assert drift.watched() == []


def test_a_cancelled_reading_stores_nothing(index: TargetIndex) -> None:
    told(index, TEN)
    [job] = drift.tick(now=NOW)
    Job.objects.update(state="cancelled")
    assert not tasks.work_on(job.pk)
    assert not OverlapReading.objects.exists()


def test_the_command_tick_asks_for_the_reading(index: TargetIndex) -> None:
    told(index, TEN)
    with time_machine.travel(NOW, tick=False):
        assert run("tick")[1].splitlines() == ["No index is due.", "r3: overlap@10 of 2026-07-13 asked for"]
