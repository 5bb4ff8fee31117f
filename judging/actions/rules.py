"""Changing how a corpus is judged: the rule, and what it means for pools that nobody has begun."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet

from curation.actions import judging_rules
from curation.actions.lookups import overwrite, rows_in
from curation.models import Corpus, PoolKind, Query, Stratum
from judging.actions.wanted import opinions_wanted
from judging.models import Assignment, Pool


class Kept(Enum):
    """Said of a rule that each stratum keeps as it has it."""

    KEPT = "kept"


@transaction.atomic
def change_share(*, corpus: Corpus, share: int) -> int:
    """Let two people judge `share` percent of the queries; how many waiting pools want another number of opinions now.

    Raises:
        Refused: it is no percentage.
    """
    changed = judging_rules.share_double_judged(corpus=corpus, share=share)
    return renew_opinions(corpus=changed, pools=Pool.objects.filter(query__stratum__opinions=None))


@transaction.atomic
def change_strata(*, corpus: Corpus, strata: Iterable[Stratum], opinions: int | None, pool_kind: PoolKind) -> int:
    """Say how strata are judged; how many waiting pools want another number of opinions now. No pool is drawn again.

    Raises:
        Refused: that many opinions cannot be had.
    """
    changed = [
        judging_rules.rule_stratum(stratum=stratum, opinions=opinions, pool_kind=pool_kind).pk for stratum in strata
    ]
    return renew_opinions(corpus=corpus, pools=Pool.objects.filter(query__stratum__in=changed))


@transaction.atomic
def change_several(
    *, corpus: Corpus, strata: Iterable[Stratum], opinions: int | Kept | None, pool_kind: PoolKind | Kept
) -> int:
    """`change_strata` in the rules that are not kept, all strata or none.

    Raises:
        Refused: that many opinions cannot be had.
    """
    return sum(
        change_strata(
            corpus=corpus,
            strata=[stratum],
            opinions=stratum.opinions if opinions is Kept.KEPT else opinions,
            pool_kind=PoolKind(stratum.pool_kind) if pool_kind is Kept.KEPT else pool_kind,
        )
        for stratum in strata
    )


def renew_opinions(*, corpus: Corpus, pools: QuerySet[Pool]) -> int:
    """Let those of `pools` that wait and that nobody has begun want as many opinions as the rules say; how many change.

    Call it inside a transaction.
    """
    drawn = pools.filter(query__corpus=corpus, query__status=Query.Status.READY, closed_at=None)
    # Whoever leases one of them meanwhile waits; whoever has just leased one is seen by `unbegun` below.
    waiting = list(drawn.exclude(kind=Pool.Kind.SENT).select_for_update(of=("self",), no_key=True))
    wanted = opinions_wanted(corpus, [pool.query_id for pool in waiting])
    differing = [pool for pool in waiting if pool.opinions != wanted[pool.query_id]]
    taken = Assignment.objects.filter(pool=OuterRef("pk"), place__isnull=False)
    keys = Pool.objects.filter(~Exists(taken)).values_list("pk", flat=True)
    unbegun = set(rows_in(keys, "pk", (pool.pk for pool in differing)))
    renewed = [pool for pool in differing if pool.pk in unbegun]
    for pool in renewed:
        pool.opinions = wanted[pool.query_id]
    overwrite(renewed, ["opinions"])
    return len(renewed)


def renewed_in_words(renewed: int) -> str:
    """What became of the pools that wait."""
    if not renewed:
        return "No waiting pool changes."
    pools = "pool that nobody had begun wants" if renewed == 1 else "pools that nobody had begun want"
    return f"{renewed:,} waiting {pools} another number of opinions."
