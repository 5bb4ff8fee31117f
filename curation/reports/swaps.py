"""The rollbacks of a corpus, as they were asked for."""

from __future__ import annotations

from django.db.models import Q

from curation.models import AliasSwap, Corpus, TargetIndex

SHOWN = 20


def swaps_of(corpus: Corpus, *, index: TargetIndex | None = None) -> list[AliasSwap]:
    """The newest rollbacks of the corpus, or from and to one index; one query."""
    rows = AliasSwap.objects.filter(from_index__corpus=corpus).select_related("from_index", "to_index", "asked_by")
    if index is not None:
        rows = rows.filter(Q(from_index=index) | Q(to_index=index))
    return list(rows.order_by("-asked_at", "-pk")[:SHOWN])
