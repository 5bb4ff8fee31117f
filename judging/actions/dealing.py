"""Dealing with flags: a lead looked into what a judge found wrong, and takes it off the list."""

from __future__ import annotations

from datetime import datetime

from curation.actions.refusal import Refused
from curation.models import Corpus, User
from judging.models import Mismatch


def deal_with(*, corpus: Corpus, person: User, flag_id: int, now: datetime) -> Mismatch:
    """Note that `person` dealt with a flag, unless somebody did before: the first one stays.

    Raises:
        Mismatch.DoesNotExist: the corpus has no such flag.
        Refused: the judge took it back meanwhile.
    """
    own = Mismatch.objects.filter(assignment__pool__query__corpus=corpus, pk=flag_id)
    own.filter(undone_at=None, dealt_with_at=None).update(dealt_with_at=now, dealt_with_by=person)
    flag = own.select_related("candidate__document", "dealt_with_by").get()
    if flag.dealt_with_at is None:
        raise Refused(f"The judge took the flag on {flag.candidate.document.external_id} back meanwhile.")
    return flag


def open_again(*, corpus: Corpus, flag_id: int) -> Mismatch:
    """Put a flag back on the list of what is open; one that is there stays.

    Raises:
        Mismatch.DoesNotExist: the corpus has no such flag.
    """
    own = Mismatch.objects.filter(assignment__pool__query__corpus=corpus, pk=flag_id)
    own.exclude(dealt_with_at=None).update(dealt_with_at=None, dealt_with_by=None)
    return own.select_related("candidate__document").get()
