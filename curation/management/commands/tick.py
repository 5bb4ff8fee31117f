"""Do by hand what the scheduler does every day."""

from __future__ import annotations

from django.utils import timezone

from curation import tasks
from curation.actions import drift, generations
from curation.commandline import PlainCommand


class Command(PlainCommand):
    """Open the generations that are due, and have yesterday's overlap@10 taken."""

    help = "Open a generation for every index whose quarter has come, and ask for yesterday's overlap@10."

    def handle(self, *args: object, **options: object) -> None:
        """Print one line for each index that was due."""
        ticks = generations.tick(now=timezone.now())
        for ticked in ticks:
            tasks.send(*(job.pk for job in ticked.jobs))
            self.stdout.write(ticked.words)
        if not ticks:
            self.stdout.write("No index is due.")
        asked = drift.tick(now=timezone.now())
        tasks.send(*(job.pk for job in asked))
        for line in drift.in_words(asked):
            self.stdout.write(line)
