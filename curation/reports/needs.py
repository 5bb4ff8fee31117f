"""The needs of a corpus, with the locales that have worded each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import QuerySet

from curation.models import Corpus, Need, Query


@dataclass(frozen=True, slots=True)
class NeedRow:
    """A need and how many wordings it has in each locale, the locales sorted."""

    need: Need
    wordings: list[tuple[str, int]]


def needs_of(corpus: Corpus) -> QuerySet[Need]:
    """The corpus's needs, those stated last first."""
    return corpus.needs.order_by("-pk")


def rows_of(needs: Sequence[Need]) -> list[NeedRow]:
    """`needs` with their wordings that are not retired, in one query."""
    wordings: dict[int | None, Counter[str]] = {}
    live = Query.objects.filter(need__in=[need.pk for need in needs]).exclude(status=Query.Status.RETIRED)
    for need, locale in live.values_list("need_id", "stratum__query_language"):
        wordings.setdefault(need, Counter())[locale] += 1
    return [NeedRow(need, sorted(wordings.get(need.pk, Counter()).items())) for need in needs]
