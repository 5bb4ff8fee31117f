"""Information needs from a file: new ones are stored, known ones take what they lack and nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from curation.actions.lookups import overwrite, rows_in
from curation.actions.receipts import Intake, Ledger, Receipt
from curation.actions.stated_needs import MOST_CHARACTERS, Stated
from curation.actions.wordings import RowFault, slice_named
from curation.formats.ids import IdForms
from curation.formats.needs import NeedRow, read_needs
from curation.models import Corpus, Document, Need, Slice
from curation.retrieval.folding import nfc

BATCH = 500
FILLED = {"context": "context", "gold_canonical_id": "gold", "slice_hint": "slice"}
"""What a known need takes from a file where it has nothing yet, with the word for it."""
WRITTEN = ["external_id", "text", "is_english", *FILLED]


@dataclass(slots=True)
class Standing:
    """The needs that the file speaks of, by id and by text, and the golds it names that the corpus holds."""

    corpus: Corpus
    by_id: dict[str, Need]
    by_text: dict[str, Need]
    golds: set[str]
    new: list[Need] = field(default_factory=list)
    changed: dict[int, Need] = field(default_factory=dict)


def import_needs(*, corpus: Corpus, intake: Intake) -> Receipt:
    """Import needs. The same id, or without one the same text, with nothing new to say is merged.

    Raises:
        Refused: someone else wrote the same rows meanwhile.
    """
    ledger = Ledger(intake)
    known = corpus.needs.exclude(external_id=None).values_list("external_id", flat=True)
    forms = IdForms(name for name in known if name)
    rows = _stated(ledger.rows(read_needs(intake.path, intake.reading, ids=forms)), ledger)
    with ledger.writing():
        Corpus.objects.select_for_update(no_key=True).get(
            pk=corpus.pk
        )  # a text stands once: whoever adds needs takes turns
        standing = _standing(corpus, rows)
        for row, stated in rows:
            try:
                merged = not _take(standing, row, stated)
            except RowFault as fault:
                ledger.refuse(row, row.external_id, str(fault))
                continue
            ledger.merged, ledger.stored = ledger.merged + merged, ledger.stored + (not merged)
        if ledger.stores:
            Need.objects.bulk_create(standing.new, batch_size=BATCH)
            overwrite(list(standing.changed.values()), WRITTEN)
    return ledger.receipt()


def _stated(rows: Iterable[NeedRow], ledger: Ledger) -> list[tuple[NeedRow, Stated]]:
    """The rows that can be understood, with what they say."""
    told = []
    for row in rows:
        try:
            named = slice_named(row, ledger)
        except RowFault as fault:
            ledger.refuse(row, row.external_id, str(fault))
            continue
        if max(len(row.text), len(row.context)) > MOST_CHARACTERS:
            reason = f"The need or its context has more than {MOST_CHARACTERS:,} characters; shorten it."
            ledger.refuse(row, row.external_id, reason)
            continue
        hint = "" if named == Slice.DISTINCTIVE else named
        told.append((row, Stated(nfc(row.text), nfc(row.context), row.gold_canonical_id, hint)))
    return told


def _standing(corpus: Corpus, rows: Sequence[tuple[NeedRow, Stated]]) -> Standing:
    needs = Need.objects.filter(corpus=corpus).order_by("-pk")
    named = rows_in(needs, "external_id", (row.external_id for row, _ in rows if row.external_id))
    by_id = {need.external_id or "": need for need in named}
    same = {need.pk: need for need in by_id.values()}
    spelt = rows_in(needs, "text", (stated.text for _, stated in rows))
    documents = Document.objects.filter(corpus=corpus, gone_at=None).values_list("canonical_id", flat=True)
    golds = rows_in(documents, "canonical_id", (row.gold_canonical_id for row, _ in rows if row.gold_canonical_id))
    return Standing(corpus, by_id, {need.text: same.get(need.pk, need) for need in spelt}, set(golds))


def _take(standing: Standing, row: NeedRow, stated: Stated) -> bool:
    """Take one row; False where all it says is here already.

    Raises:
        RowFault: it contradicts a need that is here, or names a gold that is not.
    """
    need = _meant(standing, row, stated)
    said = _said(need, row, stated) if need else {**_fields(stated), "is_english": row.is_english}
    gold = said.get("gold_canonical_id", "")
    if gold and gold not in standing.golds:
        raise RowFault(f"The corpus holds no document with the canonical id {gold}; import it first.")
    if need is None:
        need = Need(corpus=standing.corpus, external_id=row.external_id or None, **said)
        standing.new.append(need)
    else:
        for name, value in said.items():
            setattr(need, name, value)
        if said and need.pk:
            standing.changed[need.pk] = need
    standing.by_text[need.text] = need
    if need.external_id:
        standing.by_id[need.external_id] = need
    return bool(said)


def _fields(stated: Stated) -> dict[str, str | bool]:
    return {"text": stated.text, **{name: getattr(stated, name) for name in FILLED}}


def _meant(standing: Standing, row: NeedRow, stated: Stated) -> Need | None:
    """The need that a row is about, None where it is a new one.

    Raises:
        RowFault: its text is that of a need with another id.
    """
    named = standing.by_id.get(row.external_id) if row.external_id else None
    twin = standing.by_text.get(stated.text)
    if twin is None or twin is named or (named and named.text == stated.text):
        return named
    if named is None and not (row.external_id and twin.external_id):
        return twin
    raise RowFault(f"Need {twin.external_id or 'without an id'} has this text already; keep one of the two.")


def _said(need: Need, row: NeedRow, stated: Stated) -> dict[str, str | bool]:
    """What a row adds to a need that is here.

    Raises:
        RowFault: it says otherwise what the need says already.
    """
    added: dict[str, str | bool] = {}
    if row.external_id and not need.external_id:
        added["external_id"] = row.external_id
    if row.is_english and not need.is_english:
        added |= {"text": stated.text, "is_english": True}
    elif need.text != stated.text:
        raise RowFault(_otherwise(need, f"text: “{need.text[:120]}”"))
    for name, word in FILLED.items():
        given, held = getattr(stated, name), getattr(need, name)
        if given and held and given != held:
            raise RowFault(_otherwise(need, f"{word}: {held[:120]}"))
        if given and not held:
            added[name] = given
    return added


def _otherwise(need: Need, other: str) -> str:
    """Why a row is refused that says otherwise what a stored need says, or one of an earlier row."""
    if need.pk is None:
        return f"An earlier row of the file gives this need another {other}. Keep one of the two."
    return f"The need is here already with another {other}. Change it on its page."
