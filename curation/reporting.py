"""What the commands that tell a report have in common; judging's use it too."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.core.management.base import CommandError

from curation.actions.refusal import is_ours
from curation.commandline import REFUSED, PlainCommand
from curation.reports.picture import one_picture


class ReportCommand(PlainCommand):
    """A command that tells what stands: all of its answer is of one moment, whatever is imported meanwhile."""

    def handle(self, *_args: object, **options: Any) -> None:  # noqa: ANN401  (argparse gives any type)
        """Change first what is asked for, then read the report and print it."""
        try:
            self.make_ready(options)
            with one_picture():
                told = self.tell(options)
        except ValueError as refusal:
            if not is_ours(refusal):
                raise
            raise CommandError(str(refusal), returncode=REFUSED) from refusal
        self.stdout.write(told)

    def make_ready(self, options: dict[str, Any]) -> None:
        """Do what has to be written before anything is told; what `tell` is to know of it joins the options.

        Raises:
            ValueError: a refusal in one sentence; nothing is told.
        """

    def tell(self, options: Mapping[str, Any]) -> str:
        """Read the report, and put all of it into words or JSON, as it stands at one moment; nothing is written.

        Raises:
            ValueError: a refusal in one sentence.
        """
        raise NotImplementedError
