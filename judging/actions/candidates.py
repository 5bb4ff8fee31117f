"""Candidates that a person sends to the pool of a query: a suspicious hard negative, say."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from curation.actions.refusal import Refused
from curation.models import Document, Query
from judging.models import Candidate, Pool


def add_candidate(*, query: Query, document: Document, origin: str, now: datetime, first: bool = False) -> Candidate:
    """Offer `document` for judging as an answer to `query`; `origin` names who sent it, as "hard_negative".

    It joins the pool that waits for judging. Where the opinions wanted on that one are given already, it opens a pool
    of kind SENT, and whoever may judge the query is asked about it alone; until then nothing that counts changes.
    Sent again, or where another rendering of its article is a candidate already, it only adds its origin. With `first`,
    its pool is judged before all others.

    Raises:
        Refused: the query is withdrawn or not ready, its pool is not drawn yet, or the document is gone.
    """
    if document.corpus_id != query.corpus_id or document.gone_at is not None:
        raise Refused(f"Document {document.external_id} is not in the corpus any more, so nobody can judge it.")
    with transaction.atomic():
        pool = _pool_for(Query.objects.select_for_update(no_key=True).get(pk=query.pk), now)
        if first and pool.first_at is None:
            pool.first_at = now
            pool.save(update_fields=["first_at"])
        rendering = _rendering_in(pool, document)
        if rendering is None:
            return Candidate.objects.create(
                pool=pool, document=document, canonical_id=document.canonical_id, origins={origin: None}
            )
        if origin not in rendering.origins:
            rendering.origins = {**rendering.origins, origin: None}
            rendering.save(update_fields=["origins"])
        return rendering


def _pool_for(query: Query, now: datetime) -> Pool:
    """The pool of `query` that waits for judging; one of kind SENT where its own is closed, or it was judged already.

    The pool of a READY query is closed while its opinions differ and wait for a lead.
    """
    if query.status not in {Query.Status.READY, Query.Status.JUDGED}:
        raise Refused(f"Query {query.external_id} is {query.get_status_display().lower()}, so nobody judges it.")
    drawn = query.pools.exclude(kind=Pool.Kind.SENT).first()
    if query.status == Query.Status.READY:
        if drawn is None:
            raise Refused(
                f"The pool of query {query.external_id} is not drawn yet; send the document again in a minute."
            )
        if drawn.closed_at is None:
            return drawn
    asked = {"depth": 0, "drawn_at": now}
    return query.pools.get_or_create(query=query, kind=Pool.Kind.SENT, closed_at=None, defaults=asked)[0]


def _rendering_in(pool: Pool, document: Document) -> Candidate | None:
    """The candidate that stands for `document` in `pool`: itself, else its article in another language."""
    candidates = list(pool.candidates.filter(canonical_id=document.canonical_id).select_related("document"))
    same = [candidate for candidate in candidates if candidate.document_id == document.pk]
    folded = [candidate for candidate in candidates if candidate.document.language != document.language]
    return next(iter([*same, *folded]), None)
