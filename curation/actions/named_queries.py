"""Grades whose file names each query by its text, as tools do that give queries no ids."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from curation.actions.lookups import rows_in
from curation.actions.receipts import Ledger
from curation.formats.qrels import MOST_NAMED, QrelRow
from curation.models import Corpus, Query
from curation.retrieval.folding import nfc
from curation.retrieval.locales import ScriptNeeded, UnknownLocale, canonical_locale

Named = Mapping[str, Sequence[tuple[str, str]]]
"""Text → the queries that read so: id and locale of each."""


def with_ids(corpus: Corpus, rows: Sequence[QrelRow], ledger: Ledger, *, locale: str = "") -> list[QrelRow]:
    """The rows, each with the id of its query; a text that no query has, or several, is refused.

    `locale` is the language of rows that name none; with it a text names one query at most.
    """
    named = _by_text(corpus, (nfc(row.query_text) for row in rows if row.query_text))
    found = []
    for row in rows:
        try:
            found.append(replace(row, query_id=_id_of(row, named, locale)) if row.query_text else row)
        except LookupError as fault:
            ledger.refuse(row, row.query_text[:MOST_NAMED], str(fault.args[0]))
    return found


def _by_text(corpus: Corpus, texts: Iterable[str]) -> Named:
    live = Query.objects.filter(corpus=corpus).exclude(status=Query.Status.RETIRED).order_by("external_id")
    named = defaultdict(list)
    for text, name, locale in rows_in(
        live.values_list("text", "external_id", "stratum__query_language"), "text", texts
    ):
        named[text].append((name, locale))
    return named


def _id_of(row: QrelRow, named: Named, asked: str) -> str:
    """The id of the query that a row means.

    Raises:
        LookupError: no query is meant, or more than one; says why.
    """
    try:
        locale = canonical_locale(row.locale or asked) if row.locale or asked else ""
    except (UnknownLocale, ScriptNeeded) as fault:
        raise LookupError(str(fault)) from fault
    meant = [each for each in named.get(nfc(row.query_text), ()) if locale in {"", each[1]}]
    if not meant:
        raise LookupError(f"The corpus holds no query that reads so{f' in {locale}' if locale else ''}.")
    if len(meant) > 1:
        listed = ", ".join(f"{name} in {language}" for name, language in meant)
        raise LookupError(
            f"{len(meant)} queries read so ({listed}): say which by its id, or give the locale (--locale)."
        )
    return meant[0][0]
