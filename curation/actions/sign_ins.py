"""Signing in slows down where it keeps failing: a row of the database counts, so every web process knows."""

from __future__ import annotations

import math
from datetime import datetime, timedelta

from django.db import transaction
from django.utils.crypto import salted_hmac

from curation.models import FailedSignIn

FREE = 5
"""So many failures cost no wait."""
FIRST, LONGEST = timedelta(seconds=5), timedelta(minutes=15)
"""The first wait, which doubles with each failure, and the longest."""
FORGOTTEN = timedelta(days=1)


def key_of(username: str, address: str) -> str:
    """A hash, because people type passwords into the field of the username."""
    return salted_hmac("curation.sign_ins", f"{username}\0{address}", algorithm="sha256").hexdigest()


@transaction.atomic
def try_sign_in(*, username: str, address: str, now: datetime) -> int:
    """Count a try before it is looked at, so that many at once count too; seconds to wait, 0 where it may go on."""
    key = key_of(username, address)
    FailedSignIn.objects.filter(last_at__lt=now - FORGOTTEN).delete()
    FailedSignIn.objects.get_or_create(key=key, defaults={"failures": 0, "last_at": now})
    held = FailedSignIn.objects.select_for_update(no_key=True).get(key=key)
    left = held.last_at + wait_after(held.failures) - now
    if left > timedelta(0):
        return math.ceil(left.total_seconds())
    held.failures, held.last_at = held.failures + 1, now
    held.save(update_fields=["failures", "last_at"])
    return 0


def wait_after(failures: int) -> timedelta:
    """How long after so many failures the next try has to wait."""
    if failures < FREE:
        return timedelta(0)
    doubled: timedelta = FIRST * 2 ** min(failures - FREE, 16)
    return min(LONGEST, doubled)


def forget(*, username: str, address: str) -> None:
    """Signing in worked: what failed before counts no more."""
    FailedSignIn.objects.filter(key=key_of(username, address)).delete()
