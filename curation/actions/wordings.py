"""What a row of a query file says once it is understood: its locale, script class, type and slice."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from curation.actions.receipts import Ledger, Placed
from curation.actions.strata import strongest_slice
from curation.formats.queries import QueryRow
from curation.models import Corpus, Slice
from curation.retrieval.folding import folded_hash, nfc
from curation.retrieval.locales import ScriptNeeded, UnknownLocale, alias_notice, canonical_locale
from curation.retrieval.query_types import QUERY_TYPES, query_type
from curation.retrieval.scripts import script_class


@dataclass(frozen=True, slots=True)
class Wording:
    """A row with what is detected from it; `slice` is "" where the file gives none.

    `query_type` is the file's where it gives one that is known, `guessed_type` what detection says.
    """

    row: QueryRow
    locale: str
    text: str
    script: str
    query_type: str
    guessed_type: str
    slice: str
    folded_hash: str


class Sliced(Placed, Protocol):
    """A row that may name slices."""

    @property
    def external_id(self) -> str:
        """Its id."""

    @property
    def slice(self) -> str:
        """The slices, between commas."""


class RowFault(ValueError):
    """A row that cannot be stored; its text is one plain sentence."""


def read_wordings(corpus: Corpus, rows: Iterable[QueryRow], ledger: Ledger) -> list[Wording]:
    """The rows that can be understood; the others are refused, and merged language codes are told."""
    wordings = []
    written: dict[str, set[str]] = {}
    for row in rows:
        try:
            wording = _wording(corpus, row, ledger)
        except (RowFault, UnknownLocale, ScriptNeeded) as fault:
            ledger.refuse(row, row.external_id, str(fault))
            continue
        wordings.append(wording)
        written.setdefault(wording.locale, set()).add(row.language)
    for locale, tags in sorted(written.items()):
        notice = alias_notice(locale, tags)
        if notice:
            ledger.tell(notice)
    return wordings


def _wording(corpus: Corpus, row: QueryRow, ledger: Ledger) -> Wording:
    if not row.language.strip():
        raise RowFault("The query has no language; fill the column locale with a code such as tr or zh-Hant.")
    locale = canonical_locale(row.language, row.script)
    text = nfc(row.text)
    guessed = query_type(text, locale)
    return Wording(
        row=row,
        locale=locale,
        text=text,
        script=script_class(text, locale),
        query_type=_type(row, ledger) or guessed,
        guessed_type=guessed,
        slice=slice_named(row, ledger),
        folded_hash=folded_hash(corpus.slug, locale, text),
    )


def _type(row: QueryRow, ledger: Ledger) -> str:
    """The type that the file gives, "" where it gives none that is known."""
    given = _key(row.query_type)
    if given in QUERY_TYPES:
        return given
    if given:
        subject = f'the query type "{row.query_type[:40]}" is not known and was detected anew'
        ledger.tally.add(subject, line=row.line, external_id=row.external_id)
    return ""


def slice_named(row: Sliced, ledger: Ledger) -> str:
    """The strongest of the slices that a row names, "" where it names none.

    Raises:
        RowFault: one of them is not known.
    """
    given = [_key(name) for name in row.slice.replace(";", ",").split(",") if name.strip()]
    unknown = [name for name in given if name not in Slice.values]
    if unknown:
        raise RowFault(f'The slice "{unknown[0][:40]}" is not known; write one of {", ".join(Slice.values)}.')
    if len(given) > 1:
        subject = "several slices were named and the strongest was taken (near_duplicate, rare_entity, keyword)"
        ledger.tally.add(subject, line=row.line, external_id=row.external_id)
    return strongest_slice(given) if given else ""


def _key(written: str) -> str:
    return written.strip().casefold().replace("-", "_").replace(" ", "_")
