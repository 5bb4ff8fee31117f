"""What comes through the broker: an id to work on, the sweep, the daily tick.

A task claims the job's row, does the work its kind names, and closes the row; the message holds the id alone.
"""

from __future__ import annotations

import errno
import logging
import socket
import time
import uuid
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from celery import shared_task
from django.conf import settings
from django.db import OperationalError, connection, transaction
from django.utils import timezone
from kombu.connection import Connection
from kombu.exceptions import KombuError

from curation import registry, uploading
from curation.actions import (
    drift,
    exact_run,
    freeze_job,
    gate_job,
    generations,
    holds,
    index_run,
    jobs,
    log_reading,
    manifest_job,
    mining,
    set_exporting,
    telling,
    version_ranks,
)
from curation.actions.refusal import Refused
from curation.actions.stopping import stoppable
from curation.models import Job
from curation.reports.version_ranks import KIND as RANK_VERSIONS

log = logging.getLogger(__name__)
registry.add_job_kind(mining.KIND, mining.mine)
registry.add_job_kind(uploading.IMPORT, uploading.do_import)
registry.add_job_kind(uploading.ENCODE, uploading.do_encode)
registry.add_job_kind(exact_run.KIND, exact_run.measure)
registry.add_job_kind(index_run.KIND, index_run.measure)
registry.add_job_kind(log_reading.KIND, log_reading.read)
registry.add_job_kind(set_exporting.KIND, set_exporting.pack)
registry.add_job_kind(freeze_job.KIND, freeze_job.work)
registry.add_job_kind(gate_job.KIND, gate_job.work)
registry.add_job_kind(manifest_job.KIND, manifest_job.work)
registry.add_job_kind(drift.KIND, drift.read_day)
registry.add_job_kind(telling.KIND, telling.tell)
registry.add_job_kind(RANK_VERSIONS, version_ranks.rank)

# One attempt of at most 1 s to connect and 1 s to hand over: a frozen or absent broker must hold nobody up (C40).
SENDING = {"socket_timeout": 1, "socket_connect_timeout": 1, "max_retries": 0}
# Where two wait for the same job: how often (seconds) the one who does not hold it looks again.
LOOK_AGAIN = 0.5


def send(*job_ids: int) -> None:
    """Hand the jobs' ids to the broker once the transaction is through; what fails now is sent by the sweep.

    Send those that belong together in one call: where the broker does not answer, only the first of them waits for it.
    """
    transaction.on_commit(lambda: _send(job_ids))


def _send(job_ids: Sequence[int]) -> None:
    options = {**settings.CELERY_BROKER_TRANSPORT_OPTIONS, **SENDING}
    try:
        with Connection(settings.CELERY_BROKER_URL, transport_options=options) as connection:
            for job_id in job_ids:
                run_job.apply_async((job_id,), connection=connection, retry=False)
                jobs.mark_sent(job_id=job_id, now=timezone.now())
    except (KombuError, OSError) as fault:
        log.warning("jobs %s are stored; what is not sent is sent later: the broker is silent (%s)", job_ids, fault)


@shared_task
def run_job(job_id: int) -> None:
    """Do one job, if it still waits; a second copy of the message finds it held or ended, and stops."""
    if not work_on(job_id):
        log.info("job %s waits no more: another copy holds it, or it has ended", job_id)


@shared_task
def sweep() -> None:
    """Say that a worker lives, send again what got lost, ask for what is due, and clear what cancelled mining left."""
    jobs.sign(worker=socket.gethostname(), now=timezone.now())
    due = [job for kind in (exact_run, log_reading, telling) for job in kind.ask_where_due(now=timezone.now())]
    send(*jobs.sweep(now=timezone.now()), *(job.pk for job in due))
    mining.discard_unfinished()


@shared_task
def daily_tick() -> None:
    """Open the generations whose date has come, and have yesterday's overlap@10 taken."""
    send(*(job.pk for ticked in generations.tick(now=timezone.now()) for job in ticked.jobs))
    send(*(job.pk for job in drift.tick(now=timezone.now())))


def work_on(job_id: int) -> bool:
    """Claim the job and do it here; False where it waits no more."""
    held = holds.claim(job_id=job_id, now=timezone.now())
    if held is None:
        return False
    with holds.beating(held):
        _work(held)
    return True


def _work(held: holds.Held) -> None:
    try:
        with stoppable(held.gone) as held.stop:
            result = registry.work_of(held.job.kind)(held)
            if not held.closed:
                with held.closing(result):
                    pass
    except holds.LostHold as lost:
        log.info("%s", lost)
        if not connection.in_atomic_block:
            connection.close()  # it may have been stopped in the middle of a question
        jobs.cancel_where_asked(job_id=held.job.pk, now=timezone.now())
    except KeyboardInterrupt:
        with suppress(Refused):  # it may have ended at this very moment
            jobs.cancel(job_id=held.job.pk, now=timezone.now())
        raise
    except Exception as fault:  # noqa: BLE001  (whatever it is, the row must say that the job has ended)
        held.fail(in_words(fault))


def in_words(fault: Exception) -> str:
    """One sentence for the one who asked: our own refusals as they are, all else with its place in the log."""
    if isinstance(fault, ValueError) and type(fault).__module__.startswith(("curation.", "judging.")):
        return str(fault)
    reference = uuid.uuid4().hex[:8]
    log.error("fault %s", reference, exc_info=fault)
    if is_full(fault):
        return f"The disk is full, so the job stopped. Free some space, then ask again; its log is under {reference}."
    if isinstance(fault, OSError) and fault.filename and fault.strerror:
        name = Path(str(fault.filename)).name
        return f"A file could not be used ({name}: {fault.strerror.lower()}). The log has it under {reference}."
    return f"The job stopped on a fault of the program ({type(fault).__name__}). Its log has it under {reference}."


def is_full(fault: Exception) -> bool:
    """Whether the system, or SQLite, had no room left to write."""
    no_room = isinstance(fault, OSError) and fault.errno in {errno.ENOSPC, errno.EDQUOT}
    return no_room or (isinstance(fault, OperationalError) and "disk is full" in str(fault))


def wait_for(job_id: int) -> Job:
    """Do the job in this very command, without worker or broker; where a worker holds it, wait for that one."""
    while not work_on(job_id):
        job = Job.objects.get(pk=job_id)
        if job.state not in Job.LIVE:
            return job
        jobs.interrupt(now=timezone.now())
        time.sleep(LOOK_AGAIN)
    return Job.objects.get(pk=job_id)
