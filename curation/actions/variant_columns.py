"""The originals that a query file names: which row is another spelling of which query."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from curation.actions.lookups import rows_in
from curation.actions.receipts import Ledger
from curation.actions.wordings import RowFault, Wording
from curation.models import Corpus, Query
from curation.reports.checks import WordingRefused
from curation.reports.variants import refuse_same_class


@dataclass(frozen=True, slots=True)
class _Original:
    """What a variant takes over from its original where its own row leaves it open."""

    text: str
    locale: str
    need_id: str
    need_text: str
    query_type: str
    slice: str
    is_variant: bool


def with_originals(corpus: Corpus, wordings: Sequence[Wording], ledger: Ledger) -> list[Wording]:
    """The rows that may stay, originals before their variants; a variant gets need, type and slice of its original."""
    named = {wording.row.variant_of for wording in wordings if wording.row.variant_of}
    queries = Query.objects.filter(corpus=corpus).exclude(status=Query.Status.RETIRED).select_related("stratum", "need")
    known = {query.external_id: _stored(query) for query in rows_in(queries, "external_id", named)}
    originals = {**{w.row.external_id: _in_file(w) for w in wordings if w.row.external_id in named}, **known}
    kept = [wording for wording in wordings if not wording.row.variant_of]
    for wording in wordings:
        if not wording.row.variant_of:
            continue
        try:
            kept.append(_beside(wording, originals))
        except (RowFault, WordingRefused) as fault:
            ledger.refuse(wording.row, wording.row.external_id, str(fault))
    return kept


def _beside(wording: Wording, originals: Mapping[str, _Original]) -> Wording:
    """The wording with what its original settles.

    Raises:
        RowFault: there is no such original, it is a variant itself, or it words another need.
        WordingRefused: the row would not count apart from it.
    """
    row, name = wording.row, wording.row.variant_of
    original = originals.get(name)
    if name == row.external_id:
        raise RowFault("A query cannot be a variant of itself; leave variant_of empty.")
    if original is None:
        raise RowFault(f"The query {name}, of which it is a variant, is neither here nor in the file.")
    if original.is_variant:
        raise RowFault(f"The query {name} is a variant itself; name its original in variant_of.")
    if (row.need_id and row.need_id != original.need_id) or (
        not row.need_id and row.need_text.strip() not in {"", original.need_text}
    ):
        raise RowFault(f"Its original {name} words another need; a variant words the same one.")
    refuse_same_class(wording.text, wording.locale, original=original.text, original_locale=original.locale)
    return replace(
        wording,
        row=replace(row, need_id=original.need_id, need_text=row.need_text or original.need_text),
        query_type=wording.query_type if row.query_type.strip() else original.query_type,
        slice=wording.slice or original.slice,
    )


def _in_file(wording: Wording) -> _Original:
    row = wording.row
    return _Original(
        wording.text,
        wording.locale,
        row.need_id,
        row.need_text.strip(),
        wording.query_type,
        wording.slice,
        is_variant=bool(row.variant_of),
    )


def _stored(query: Query) -> _Original:
    need, stratum = query.need, query.stratum
    return _Original(
        query.text,
        stratum.query_language,
        (need.external_id or "") if need else "",
        need.text if need else "",
        stratum.query_type,
        stratum.slice,
        is_variant=query.variant_of_id is not None,
    )


def family_key(original: str) -> tuple[str, str]:
    """What holds the variants of an original together that words no need, in the place of a need's key."""
    return "variant of", original
