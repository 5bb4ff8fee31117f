"""Needs from a file of queries: read whole, so that the best wording of each need is its text."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from curation.actions.gold_columns import Golds
from curation.actions.lookups import rows_in
from curation.actions.wordings import Wording
from curation.models import Corpus, Need
from curation.retrieval.folding import nfc
from curation.retrieval.locales import language_of

ENGLISH = "en"
Key = tuple[str, str]


@dataclass(frozen=True, slots=True)
class NeedPlan:
    """The needs of a file by key; those without a primary key are new and not saved yet."""

    by_key: dict[Key, Need]

    def of(self, wording: Wording) -> Need | None:
        """The need a wording belongs to, None where the file names none."""
        return self.by_key.get(need_key(wording))

    def new(self, used: Collection[Key]) -> list[Need]:
        """The needs to save, of those that are used."""
        return [need for key, need in self.by_key.items() if key in used and need.pk is None]


def need_key(wording: Wording) -> Key:
    """What the file calls the need: its id, else its text."""
    row = wording.row
    return (row.need_id, "") if row.need_id else ("", row.need_text.strip())


def plan_needs(corpus: Corpus, wordings: Sequence[Wording], golds: Golds) -> NeedPlan:
    """The needs that `wordings` name, with their golds; nothing is written.

    The text of an unknown need is the file's `information_need`, else its English query, else its first wording. One
    that is the wording of a query in another language is marked as not English.
    """
    groups: dict[Key, list[Wording]] = {}
    for wording in wordings:
        if any(need_key(wording)):
            groups.setdefault(need_key(wording), []).append(wording)
    known = _known(corpus, groups)
    created = {key: _need(corpus, group, golds) for key, group in groups.items() if key not in known}
    return NeedPlan({**known, **created})


def _known(corpus: Corpus, groups: dict[Key, list[Wording]]) -> dict[Key, Need]:
    needs = Need.objects.filter(corpus=corpus)
    by_id = rows_in(needs, "external_id", (need_id for need_id, _ in groups if need_id))
    by_text = rows_in(needs.filter(external_id=None), "text", (text for need_id, text in groups if not need_id))
    known: dict[Key, Need] = {(need.external_id or "", ""): need for need in by_id}
    for need in by_text:
        known.setdefault(("", need.text), need)
    return known


def _need(corpus: Corpus, group: Sequence[Wording], golds: Golds) -> Need:
    stated = next((wording.row.need_text.strip() for wording in group if wording.row.need_text.strip()), "")
    english = [wording.text for wording in group if language_of(wording.locale) == ENGLISH]
    others = {wording.text for wording in group if language_of(wording.locale) != ENGLISH}
    text = stated or next(iter(english), "") or group[0].text
    return Need(
        corpus=corpus,
        external_id=group[0].row.need_id or None,
        text=text,
        is_english=text in english or nfc(text) not in others,
        gold_canonical_id=next((gold for wording in group if (gold := golds[wording.row.line].canonical_id)), ""),
        slice_hint=next((wording.slice for wording in group if wording.slice), ""),
    )
