"""One short transaction, and a sentence where two people wrote the same rows at the same moment."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager

from django.db import IntegrityError, transaction

from curation.actions.refusal import Refused

Guard = Callable[[], AbstractContextManager[None]]
"""Opens the transaction to write in. A job's guard lets nobody write who no longer holds the job."""


@contextmanager
def one_transaction(guard: Guard | None) -> Iterator[Guard]:
    """A guard by which several imports write in one transaction, which opens when the first of them writes.

    It stays open to the end of the block: what the block does after them is done with them or not at all.
    """
    with ExitStack() as stack:
        opened = False

        @contextmanager
        def inside() -> Iterator[None]:
            nonlocal opened
            if not opened:
                stack.enter_context(transaction.atomic() if guard is None else guard())
                opened = True
            with transaction.atomic():
                yield

        yield inside


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
