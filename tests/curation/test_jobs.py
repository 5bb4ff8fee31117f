"""Jobs: asked once, held by one, closed once, found again when lost."""

from __future__ import annotations

import errno
import threading
import time
from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

import pytest
from django.conf import LazySettings
from django.db import OperationalError, connection
from django.utils import timezone

from curation import registry, tasks
from curation.actions import holds, jobs
from curation.actions.holds import Held
from curation.actions.refusal import Refused
from curation.models import Corpus, Generation, Job, MiningRun, TargetIndex, WorkerSign
from curation.reports.picture import one_picture
from tests import factories
from tests.faults.conftest import wait_until
from tests.faults.threads import together

NOON = datetime(2026, 7, 14, 12, tzinfo=UTC)
Work = Callable[[Held], dict[str, Any]]


@pytest.fixture
def does(monkeypatch: pytest.MonkeyPatch) -> Callable[[Work], None]:
    """Say what jobs of kind "test" do."""
    return lambda work: monkeypatch.setitem(registry._kinds, "test", work)


def asked(key: str = "test:1", *, corpus: Corpus | None = None, now: datetime | None = None) -> Job:
    return jobs.ask(
        kind="test", unique_key=key, params={"n": 1}, corpus=corpus, asked_by=None, now=now or timezone.now()
    )


def nothing(held: Held) -> dict[str, Any]:
    return {}


@pytest.mark.django_db
def test_asking_twice_gives_the_same_live_job() -> None:
    assert asked().pk == asked().pk


@pytest.mark.django_db
def test_asking_again_after_the_end_gives_a_new_job() -> None:
    first = asked()
    jobs.cancel(job_id=first.pk, now=NOON)
    assert asked().pk != first.pk


@pytest.mark.django_db
def test_a_job_done_keeps_its_result(does: Callable[[Work], None]) -> None:
    does(lambda held: {"n": held.params["n"] + 1})
    job = asked()
    assert tasks.work_on(job.pk)
    job.refresh_from_db()
    assert (job.state, job.result, job.error) == ("done", {"n": 2}, "")
    assert job.finished_at is not None


@pytest.mark.django_db
def test_a_second_delivery_of_a_job_done_does_nothing(does: Callable[[Work], None]) -> None:
    calls = []

    def note(held: Held) -> dict[str, Any]:
        calls.append(held.job.pk)
        return {}

    does(note)
    job = asked()
    assert [tasks.work_on(job.pk), tasks.work_on(job.pk)] == [True, False]
    assert calls == [job.pk]


@pytest.mark.django_db
def test_a_refusal_is_the_jobs_error_word_for_word(does: Callable[[Work], None]) -> None:
    def refuse(held: Held) -> dict[str, Any]:
        raise Refused("The corpus has no vectors.")

    does(refuse)
    job = tasks.wait_for(asked().pk)
    assert (job.state, job.error) == ("failed", "The corpus has no vectors.")


@pytest.mark.django_db
def test_a_fault_of_the_program_names_its_place_in_the_log(
    does: Callable[[Work], None], caplog: pytest.LogCaptureFixture
) -> None:
    does(lambda held: {"n": held.params["missing"]})
    job = tasks.wait_for(asked().pk)
    reference = job.error.rstrip(".").rsplit(" ", 1)[-1]
    assert job.state == "failed"
    assert "fault of the program (KeyError)" in job.error
    assert f"fault {reference}" in caplog.text
    assert "missing" in caplog.text


@pytest.mark.django_db
def test_a_job_of_an_unknown_kind_fails() -> None:
    assert tasks.wait_for(asked().pk).state == "failed"


@pytest.mark.django_db
def test_a_write_of_minutes_leaves_the_job_beating(does: Callable[[Work], None]) -> None:
    beats: list[Any] = []

    def write(held: Held) -> dict[str, Any]:
        with held.writing():
            Job.objects.filter(pk=held.job.pk).update(heartbeat=NOON)  # as old as when the write began
        beats.extend(Job.objects.filter(pk=held.job.pk).values_list("heartbeat", flat=True))
        return {}

    does(write)
    tasks.work_on(asked().pk)
    assert timezone.now() - beats[0] < timedelta(minutes=1)


@pytest.mark.django_db
def test_progress_is_shown_while_the_job_runs(does: Callable[[Work], None]) -> None:
    seen = []

    def count(held: Held) -> dict[str, Any]:
        held.progress(2, 10, "2 of 10 queries searched")
        seen.append(Job.objects.values("progress_done", "progress_total", "progress_words").get(pk=held.job.pk))
        return {}

    does(count)
    tasks.work_on(asked().pk)
    assert seen == [{"progress_done": 2, "progress_total": 10, "progress_words": "2 of 10 queries searched"}]


@pytest.mark.django_db
def test_many_progress_calls_are_few_writes(does: Callable[[Work], None], django_assert_max_num_queries: Any) -> None:
    def count(held: Held) -> dict[str, Any]:
        for n in range(5000):
            held.progress(n, 5000)
        return {}

    does(count)
    job = asked()
    with django_assert_max_num_queries(40):
        tasks.work_on(job.pk)


@pytest.mark.django_db
def test_a_waiting_job_is_cancelled_and_never_starts(does: Callable[[Work], None]) -> None:
    does(nothing)
    job = asked()
    assert jobs.cancel(job_id=job.pk, now=NOON).state == "cancelled"
    assert not tasks.work_on(job.pk)


@pytest.mark.django_db
def test_a_running_job_that_is_cancelled_stops_at_its_next_progress(
    does: Callable[[Work], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(holds, "PROGRESS_EVERY", 0)
    reached = []

    def cancelled_midway(held: Held) -> dict[str, Any]:
        for step in range(4):
            held.progress(step, 4)
            reached.append(step)
            if step == 1:
                jobs.cancel(job_id=held.job.pk, now=NOON)
        return {}

    does(cancelled_midway)
    job = asked()
    tasks.work_on(job.pk)
    job.refresh_from_db()
    assert (job.state, reached) == ("cancelled", [0, 1])


@pytest.mark.django_db
def test_a_running_job_that_is_cancelled_writes_nothing_more(does: Callable[[Work], None]) -> None:
    def cancelled_before_its_end(held: Held) -> dict[str, Any]:
        jobs.cancel(job_id=held.job.pk, now=NOON)
        with held.closing({}):
            factories.a_corpus("never")
        return {}

    does(cancelled_before_its_end)
    job = asked()
    tasks.work_on(job.pk)
    job.refresh_from_db()
    assert (job.state, Corpus.objects.count()) == ("cancelled", 0)


@pytest.mark.django_db
def test_ctrl_c_in_a_command_that_waits_cancels_its_job(does: Callable[[Work], None]) -> None:
    def interrupted(held: Held) -> dict[str, Any]:
        raise KeyboardInterrupt

    does(interrupted)
    job = asked()
    with pytest.raises(KeyboardInterrupt):
        tasks.wait_for(job.pk)
    job.refresh_from_db()
    assert job.state == "cancelled"


@pytest.mark.django_db
def test_cancelling_a_job_that_ended_is_refused_in_words(does: Callable[[Work], None]) -> None:
    does(nothing)
    job = tasks.wait_for(asked().pk)
    with pytest.raises(Refused, match="ended already: done"):
        jobs.cancel(job_id=job.pk, now=NOON)


@pytest.mark.django_db
def test_c32_a_copy_that_lost_its_hold_writes_nothing(does: Callable[[Work], None]) -> None:
    """The worker freezes, the sweep gives the job to another, and then the first one wakes."""
    job = asked(now=NOON)
    frozen = holds.claim(job_id=job.pk, now=NOON)
    assert jobs.sweep(now=NOON + timedelta(seconds=61)) == [job.pk]
    does(lambda held: {"by": held.job.fencing})
    assert tasks.work_on(job.pk)
    assert frozen is not None
    with pytest.raises(holds.LostHold), frozen.closing({"by": frozen.job.fencing}):
        factories.a_corpus("never")
    frozen.fail("The frozen copy may not fail it either.")
    job.refresh_from_db()
    assert (job.state, job.result, job.fencing, job.interruptions) == ("done", {"by": 2}, 2, 1)
    assert not Corpus.objects.exists()


@pytest.mark.django_db
def test_a_job_with_a_fresh_heartbeat_is_left_alone() -> None:
    job = asked(now=NOON)
    holds.claim(job_id=job.pk, now=NOON)
    assert jobs.sweep(now=NOON + timedelta(seconds=59)) == []
    job.refresh_from_db()
    assert job.state == "running"


@pytest.mark.django_db
def test_a_job_whose_worker_dies_three_times_fails_in_words() -> None:
    job, now = asked(now=NOON), NOON
    for _ in range(3):
        assert holds.claim(job_id=job.pk, now=now) is not None
        now += timedelta(minutes=2)
        jobs.sweep(now=now)
    job.refresh_from_db()
    assert job.state == "failed"
    assert job.error.startswith("The worker died 3 times")


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("created", "sent", "again"),
    [(5, None, False), (11, None, True), (100, 59, False), (100, 61, True)],
    ids=["just asked for", "never sent", "sent and waiting its turn", "sent and lost"],
)
def test_the_sweep_sends_what_got_lost(created: int, sent: int | None, again: bool) -> None:
    job = asked(now=NOON - timedelta(seconds=created))
    if sent:
        jobs.mark_sent(job_id=job.pk, now=NOON - timedelta(seconds=sent))
    assert jobs.sweep(now=NOON) == ([job.pk] if again else [])


@pytest.mark.django_db
def test_the_sweep_task_says_that_a_worker_lives() -> None:
    tasks.sweep()
    tasks.sweep()
    assert WorkerSign.objects.get().seen_at > timezone.now() - timedelta(seconds=5)


@pytest.mark.django_db
def test_a_mining_run_is_where_its_job_is() -> None:
    corpus = factories.a_corpus()
    index = TargetIndex.objects.create(corpus=corpus, name="exact", kind="exact")
    generation = Generation.objects.create(index=index, number=1, due_on=NOON.date(), opened_at=NOON)
    job = asked(corpus=corpus, now=NOON)
    run = MiningRun.objects.create(generation=generation, miner="rare_entity", job=job, created_at=NOON)
    states = []

    def look() -> None:
        run.refresh_from_db()
        states.append(run.state)

    holds.claim(job_id=job.pk, now=NOON)
    look()
    jobs.sweep(now=NOON + timedelta(seconds=61))
    look()
    jobs.cancel(job_id=job.pk, now=NOON)
    look()
    assert states == ["running", "queued", "cancelled"]
    assert run.finished_at == NOON


@pytest.mark.django_db(transaction=True)
def test_sending_without_a_broker_neither_raises_nor_waits(caplog: pytest.LogCaptureFixture) -> None:
    job = asked()
    started = time.monotonic()
    tasks.send(job.pk)
    assert time.monotonic() - started < 2
    assert "what is not sent is sent later" in caplog.text
    job.refresh_from_db()
    assert job.sent_at is None


@pytest.mark.django_db(transaction=True)
def test_a_job_longer_than_the_silence_lives_by_its_heartbeats(
    does: Callable[[Work], None], settings: LazySettings
) -> None:
    settings.JOB_SILENCE_SECONDS = 1
    swept = []

    def long(held: Held) -> dict[str, Any]:
        for _ in range(8):
            time.sleep(0.25)
            swept.extend(jobs.sweep(now=timezone.now()))
        return {}

    does(long)
    job = tasks.wait_for(asked().pk)
    assert (job.state, job.interruptions, swept) == ("done", 0, [])


@pytest.mark.django_db(transaction=True)
def test_a_hung_job_loses_its_heartbeats(
    does: Callable[[Work], None], settings: LazySettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.JOB_SILENCE_SECONDS = 1
    monkeypatch.setattr(holds, "HUNG_AFTER", 0.2)

    def hung(held: Held) -> dict[str, Any]:
        time.sleep(1.5)
        jobs.sweep(now=timezone.now())
        return {}

    does(hung)
    job = asked()
    tasks.work_on(job.pk)
    job.refresh_from_db()
    assert (job.state, job.interruptions) == ("queued", 1)


@pytest.mark.django_db(transaction=True)
def test_a_job_cancelled_between_two_progress_calls_stops_within_5_s(does: Callable[[Work], None]) -> None:
    ended = []

    def long(held: Held) -> dict[str, Any]:
        threading.Thread(target=cancel_soon, args=(held.job.pk,)).start()
        try:
            time.sleep(60)
        finally:
            ended.append(time.monotonic())
        return {}

    does(long)
    job = asked()
    started = time.monotonic()
    tasks.work_on(job.pk)
    job.refresh_from_db()
    assert (job.state, job.error, job.result) == ("cancelled", "", {})
    assert ended[0] - started < 6  # cancelled after one second


def cancel_soon(pk: int) -> None:
    time.sleep(1)
    jobs.cancel(job_id=pk, now=timezone.now())
    connection.close()


@pytest.mark.django_db(transaction=True)
def test_a_job_that_ends_well_is_not_stopped_on_its_way_out(
    does: Callable[[Work], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(holds, "LOOK_EVERY", 0.02)

    def short(held: Held) -> dict[str, Any]:
        with held.closing({"n": 1}):
            pass
        time.sleep(0.3)
        return {}

    does(short)
    job = tasks.wait_for(asked().pk)
    assert (job.state, job.result) == ("done", {"n": 1})


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("fault", "words"),
    [
        (
            OSError(errno.ENOSPC, "No space left on device", "/data/vectors/x.npy"),
            "The disk is full, so the job stopped.",
        ),
        (OperationalError("database or disk is full"), "The disk is full, so the job stopped."),
        (
            PermissionError(errno.EACCES, "Permission denied", "/data/x.npy"),
            "A file could not be used (x.npy: permission",
        ),
    ],
    ids=["no room", "no room for the database", "no permission"],
)
def test_what_the_machine_lacks_is_the_jobs_error_in_words(
    fault: Exception, words: str, does: Callable[[Work], None]
) -> None:
    def broken(held: Held) -> dict[str, Any]:
        raise fault

    does(broken)
    job = tasks.wait_for(asked().pk)
    assert job.state == "failed"
    assert job.error.startswith(words)
    assert "/data" not in job.error


@pytest.mark.django_db(transaction=True)
def test_progress_is_shown_while_the_job_looks_at_one_picture_and_a_cancel_ends_it_there(
    does: Callable[[Work], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(holds, "LOOK_EVERY", 0.02)
    monkeypatch.setattr(holds, "PROGRESS_EVERY", 0)
    seen: list[str] = []

    def look(held: Held) -> dict[str, Any]:
        with one_picture():
            for step in range(500):
                held.progress(step, 500, f"{step} of 500 documents written")
                time.sleep(0.02)
        seen.append("not stopped")
        return {}

    def cancel_when_shown() -> bool:
        wait_until(lambda: Job.objects.filter(progress_done__gt=0).exists(), within=30)
        seen.append(jobs.cancel(job_id=job.pk, now=timezone.now()).progress_words)
        return True

    does(look)
    job = asked()
    assert together(partial(tasks.work_on, job.pk), cancel_when_shown) == [True, True]
    [words] = seen
    assert words.endswith(" of 500 documents written")


@pytest.mark.django_db(transaction=True)
def test_postgresql_checks_what_rows_refer_to_before_the_row_of_their_job_is_locked(
    does: Callable[[Work], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    ended: list[Job.State] = []
    move = jobs.move

    def noted(pks: Iterable[int], state: Job.State, **named: Any) -> list[int]:
        ended.append(state)
        return move(pks, state, **named)

    def store(held: Held) -> dict[str, Any]:
        with held.closing({}):
            TargetIndex.objects.create(corpus_id=404, name="of no corpus", kind="exact")
        return {}

    does(store)
    job = asked()
    monkeypatch.setattr(jobs, "move", noted)
    tasks.work_on(job.pk)
    locked = [] if connection.vendor == "postgresql" else ["done"]
    assert ended == ["running", *locked, "failed"]
    assert not TargetIndex.objects.exists()
