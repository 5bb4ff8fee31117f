"""What counts now beside a frozen version: counted by the database, and read only as far as a page lists it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar, overload

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Value
from django.db.models.functions import Coalesce

from curation.formats.set_form import FrozenMember, Rules
from curation.models import Corpus, FrozenQrel, FrozenQuery, Qrel, Query, SetVersion

from .set_content import OF_STRATUM, frozen_members, live_members, live_queries, rules_frozen
from .set_diff import Change, SetDiff, change_of, rules_changed, slices_of

T = TypeVar("T")
LIVE: Mapping[str, Any] = {
    **{name: F(f"query__stratum__{name}") for name in OF_STRATUM},
    **{name: F(f"query__{name}") for name in ("text", "gold_canonical_id")},
    "need": Coalesce("query__need__text", Value("")),
    "variant_of": Coalesce("query__variant_of__external_id", Value("")),
}
"""What a query that stays may have changed, and where its row of now says it; the fields of `set_diff.FIELDS`."""


class Listed(Sequence[T]):
    """Rows of which the keys are known, in order: the rest of a stretch is read when it is asked for."""

    def __init__(self, keys: Sequence[int], read: Callable[[Sequence[int]], Sequence[T]]) -> None:
        self._keys, self._read = keys, read

    def __len__(self) -> int:
        return len(self._keys)

    @overload
    def __getitem__(self, place: int) -> T: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[T]: ...
    def __getitem__(self, place: int | slice) -> T | Sequence[T]:
        """One row, or the rows of a stretch in a few SQL queries."""
        return self._read(self._keys[place]) if isinstance(place, slice) else self._read([self._keys[place]])[0]


def draft_diff(corpus: Corpus, rules: Rules, newest: SetVersion | None) -> SetDiff:
    """What a freeze of `corpus` now, under `rules`, would change of `newest`; five SQL queries and what is listed.

    Without a version everything is added.
    """
    live, frozen = live_queries(corpus), FrozenQuery.objects.filter(set_version=newest).order_by()
    came = live.filter(~Exists(frozen.filter(query=OuterRef("pk"))))
    went = frozen.filter(~Exists(live.filter(pk=OuterRef("query_id"))))
    stayed = frozen.filter(Exists(live.filter(pk=OuterRef("query_id"))))
    now, before = by_slice(live, "stratum__slice"), by_slice(frozen, "slice")
    added, withdrawn = listed(came, "pk", "stratum__slice"), listed(went, "query_id", "slice")
    changed = listed(stayed.filter(has_changed()), "query_id", "slice")

    def added_members(keys: Sequence[int]) -> list[FrozenMember]:
        return ordered(keys, dict(live_members(Query.objects.filter(pk__in=keys).order_by())))

    def withdrawn_members(keys: Sequence[int]) -> list[FrozenMember]:
        return ordered(keys, dict(frozen_members(frozen.filter(query__in=keys))))

    def changes(keys: Sequence[int]) -> list[Change]:
        pairs = zip(withdrawn_members(keys), added_members(keys), strict=True)
        return [change for was, is_now in pairs if (change := change_of(was, is_now))]

    return SetDiff(
        tuple(slices_of(before, now, came=of_slices(added), went=of_slices(withdrawn))),
        Listed([key for key, _ in added], added_members),
        Listed([key for key, _ in withdrawn], withdrawn_members),
        Listed([key for key, _ in changed], changes),
        rules_changed(rules_frozen(newest), rules) if newest else {},
    )


def by_slice(rows: QuerySet[Any, Any], column: str) -> Counter[str]:
    """How many of `rows` each slice holds."""
    return Counter(dict(rows.values_list(column).annotate(Count("pk"))))


def listed(rows: QuerySet[Any, Any], key: str, column: str) -> list[tuple[int, str]]:
    """(key, slice) of `rows`, in code point order of their ids whatever the database sorts by."""
    return [(pk, name) for _, pk, name in sorted(rows.values_list("external_id", key, column))]


def of_slices(rows: Sequence[tuple[int, str]]) -> Counter[str]:
    """How many of the rows listed each slice holds."""
    return Counter(name for _, name in rows)


def ordered(keys: Sequence[int], members: Mapping[int, T]) -> list[T]:
    """The members of `keys`, in their order."""
    return [members[key] for key in keys]


def has_changed() -> Q:
    """Whether a frozen query that still counts has another field, or any other grade, than it was frozen with."""
    fields = Q()
    for name, now in LIVE.items():
        fields |= ~Q(**{name: now})
    same = Qrel.objects.filter(query=OuterRef("query__query_id"), canonical_id=OuterRef("canonical_id"))
    kept = FrozenQrel.objects.filter(query=OuterRef(OuterRef("pk")), canonical_id=OuterRef("canonical_id"))
    regraded = FrozenQrel.objects.filter(~Exists(same.filter(grade=OuterRef("grade"))), query=OuterRef("pk"))
    new = Qrel.objects.filter(~Exists(kept), query=OuterRef("query_id"))
    return fields | Q(Exists(regraded)) | Q(Exists(new))
