"""The scheduler's clock: it keeps in a file when it last ticked, so that a night spent off is made up for."""

from __future__ import annotations

from pathlib import Path

from celery.beat import PersistentScheduler


class Clock(PersistentScheduler):
    """Celery's own persistent scheduler, on a data folder that nothing has been written to yet."""

    def setup_schedule(self) -> None:
        """Make the folder of the file, then open it."""
        Path(self.schedule_filename).parent.mkdir(parents=True, exist_ok=True)
        super().setup_schedule()
