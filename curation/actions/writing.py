"""One short transaction, and a sentence where two people wrote the same rows at the same moment."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import IntegrityError, transaction

from curation.actions.refusal import Refused


@contextmanager
def one_write() -> Iterator[None]:
    """All of it or nothing.

    Raises:
        Refused: a row that was not there when the plan was made is there now.
    """
    try:
        with transaction.atomic():
            yield
    except IntegrityError as fault:
        raise Refused(
            "Someone else wrote to the same rows at this moment, so nothing was stored; do it again."
        ) from fault
