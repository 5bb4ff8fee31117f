"""What templates share: icons, the count glyph, the way toward the count targets, times in words, the menu."""

from __future__ import annotations

from datetime import timedelta
from itertools import pairwise
from typing import Any

from django import template
from django.contrib.messages.storage.base import Message
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from curation.measures.targets import COUNT_TARGETS, level_reached, next_target
from curation.models import Job
from curation.reports import navigation as menus
from curation.retrieval.locales import language_name

register = template.Library()

TARGETS = sorted(COUNT_TARGETS.values())
# The targets stand at a quarter, a half and the whole of the way: 30 of 400 would be too short to see.
TICKS = (25, 50, 100)
HOME_DEPTH = 3
GLYPH = '<span class="st" data-s="{}" aria-hidden="true"><i></i><i></i><i></i></span>'
GLYPHS = [format_html(GLYPH, level) for level in range(len(TARGETS) + 1)]
KIND_ICONS = {"pass": "ok", "info": "info", "warn": "warn", "stop": "stop"}
MESSAGE_KINDS = {"success": "pass", "info": "info", "warning": "warn", "error": "stop", "debug": "info"}
JOB_ICONS = {"queued": "clock", "running": "retry", "done": "ok", "failed": "stop", "cancelled": "x"}


@register.simple_tag
def icon(name: str, size: str = "") -> SafeString:
    """The drawing `name` of static/curation/icons, silent: the word stands beside it. Size "s" is 13 px."""
    return format_html('<span class="i i-{}{}" aria-hidden="true"></span>', name, f" {size}" if size else "")


@register.simple_tag
def kind_icon(kind: str) -> SafeString:
    """The icon of a verdict or message: pass, info, warn or stop."""
    return icon(KIND_ICONS.get(kind, "info"))


@register.simple_tag
def job_icon(job: Job) -> SafeString:
    """The icon of a job's state."""
    return icon(JOB_ICONS[job.state])


@register.filter
def kind(message: Message) -> str:
    """The kind of note that shows a message of django.contrib.messages."""
    return MESSAGE_KINDS[message.level_tag]


@register.simple_tag
def glyph(count: int) -> SafeString:
    """Three bars: how many of the count targets (30, 100, 400) `count` has reached."""
    return GLYPHS[level_reached(count)]


@register.filter
def level(count: int) -> int:
    """How many of the count targets `count` has reached: 0 to 3."""
    return level_reached(count)


@register.inclusion_tag("_track.html")
def track(count: int) -> dict[str, Any]:
    """The way toward 30, 100 and 400, with a tick at each."""
    return {"count": count, "last": TARGETS[-1], "percent": way_to_targets(count), "ticks": TICKS}


def way_to_targets(count: int) -> float:
    """How far along the track `count` stands, in per cent with one decimal: straight between two ticks."""
    stations = list(zip((0, *TARGETS), (0, *TICKS), strict=True))
    for (lower, start), (upper, end) in pairwise(stations):
        if count < upper:
            return round(start + (count - lower) / (upper - lower) * (end - start), 1)
    return float(TICKS[-1])


@register.filter
def to_next_target(count: int) -> str:
    """How many are missing to the next target: "29 to 100", or "past 400"."""
    above = next_target(count)
    return f"{above - count} to {above}" if above else f"past {TARGETS[-1]}"


@register.filter
def clock(seconds: float) -> str:
    """A duration: "1:34" under an hour, then "1 h 40 min"."""
    whole = round(seconds)
    if whole < 3600:
        return f"{whole // 60}:{whole % 60:02d}"
    minutes = round(whole / 60)
    return f"{minutes // 60} h {minutes % 60} min"


@register.filter
def about(seconds: float) -> str:
    """An estimate that claims no more than it knows: "about 50 min", "about 1 h 40 min"."""
    minutes = max(1, round(seconds / 60))
    step = 1 if minutes < 10 else 5
    minutes = round(minutes / step) * step
    if minutes < 60:
        return f"about {minutes} min"
    hours, rest = divmod(minutes, 60)
    return f"about {hours} h {rest} min" if rest else f"about {hours} h"


@register.simple_tag
def time_left(job: Job) -> str:
    """How long a running job still takes at its pace so far, after a comma; nothing while that cannot be said."""
    if not (job.started_at and job.progress_done and job.progress_total):
        return ""
    elapsed: timedelta = timezone.now() - job.started_at
    left = elapsed.total_seconds() * (job.progress_total - job.progress_done) / job.progress_done
    return f", {about(left)} left" if left >= 60 else ", under a minute left"


@register.filter
def language(tag: str) -> str:
    """The English name of a locale ("sr-Latn" is "Serbian (Latin)"); a tag that CLDR does not know stays as it is."""
    try:
        return language_name(tag)
    except KeyError:
        return tag


@register.inclusion_tag("_nav.html", takes_context=True)
def navigation(context: template.Context) -> dict[str, Any]:
    """The menu of the person in the corpus of the page; outside a corpus only the way to My work."""
    request = context["request"]
    memberships = getattr(request, "memberships", [])
    counts = getattr(request, "stratum_counts", None)
    groups = menus.menu(memberships, counts_known=counts) if memberships else []
    return {
        "corpus": getattr(request, "corpus", None),
        "corpora": getattr(request, "corpora", []),
        "groups": [(title, [(shown, is_here(request.path, shown.href)) for shown in group]) for title, group in groups],
        "roles": menus.roles_in_words(memberships, language=language) if memberships else "",
        "zone": timezone.get_current_timezone_name(),
        "user": request.user,
        "csrf_token": context.get("csrf_token"),
    }


def is_here(path: str, href: str) -> bool:
    """Is `path` the page at `href`, or one below it? Every page stands below My work (`/c/<slug>/`)."""
    return path == href or (href.count("/") > HOME_DEPTH and path.startswith(href))
