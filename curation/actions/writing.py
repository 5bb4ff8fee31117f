"""One short transaction, and a sentence where two people wrote the same rows at the same moment."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

from django.db import IntegrityError, transaction

from curation.actions.refusal import Refused

Guard = Callable[[], AbstractContextManager[None]]
"""Opens the transaction to write in. A job's guard lets nobody write who no longer holds the job."""


@contextmanager
def one_write(guard: Guard | None = None) -> Iterator[None]:
    """All of it or nothing.

    Raises:
        Refused: a row that was not there when the plan was made is there now.
    """
    try:
        with transaction.atomic() if guard is None else guard():
            yield
    except IntegrityError as fault:
        raise Refused(
            "Someone else wrote to the same rows at this moment, so nothing was stored; do it again."
        ) from fault
