"""When something happened, in words, by the clock of the place where the corpus is at home."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

from django.utils.dateformat import format as in_words

from curation.models import Corpus


def day_in_words(at: datetime, corpus: Corpus) -> str:
    """`14 July 2026`: the day of a moment."""
    return f"{at.astimezone(ZoneInfo(corpus.time_zone)):%-d %B %Y}"


def moment_in_words(at: datetime, *, corpus: Corpus, now: datetime) -> str:
    """`at 14:02` for today, else `on 14 Jul 2026 at 14:02`."""
    here = ZoneInfo(corpus.time_zone)
    local = at.astimezone(here)
    is_today = local.date() == now.astimezone(here).date()
    return in_words(local, r"\a\t H:i" if is_today else r"\o\n j M Y \a\t H:i")
