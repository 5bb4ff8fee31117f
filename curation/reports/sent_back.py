"""Queries that a lead withdrew and their writer has not worded anew."""

from __future__ import annotations

from django.db.models import Exists, OuterRef

from curation.models import Corpus, Query, User

TAKEN_BACK = "taken back by its writer"
"""The reason that stands with a query whose own writer took it back."""


def sent_back(corpus: Corpus, user: User) -> list[Query]:
    """What `user` wrote and a lead withdrew, while they have no later wording of its need there; newest first."""
    theirs = Query.objects.filter(corpus=corpus, author=user, origin=Query.Origin.WRITTEN, need__isnull=False)
    later = theirs.filter(
        need=OuterRef("need"), stratum__query_language=OuterRef("stratum__query_language"), pk__gt=OuterRef("pk")
    )
    withdrawn = theirs.filter(status=Query.Status.RETIRED).exclude(retired_reason=TAKEN_BACK)
    return list(withdrawn.exclude(Exists(later)).select_related("stratum").order_by("-pk"))
