"""How often a program may ask: counted by the minute in the database, so every web process knows."""

from __future__ import annotations

import math
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F
from django.utils.crypto import salted_hmac

from curation.models import ApiToken, ApiUse

A_MINUTE = 120
"""Requests of one token."""
FAILURES_A_MINUTE = 20
"""Requests from one address whose tokens are not known; a good token from there goes on."""
MINUTE, KEPT = timedelta(minutes=1), timedelta(hours=1)


def count_use(*, token: ApiToken, now: datetime) -> int:
    """Count a request of `token`; seconds to wait, 0 where it may go on."""
    return _count(f"token:{token.pk}", most=A_MINUTE, now=now)


def count_failure(*, address: str, now: datetime) -> int:
    """Count a request whose token nobody knows; seconds to wait, 0 where it is merely refused."""
    hashed = salted_hmac("curation.api_rates", address, algorithm="sha256").hexdigest()
    return _count(f"from:{hashed}", most=FAILURES_A_MINUTE, now=now)


@transaction.atomic
def _count(key: str, *, most: int, now: datetime) -> int:
    minute = now.replace(second=0, microsecond=0)
    here = ApiUse.objects.filter(key=key, minute=minute)
    if not here.update(count=F("count") + 1):
        ApiUse.objects.filter(minute__lt=now - KEPT).delete()
        ApiUse.objects.bulk_create([ApiUse(key=key, minute=minute)], ignore_conflicts=True)
        here.update(count=F("count") + 1)
    if here.get().count <= most:
        return 0
    return math.ceil((minute + MINUTE - now).total_seconds())
