"""Variants: a query again in another spelling, each a query of its own in a cell of its own."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction

from curation.actions.readings import store_reading
from curation.actions.refusal import Refused
from curation.models import Query, User
from curation.reports.checks import Reading, Respelt, WordingRefused
from curation.reports.variants import original_of, to_store
from curation.retrieval.variants import Kind


@transaction.atomic
def add_variants(*, query: Query, respelt: Sequence[Respelt], by: User) -> list[Query]:
    """Store the wanted spellings of a query as variants of it, all or none; those there already are left as they are.

    Raises:
        Refused: the query is withdrawn, is a variant itself, or a spelling cannot be stored; says which.
    """
    held = (
        Query.objects.select_for_update(of=("self",), no_key=True)
        .select_related("stratum", "need", "corpus")
        .get(pk=query.pk)
    )
    if held.status == Query.Status.RETIRED:
        raise Refused("This query is withdrawn, so it takes no further spellings.")
    if held.variant_of_id is not None:
        raise Refused("This query is a spelling of another one. Add the spelling to its original.")
    try:
        return store_variants(original=held, respelt=respelt, author=by)
    except WordingRefused as refusal:
        raise Refused(str(refusal)) from refusal


def store_variants(*, original: Query, respelt: Sequence[Respelt], author: User) -> list[Query]:
    """Store the wanted spellings of `original` that are not there yet; call it inside a transaction.

    Raises:
        WordingRefused: one of them cannot be stored; says which and why.
    """
    wanted = to_store(original.corpus, original_of(original), respelt)
    return [_store(original, kind, reading, author=author) for kind, reading in wanted]


def _store(original: Query, kind: Kind, reading: Reading, *, author: User) -> Query:
    variant = Query(
        corpus=original.corpus,
        need=original.need,
        variant_of=original,
        original_text=reading.text,
        asked_corpus_language=original.asked_corpus_language,
        origin=Query.Origin.VARIANT,
        author=author,
    )
    return store_reading(reading, variant, noted={"spelling": kind.key})
