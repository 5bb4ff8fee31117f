"""Holding a job: claimed by raising its fencing number, kept by heartbeats, given back by closing it.

Whoever holds an older number, or a job that was cancelled, writes nothing: every write of a job stands inside
`Held.writing()` or `Held.closing()`, which check the number in the transaction that writes.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db import connection, transaction
from django.db.models import F, Q
from django.db.utils import DatabaseError
from django.utils import timezone

from curation.actions import jobs, signs
from curation.models import Corpus, Job
from curation.reports.picture import looking
from curation.reports.signs import Sign, is_cancel_asked

log = logging.getLogger(__name__)

PROGRESS_EVERY = 1.0  # seconds between two writes of a progress
LOOK_EVERY = 1.0  # seconds between two looks of the heart whether the job is still ours
# Without any progress for so long (seconds) a job counts as hung: its heart stops, and the sweep takes it away.
HUNG_AFTER = 1800.0


class LostHold(Exception):
    """The job was cancelled, or another worker holds it now."""


@dataclass
class Held:
    """A job held by this worker. `told` is when (monotonic seconds) it last reported progress.

    `stop` makes the work raise `LostHold` from another thread, while there is work that can be stopped. `said` is the
    progress told last, `noted` what of it the heart is to write, `found_lost` whether the heart saw that the job is
    ours no more.
    """

    job: Job
    closed: bool = False
    stop: Callable[[], None] = lambda: None
    told: float = field(default_factory=time.monotonic)
    said: dict[str, Any] = field(default_factory=dict)
    noted: dict[str, Any] = field(default_factory=dict)
    found_lost: bool = False
    _written: float = 0.0

    @property
    def params(self) -> dict[str, Any]:
        """What the job was asked for with."""
        params: dict[str, Any] = self.job.params
        return params

    @property
    def corpus(self) -> Corpus:
        """The corpus the job belongs to."""
        if self.job.corpus is None:
            raise LookupError(f"Job {self.job.pk} belongs to no corpus.")
        return self.job.corpus

    @property
    def mine(self) -> Q:
        """The job's row, as long as it is ours."""
        return Q(pk=self.job.pk, fencing=self.job.fencing, state=Job.State.RUNNING)

    @property
    def lost(self) -> bool:
        """Whether the job was cancelled or went to someone else; not so where it has just ended."""
        if is_cancel_asked(self.job.pk) and not self.closed:
            return True
        ours = Q(fencing=self.job.fencing, state__in=[Job.State.RUNNING, Job.State.DONE, Job.State.FAILED])
        return Job.objects.filter(pk=self.job.pk).exclude(ours).exists()

    def progress(self, done: int, total: int, words: str = "") -> None:
        """Tell how far the job is; at most one write a second, so call it as often as you like.

        Where the work looks at one picture of the database and can write nothing, the job's heart writes it.

        Raises:
            LostHold: the job was cancelled or taken over; let it pass through.
        """
        if looking():
            self.note(done, total, words)
            return
        self._say(done, total, words)
        if self.told - self._written >= PROGRESS_EVERY:
            self._written = self.told
            self.noted = {} if signs.is_written(lambda: self.beat(**self.said)) else self.said

    def note(self, done: int, total: int, words: str = "") -> None:
        """Tell how far the job is from inside a transaction, whose end would be the first that others see of it.

        The job's heart writes it, within a second.

        Raises:
            LostHold: the job was cancelled or taken over; let it pass through.
        """
        self._say(done, total, words)
        self.noted = self.said
        if self.found_lost:
            raise self.gone()

    def _say(self, done: int, total: int, words: str) -> None:
        self.told = time.monotonic()
        self.said = {"progress_done": done, "progress_total": total, "progress_words": words[:300]}

    def counting(self, what: str) -> Callable[[int, int], None]:
        """Progress in words as well: 2,374 of 3,768 queries searched."""
        return lambda done, total: self.progress(done, total, f"{done:,} of {total:,} {what}")

    @contextmanager
    def writing(self) -> Iterator[None]:
        """A transaction whose writes count only if the job is still ours when it ends.

        Raises:
            LostHold: it is not; nothing was written.
        """
        with self._transaction():
            yield
            _check_references()
            self.beat()

    @contextmanager
    def closing(self, result: dict[str, Any]) -> Iterator[None]:
        """The last transaction: what it writes and the end of the job stand or fall together.

        Fill `result` inside it where needed; it is stored on the way out.

        Raises:
            LostHold: the job is no longer ours; nothing was written.
        """
        with self._transaction():
            yield
            _check_references()
            ended = {"result": result, **self.said}
            if not jobs.move([self.job.pk], Job.State.DONE, now=timezone.now(), only=self.mine, **ended):
                raise self.gone()
            if is_cancel_asked(self.job.pk):
                raise self.gone()
            self.closed = True

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """A transaction that is not even begun for a job that is lost.

        It must end with a look at the job's row, and not begin with one: that would lock it, so that PostgreSQL let
        whoever cancels the job, the sweep and the job's own heart wait for a write of minutes.
        """
        with transaction.atomic():
            if not Job.objects.filter(self.mine).exists():
                raise self.gone()
            yield

    def fail(self, error: str) -> None:
        """End the job with `error`, one sentence for the one who asked."""
        jobs.move([self.job.pk], Job.State.FAILED, now=timezone.now(), only=self.mine, error=error)

    def breathe(self) -> None:
        """Tell from the heart's own thread that the job lives, and what progress is noted, where it can be seen."""
        noted, self.noted = self.noted, {}
        now = timezone.now()
        if not signs.is_written(lambda: Job.objects.filter(self.mine).update(heartbeat=now, **noted)):
            self.noted = noted = self.noted or noted  # for the row, as soon as it can be written
            said = {name.removeprefix("progress_"): value for name, value in noted.items()}
            signs.leave(self.job, Sign(self.job.fencing, now, **said))

    def gone(self) -> LostHold:
        """What ends the work of a job that is no longer ours."""
        return LostHold(f"Job {self.job.pk} is no longer held under number {self.job.fencing}.")

    def beat(self, **fields: object) -> None:
        """Tell that the job lives; inside a transaction nobody else touches its row from here on.

        Raises:
            LostHold: the job is no longer ours.
        """
        ours = Job.objects.filter(self.mine).update(heartbeat=timezone.now(), **fields)
        if not ours or is_cancel_asked(self.job.pk):
            raise self.gone()


def _check_references() -> None:
    """Have PostgreSQL check now whether all that rows refer to is there, which takes seconds for 100,000 of them.

    It would do so when the transaction ends, where the job's row is locked and whoever cancels it waits.

    Raises:
        IntegrityError: something is not.
    """
    if connection.vendor == "postgresql":
        connection.check_constraints()


def claim(*, job_id: int, now: datetime) -> Held | None:
    """Hold a waiting job, or None where it waits no more: someone else holds it, or it has ended."""
    fresh: dict[str, Any] = {"progress_done": 0, "progress_total": 0, "progress_words": "", "error": ""}
    with transaction.atomic():
        if not jobs.move(
            [job_id],
            Job.State.RUNNING,
            now=now,
            only=Q(state=Job.State.QUEUED),
            fencing=F("fencing") + 1,
            heartbeat=now,
            started_at=now,
            **fresh,
        ):
            return None
        return Held(Job.objects.select_related("corpus").get(pk=job_id))


@contextmanager
def beating(held: Held) -> Iterator[None]:
    """Keep the job alive from a thread of its own while the block works, and stop the work when the job is lost."""
    done = threading.Event()
    heart = threading.Thread(target=_beat_until, args=(held, done), name=f"heart of job {held.job.pk}", daemon=True)
    heart.start()
    try:
        yield
    finally:
        done.set()
        heart.join()
        signs.clear(held.job.pk)


def _beat_until(held: Held, done: threading.Event) -> None:
    pause = jobs.silence().total_seconds() / 12
    beaten = time.monotonic()
    try:
        while not done.wait(min(pause, LOOK_EVERY)) and time.monotonic() - held.told < HUNG_AFTER:
            try:
                if held.noted or time.monotonic() - beaten >= pause:
                    beaten = time.monotonic()
                    held.breathe()
                if held.lost:
                    held.found_lost = True
                    held.stop()
            except DatabaseError:
                log.warning("job %s: no heartbeat this time", held.job.pk, exc_info=True)
    finally:
        connection.close()
