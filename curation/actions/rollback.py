"""The way back: naming what an alias led to before, and leading it there again. Nothing here acts by itself."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from curation.actions.production import hold_indexes, put_in_production
from curation.actions.refusal import Refused
from curation.indexes.aliases import Swapped, swap
from curation.indexes.base import IndexRefused
from curation.models import AliasSwap, TargetIndex, User
from curation.reports.aliases import check_alias, check_pair, way_back
from curation.reports.index_names import index_meant, spec_of

LONGEST = 500  # characters that the column of an alias keeps


@dataclass(frozen=True, slots=True)
class Asker:
    """Who asks for a rollback: an account, or a name on a console."""

    name: str
    user: User | None = None


@dataclass(frozen=True, slots=True)
class Rollback:
    """What became of a rollback: the alias, where it led, where it is to lead, and the row of a swap that was done."""

    outcome: Swapped
    alias: str
    before: str
    to: str
    swap: AliasSwap | None = None


@transaction.atomic
def name_previous(*, index: TargetIndex, previous: TargetIndex | None, alias: str) -> TargetIndex:
    """Say under which alias `index` is asked, and what a rollback leads it to; None takes the way back away.

    Raises:
        Refused: the alias cannot be one, or cannot lead to `previous`.
    """
    hold_indexes(index.corpus)
    alias = alias or index.alias
    if len(alias) > LONGEST:
        raise Refused(f"An alias has at most {LONGEST} characters; this one has {len(alias):,}.")
    try:
        if previous is None:
            check_alias(index, alias)
        else:
            check_pair(index, previous, alias)
    except IndexRefused as refusal:
        raise Refused(str(refusal)) from refusal
    index.alias, index.previous_target = alias, previous
    index.save(update_fields=["alias", "previous_target"])
    return index


def rollback(*, index: TargetIndex, reason: str, asker: Asker, now: datetime, rehearse: bool = False) -> Rollback:
    """Lead the alias of `index` to its previous target; where `index` was in production, that target is from now on.

    Who asked, and why, is stored before the alias is touched. An alias that leads there already is left alone, so
    that a second rollback changes nothing; with `rehearse` nothing is changed or stored.

    Raises:
        Refused: there is no reason or no named previous target, the alias leads elsewhere, or its server refuses.
    """
    reason = reason.strip()
    if not reason and not rehearse:
        raise Refused("A rollback needs a reason; say in a few words why.")
    try:
        back = way_back(index)
    except IndexRefused as refusal:
        raise Refused(str(refusal)) from refusal
    row = None if rehearse else _noted(index, back.previous, reason=reason, asker=asker, now=now)
    try:
        outcome = swap(back.alias, before=back.before, to=back.to, rehearse=rehearse)
    except IndexRefused as refusal:
        if row is not None:
            AliasSwap.objects.filter(pk=row.pk).update(fault=str(refusal))
        raise Refused(str(refusal)) from refusal
    if row is not None:
        row = _settled(row, outcome, now)
    return Rollback(outcome, index.alias, back.before, back.to, row)


def _noted(index: TargetIndex, previous: TargetIndex, *, reason: str, asker: Asker, now: datetime) -> AliasSwap:
    return AliasSwap.objects.create(
        from_index=index,
        to_index=previous,
        alias=index.alias,
        reason=reason,
        asked_by=asker.user,
        asked_as=asker.name[:200],
        asked_at=now,
    )


@transaction.atomic
def _settled(row: AliasSwap, outcome: Swapped, now: datetime) -> AliasSwap | None:
    """Store that the alias leads to its target; a swap that was not needed leaves no row."""
    hold_indexes(row.from_index.corpus)
    left = index_meant(spec_of(row.from_index))
    if left.is_production:
        put_in_production(index=row.to_index)
    if outcome is Swapped.ALREADY:
        row.delete()
        return None
    row.swapped_at = now
    row.save(update_fields=["swapped_at"])
    return row
