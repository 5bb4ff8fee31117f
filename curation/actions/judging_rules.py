"""How a corpus is judged: how many queries two people judge, and what a stratum says for itself."""

from __future__ import annotations

from django.db import transaction

from curation.actions.refusal import Refused
from curation.models import Corpus, PoolKind, Stratum

WHOLE = 100


@transaction.atomic
def share_double_judged(*, corpus: Corpus, share: int) -> Corpus:
    """Let two people judge `share` percent of the queries whose stratum does not say how many do.

    Raises:
        Refused: it is no percentage.
    """
    if not 0 <= share <= WHOLE:
        raise Refused("The share that two people judge is a percentage, 0 to 100.")
    held = Corpus.objects.select_for_update(no_key=True).get(pk=corpus.pk)
    held.double_judged = share
    held.save(update_fields=["double_judged"])
    return held


@transaction.atomic
def rule_stratum(*, stratum: Stratum, opinions: int | None, pool_kind: PoolKind) -> Stratum:
    """Say how many opinions settle a query of `stratum` (None: as the corpus says), and of which kind its pools are.

    Raises:
        Refused: that many opinions cannot be had.
    """
    if opinions is not None and not 1 <= opinions <= Stratum.MOST_OPINIONS:
        raise Refused(f"A query is settled by 1 to {Stratum.MOST_OPINIONS} opinions.")
    held = Stratum.objects.select_for_update(no_key=True).get(pk=stratum.pk)
    held.opinions, held.pool_kind = opinions, pool_kind
    held.save(update_fields=["opinions", "pool_kind"])
    return held
