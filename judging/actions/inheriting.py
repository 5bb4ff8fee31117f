"""What a variant takes over from its original: the same wants spelt otherwise have the same answers.

A variant's pool opens with the original's settled grades. Finished, it settles those left as they were, and those of
documents that its own pool does not hold, as VARIANT; else a spelling that finds nothing would have no answer, and
drop out of the very cell that shows it.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from functools import cache

from curation.actions import qrels
from curation.actions.meetings import Grade
from curation.models import Qrel, Query
from curation.reports.prepared import KEY, PreparedRows
from judging.models import Candidate, Pool
from judging.reports.opinions import inherited_grades, settled_for_original

STRONGER = (Qrel.Source.ADJUDICATED, Qrel.Source.AGREED, Qrel.Source.IMPORTED)


def unchanged(query: Query) -> set[tuple[str, int]]:
    """(canonical id, grade) that a variant inherits and that nothing of its own has overwritten yet."""
    inherited = inherited_grades(query)
    if not inherited:
        return set()
    own = Qrel.objects.filter(query=query, source__in=STRONGER, canonical_id__in=inherited)
    overwritten = set(own.values_list("canonical_id", flat=True))
    return {(name, grade) for name, grade in inherited.items() if name not in overwritten}


def beyond_the_pool(query: Query) -> list[Grade]:
    """The original's grades of documents that the variant's pools do not hold; derived ones never count and stay."""
    if query.variant_of_id is None:
        return []
    pooled = Candidate.objects.filter(pool__query=query).values("canonical_id")
    own = Qrel.objects.filter(query=query).exclude(source__in=[Qrel.Source.VARIANT, Qrel.Source.DERIVED])
    settled = settled_for_original(query).exclude(source=Qrel.Source.DERIVED)
    taken = settled.exclude(canonical_id__in=pooled).exclude(canonical_id__in=own.values("canonical_id"))
    return [_inherited(query, qrel) for qrel in taken.order_by("canonical_id")]


def _inherited(variant: Query, qrel: Qrel) -> Grade:
    """A grade of the original as one of the variant."""
    return Grade(
        variant.pk,
        qrel.canonical_id,
        qrel.grade,
        Qrel.Source.VARIANT,
        document_id=qrel.gold_document_id,
        text_sha256=qrel.text_sha256,
        exact_only=qrel.exact_only,
    )


def moved(variant: Query) -> list[Grade]:
    """What a variant inherited and its original has settled otherwise since; what its own pool settled stays."""
    held = Qrel.objects.filter(query=variant, source=Qrel.Source.VARIANT)
    inherited = {qrel.canonical_id: qrel for qrel in held}
    settled = settled_for_original(variant).exclude(source=Qrel.Source.DERIVED).filter(canonical_id__in=inherited)
    return [
        replace(
            _inherited(variant, now),
            judged_depth=inherited[now.canonical_id].judged_depth,
            opinions=inherited[now.canonical_id].opinions,
        )
        for now in settled.order_by("canonical_id")
        if now.grade != inherited[now.canonical_id].grade
    ]


def hand_down(*, original: Query, now: datetime) -> None:
    """Give the variants that were finished before what `original` has settled since, and settled otherwise since."""
    for variant in _judged_variants().rows({KEY: original.pk}):
        if grades := [*beyond_the_pool(variant), *moved(variant)]:
            qrels.settle(corpus=variant.corpus, grades=grades, now=now, judged={variant.pk}, revising=True)


@cache
def _judged_variants() -> PreparedRows[Query]:
    return PreparedRows(Query.objects.filter(variant_of=KEY, status=Query.Status.JUDGED).select_related("corpus"))


def takes_over(pool: Pool) -> list[Grade]:
    """What finishing `pool` settles beside what was said in it; a candidate that was sent settles alone."""
    return [] if pool.kind == Pool.Kind.SENT else beyond_the_pool(pool.query)
