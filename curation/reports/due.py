"""Work that nobody asked for but that is due: the sweep finds it here, and asks."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import Exists, OuterRef, QuerySet

from curation.models import Corpus, EmbeddingSpace, Job, Query, QueryScore

# What could not be done for a query (its vector has not been brought, say) is tried again after so long.
TRY_AGAIN = timedelta(hours=1)


def is_due(corpus: Corpus, lacking: QuerySet[Query], *, kind: str, now: datetime) -> bool:
    """Whether some queries are `lacking` what a job of `kind` gives, while none is at it nor tried within the hour."""
    tried = corpus.jobs.filter(kind=kind).order_by("pk").last()
    if tried is not None and tried.state in Job.LIVE:
        return False
    if tried is not None and tried.created_at > now - TRY_AGAIN:
        lacking = lacking.filter(created_at__gt=tried.created_at)
    return lacking.exists()


def unmeasured(space: EmbeddingSpace, run_name: str) -> QuerySet[Query]:
    """Queries that the run of that name does not answer from `space`."""
    answered = QueryScore.objects.filter(query=OuterRef("pk"), run__name=run_name, run__embedding_space=space)
    return space.corpus.queries.exclude(status=Query.Status.RETIRED).filter(~Exists(answered))


def current_spaces() -> QuerySet[EmbeddingSpace]:
    """The space that each corpus is searched in."""
    return EmbeddingSpace.objects.filter(current=True).select_related("corpus")
