"""How set versions are shown: movements of counts, count targets by name, agreement in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from django import template
from django.core.paginator import Page
from django.utils.http import urlencode

from curation.measures.targets import COUNT_TARGETS
from curation.models import Use
from curation.reports.certificate import agreement_in_words, exact_list_in_words

from .strata import MINUS

register = template.Library()
T = TypeVar("T")
FIRST = 5


@register.filter
def change(count: int) -> str:
    """How many came, with a sign: "+36", "−2", "0"."""
    return f"{count:+,}".replace("-", MINUS) if count else "0"


@register.filter
def lost(count: int) -> str:
    """How many went: "−5", "0"."""
    return change(-count)


@register.filter
def level_name(count: int) -> str:
    """The highest count target that `count` reaches, by name."""
    reached = [use for use, target in COUNT_TARGETS.items() if count >= target]
    return str(Use(reached[-1]).label) if reached else "Below 30" if count else "Empty"


@register.filter
def agreement_words(agreement: Mapping[str, Any]) -> str:
    """How far two opinions agree."""
    return agreement_in_words(agreement or {})


@register.filter
def exact_list_words(told: Mapping[str, Any]) -> str:
    """The encoder behind the lists that judges read."""
    return exact_list_in_words(told)


@register.filter
def shown(rows: Sequence[T], page: Page[T]) -> Sequence[T]:
    """The rows of the open tab's page; the first few where the tab is another one."""
    return list(page.object_list) or rows[:FIRST]


@register.simple_tag
def querystring_of(asked: Mapping[str, str]) -> str:
    """What a list is asked, as the end of its address."""
    return f"?{urlencode(asked)}" if asked else ""
