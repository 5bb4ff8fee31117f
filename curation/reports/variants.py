"""The other spellings of a query beside what the corpus holds: what each would be saved as, and what stops it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from django.db.models import Q

from curation.models import Corpus, Need, Query, User
from curation.retrieval.scripts import script_class, script_name
from curation.retrieval.variants import Kind, changes_cell, kinds_of, spellings

from .checks import (
    Reading,
    Respelt,
    WordingRefused,
    have_of,
    in_stratum,
    live,
    read_at,
    same_need,
    same_text,
    text_of,
    twin_of,
)
from .coming import destination_of
from .places import StratumKey, key_of

MOST_ECHOED = 60
"""Characters of a spelling that a refusal repeats, so that what it says of it stays in view."""


@dataclass(frozen=True, slots=True)
class Original:
    """The wording whose other spellings are looked at; `query` is None until it is stored.

    `asked` is the document language that the desk asked for, "" where it asked for none.
    """

    text: str
    place: StratumKey
    need: Need | None
    query: Query | None = None
    asked: str = ""


@dataclass(frozen=True, slots=True)
class Variant:
    """One other spelling of an original.

    `suggested` is what the table gives, "" where a native has to type it (`by_hand`). `reading` is what would be
    stored, None where nothing is typed or the original is spelt so itself (`is_other` False). `have` queries stand in
    its stratum before it, or in the one that it is on the way `toward`; `stored` is the variant that is there already;
    `fault` says what stops it.
    """

    kind: Kind
    wanted: bool
    is_other: bool = True
    by_hand: bool = False
    suggested: str = ""
    text: str = ""
    reading: Reading | None = None
    toward: StratumKey | None = None
    have: int = 0
    stored: Query | None = None
    fault: str = ""

    @property
    def cell(self) -> dict[str, str]:
        """The dimensions of the cell it lands in, as far as they are known."""
        if self.reading is None:
            return {"query_language": self.kind.locale, "script": self.kind.script}
        return self.reading.place.dimensions


def original_of(query: Query) -> Original:
    """A stored query as the original of variants to come."""
    return Original(query.text, key_of(query.stratum), query.need, query, query.asked_corpus_language)


def blank(locale: str, wanted: Iterable[str] = ()) -> list[Variant]:
    """The spellings of a locale before anything is typed, those wanted that were wanted the last time."""
    chosen = set(wanted)
    return [Variant(kind, kind.key in chosen, by_hand=kind.spell is None) for kind in kinds_of(locale)]


def variants(corpus: Corpus, original: Original, respelt: Sequence[Respelt]) -> list[Variant]:
    """Every other spelling of the original's locale, with what the corpus says of it."""
    locale = original.place.query_language
    suggested = {each.key: each.text for each in spellings(original.text, locale)}
    said = {each.key: each for each in respelt}
    found: list[Variant] = []
    for kind in kinds_of(locale):
        own = said.get(kind.key) or Respelt(kind.key, wanted=False)
        variant = _variant(corpus, original, kind, suggested=suggested, own=own)
        found.append(_beside(found, variant))
    return found


def _beside(others: Sequence[Variant], variant: Variant) -> Variant:
    """The variant, stopped where another wanted one lands in its cell."""
    for each in others:
        if each.wanted and variant.wanted and each.reading and variant.reading and each.cell == variant.cell:
            return replace(
                variant, fault=f"It lands in the cell of the spelling “{_echoed(each.text)}”; keep one of the two."
            )
    return variant


def _echoed(text: str) -> str:
    return text if len(text) <= MOST_ECHOED else f"{text[:MOST_ECHOED]}…"


def to_store(corpus: Corpus, original: Original, respelt: Sequence[Respelt]) -> list[tuple[Kind, Reading]]:
    """The wanted spellings that are not stored yet.

    Raises:
        WordingRefused: one of them cannot be stored; says which and why.
    """
    wanted = [each for each in variants(corpus, original, respelt) if each.wanted]
    for each in wanted:
        if each.fault:
            raise WordingRefused(f"Nothing is saved: the spelling “{_echoed(each.text)}” cannot be. {each.fault}")
    return [(each.kind, each.reading) for each in wanted if each.reading and not each.stored]


def remembered(corpus: Corpus, user: User, locale: str) -> list[str]:
    """The keys of the spellings that `user` chose when they last saved a query of the locale."""
    theirs = Query.objects.filter(corpus=corpus, author=user, origin=Query.Origin.WRITTEN)
    last = theirs.filter(stratum__query_language=locale).order_by("-created_at", "-pk").first()
    return list(last.metadata.get("spellings", [])) if last else []


def respelt_of(query: Query) -> list[Respelt]:
    """The spellings that were chosen when `query` was saved, with the texts of its variants."""
    texts = {each.metadata.get("spelling"): each.text for each in query.variants.filter(author=query.author_id)}
    return [Respelt(key, wanted=True, text=texts.get(key, "")) for key in query.metadata.get("spellings", [])]


def _variant(corpus: Corpus, original: Original, kind: Kind, *, suggested: Mapping[str, str], own: Respelt) -> Variant:
    if kind.key not in suggested:
        return Variant(kind, own.wanted, is_other=False)
    table, own_text = suggested[kind.key], own.text if own.text.strip() else ""
    if not own_text and (stored := _stored(original, kind)):
        return Variant(kind, own.wanted, suggested=table, text=stored.text, stored=stored)
    given = own_text or table
    shown = Variant(kind, own.wanted, by_hand=not table, suggested=table, text=given)
    if not given:
        return shown
    try:
        reading = _reading(corpus, original, kind, given=given)
    except WordingRefused as refusal:
        return replace(shown, fault=str(refusal))
    gold = original.need.gold_canonical_id if original.need else ""
    toward = destination_of(corpus, reading.place, asked=original.asked, gold=gold)
    shown = replace(shown, reading=reading, toward=toward, have=have_of(corpus, toward or reading.place))
    twin = twin_of(corpus, reading)
    if twin and original.query and twin.variant_of_id == original.query.pk:
        return replace(shown, stored=twin)
    return replace(shown, fault=same_text(twin) if twin else _rival_in_words(corpus, original, reading))


def _stored(original: Original, kind: Kind) -> Query | None:
    """The variant that stands where `kind` belongs already, however its writer spelt it."""
    if original.query is None:
        return None
    place = Q(stratum__query_language=kind.locale, stratum__script=kind.script)
    return original.query.variants.filter(place).exclude(status=Query.Status.RETIRED).first()


def _reading(corpus: Corpus, original: Original, kind: Kind, *, given: str) -> Reading:
    """A spelling in the stratum of its original, but for locale and script class."""
    text = text_of(given)
    refuse_same_class(text, kind.locale, original=original.text, original_locale=original.place.query_language)
    script = script_class(text, kind.locale)
    return read_at(corpus, original.place._replace(query_language=kind.locale, script=script), text)


def refuse_same_class(text: str, locale: str, *, original: str, original_locale: str) -> None:
    """Refuse a variant that would not count apart.

    Raises:
        WordingRefused: it is in the script class of its original, in the same locale.
    """
    if not changes_cell(text, locale, original=original, original_locale=original_locale):
        script = script_name(script_class(text, locale), locale)
        raise WordingRefused(
            f"It is in the script class of its original ({script}), so it would not count apart. Spell it otherwise, "
            "or leave it out."
        )


def _rival_in_words(corpus: Corpus, original: Original, reading: Reading) -> str:
    """Why another wording of the need in the same stratum stops a variant; "" where there is none."""
    family = Q(pk=None) if original.need is None else Q(need=original.need)
    if original.query:
        family |= Q(variant_of=original.query)
    rival = live(corpus).filter(family, in_stratum(reading.place)).first()
    return same_need(rival) if rival else ""
