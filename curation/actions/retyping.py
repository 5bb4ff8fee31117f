"""Correcting the type of a query: it moves to the stratum of the right one, and the first guess is kept."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.db.models import Q

from curation.actions.refusal import Refused
from curation.actions.strata import strata_for
from curation.actions.writing import one_write
from curation.models import Query, QueryType, User
from curation.reports.checks import in_stratum, live
from curation.reports.places import StratumKey, key_of
from curation.retrieval.query_types import query_type as guess


def correct_type(*, query: Query, query_type: str, by: User, now: datetime) -> Query:
    """Give a query its right type, and with it those of its other spellings that had the same wrong one.

    A query of that type already is left as it is.

    Raises:
        Refused: it is withdrawn, or its need is worded in that stratum already.
    """
    with one_write():
        rows = Query.objects.select_for_update(of=("self",), no_key=True).select_related("stratum", "need", "corpus")
        held = rows.get(pk=query.pk)
        if held.status == Query.Status.RETIRED:
            raise Refused("This query is withdrawn, so its type stays as it is.")
        wrong = held.stratum.query_type
        if wrong == query_type:
            return held
        variants = rows.filter(variant_of=held, stratum__query_type=wrong).exclude(status=Query.Status.RETIRED)
        _move([held, *variants.order_by("pk")], query_type, by=by, now=now)
    return held


def _move(queries: Sequence[Query], query_type: str, *, by: User, now: datetime) -> None:
    corpus = queries[0].corpus
    keys = {query.pk: key_of(query.stratum)._replace(query_type=query_type) for query in queries}
    for query in queries:
        _refuse_rival(query, keys[query.pk])
    strata = strata_for(corpus=corpus, keys=keys.values())
    for query in queries:
        guessed = query.metadata.get("guessed_type") or guess(query.text, query.stratum.query_language)
        told = {"guessed_type": guessed, "retyped_by": by.username, "retyped_at": now.isoformat()}
        query.stratum, query.metadata = strata[keys[query.pk]], {**query.metadata, **told}
        query.save(update_fields=["stratum", "metadata"])


def _refuse_rival(query: Query, place: StratumKey) -> None:
    """Refuse where the need, or the original that words none, has another wording at `place`.

    Raises:
        Refused: it has; names it.
    """
    same = Q(need=query.need) if query.need else Q(variant_of=query.variant_of or query)
    rival = live(query.corpus).filter(same, in_stratum(place)).exclude(pk=query.pk).first()
    if rival is not None:
        kind = str(QueryType(place.query_type).label).lower()
        raise Refused(
            f"Query {rival.external_id} is of the type {kind} and words the same need in that cell already: "
            f"“{rival.text}”. Leave the type, or have one of the two retired."
        )
