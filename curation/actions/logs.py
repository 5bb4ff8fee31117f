"""Query logs: what people typed, how often, and when and where the log says so."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import replace

from curation.actions.lookups import rows_in
from curation.actions.receipts import Intake, Ledger, Receipt
from curation.actions.refusal import Refused
from curation.formats.query_log import LogRow, read_query_log
from curation.models import Corpus, LogQuery
from curation.retrieval.locales import ScriptNeeded, UnknownLocale, canonical_locale

BATCH = 500
MOST_SEARCHES = 2**31 - 1
SHOWN = 40


def import_log(*, corpus: Corpus, intake: Intake, locale: str = "") -> Receipt:
    """Import the lines of a log; `locale` is that of the lines that name none.

    Lines of one file that differ in nothing but their count are one line with the sum of their counts; the others of
    them count as merged, as does a line that an earlier import stored.

    Raises:
        Refused: `locale` is none that is known, or someone else wrote the same rows meanwhile.
    """
    ledger = Ledger(intake)
    rows = ledger.rows(read_query_log(intake.path, intake.reading))
    lines = _summed(rows, ledger, locale=_stated(locale))
    queries = [_query(corpus, row) for row in lines]
    stored = LogQuery.objects.filter(corpus=corpus).values_list("sha256", flat=True)
    known = set(rows_in(stored, "sha256", (query.sha256 for query in queries)))
    fresh = [query for query in queries if query.sha256 not in known]
    ledger.stored += len(fresh)
    ledger.merged += len(queries) - len(fresh)
    if ledger.stores:
        with ledger.writing():
            LogQuery.objects.bulk_create(fresh, batch_size=BATCH)
    return ledger.receipt()


def _stated(locale: str) -> str:
    try:
        return canonical_locale(locale) if locale else ""
    except (UnknownLocale, ScriptNeeded) as fault:
        raise Refused(str(fault)) from fault


def _summed(rows: Sequence[LogRow], ledger: Ledger, *, locale: str) -> list[LogRow]:
    lines: dict[str, LogRow] = {}
    for row in rows:
        try:
            line = replace(row, language=canonical_locale(row.language) if row.language else locale)
        except (UnknownLocale, ScriptNeeded) as fault:
            ledger.refuse(row, row.text[:SHOWN], str(fault))
            continue
        key = _fingerprint(line)
        count = line.count + (lines[key].count if key in lines else 0)
        if count > MOST_SEARCHES:
            ledger.refuse(row, row.text[:SHOWN], f"A query can stand for at most {MOST_SEARCHES:,} searches.")
            continue
        ledger.merged += key in lines
        lines[key] = replace(line, count=count)
    return list(lines.values())


def _fingerprint(row: LogRow) -> str:
    """Equal for lines that say the same, whatever they count."""
    said = [row.text, row.language, row.date.isoformat() if row.date else None, dict(row.extra)]
    return json.dumps(said, sort_keys=True, ensure_ascii=True)


def _query(corpus: Corpus, row: LogRow) -> LogQuery:
    digest = hashlib.sha256(f"{_fingerprint(row)}\n{row.count}".encode()).hexdigest()
    return LogQuery(
        corpus=corpus,
        text=row.text,
        locale=row.language,
        date=row.date,
        count=row.count,
        columns=dict(row.extra),
        sha256=digest,
    )
