"""What a typed wording is, told while it is typed and again when it is saved: the same code decides both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.db.models import Q, QuerySet

from curation.measures.targets import next_target
from curation.models import Corpus, Need, Query
from curation.retrieval.folding import folded_hash, nfc
from curation.retrieval.letters import own_letters
from curation.retrieval.locales import language_of
from curation.retrieval.query_text import why_no_query
from curation.retrieval.query_types import query_type
from curation.retrieval.scripts import script_class
from curation.retrieval.tokens import words

from .articles import language_of_gold
from .coming import PLACE, SHARED, destination_of, settling, standing_for
from .counts import counted
from .places import UNKNOWN_LANGUAGE, StratumKey, slice_of
from .prepared import CORPUS, KEY, NAME, Prepared, PreparedRows

MOST_CHARACTERS = 500


class WordingRefused(ValueError):
    """A text that cannot be a query of the corpus; its text is one plain sentence."""


@dataclass(frozen=True, slots=True)
class Respelt:
    """What a writer says of another spelling of their query: whether they want it, and their text of it.

    `key` is that of a `Kind` of the query's locale. An empty text takes the spelling that the table gives.
    """

    key: str
    wanted: bool
    text: str = ""


@dataclass(frozen=True, slots=True)
class Typed:
    """What a writer typed for a need; `chosen_type` is "" where the type is left to detection.

    `seconds` is how long they were active on it, 0 where nobody measured. `asked` is the document language of the cell
    that the desk asked for, "" where it asked for none.
    """

    need: Need
    locale: str
    text: str
    chosen_type: str = ""
    respelt: Sequence[Respelt] = ()
    seconds: int = 0
    asked: str = ""


@dataclass(frozen=True, slots=True)
class Reading:
    """A typed text as it would be stored, and what is detected in it."""

    text: str
    place: StratumKey
    guessed_type: str
    words: int
    letters: str
    folded_hash: str


@dataclass(frozen=True, slots=True)
class Checks:
    """A reading beside what the corpus holds already: `have` queries in its stratum before this one.

    `toward` is the planned stratum that it joins once it is judged, where its own document language is not known yet;
    then `have` is of that one.
    """

    reading: Reading
    toward: StratumKey | None
    have: int
    twin: Query | None
    rival: Query | None

    @property
    def goal(self) -> int | None:
        """The next count target, None past the last."""
        return next_target(self.have)

    @property
    def corrected(self) -> bool:
        """Whether the writer chose another type than the one detected."""
        return self.reading.place.query_type != self.reading.guessed_type

    @property
    def refusal(self) -> str:
        """Why it cannot be saved, "" where it can."""
        if self.twin:
            return same_text(self.twin)
        return same_need(self.rival) if self.rival else ""


def read(corpus: Corpus, typed: Typed) -> Reading:
    """What is detected in a typed text.

    Raises:
        WordingRefused: it is too long, or cannot be a query (`why_no_query`).
    """
    text = text_of(typed.text)
    place = StratumKey(
        typed.locale,
        language_of_gold(corpus, typed.need.gold_canonical_id),
        script_class(text, typed.locale),
        typed.chosen_type or query_type(text, typed.locale),
        slice_of(typed.need.slice_hint),
    )
    return read_at(corpus, place, text)


def read_at(corpus: Corpus, place: StratumKey, text: str) -> Reading:
    """What is detected in a text whose stratum is settled."""
    locale = place.query_language
    own = own_letters(language_of(locale))
    return Reading(
        text=text,
        place=place,
        guessed_type=query_type(text, locale),
        words=len(words(text, locale)),
        letters="".join(dict.fromkeys(letter for letter in text if letter in own)),
        folded_hash=folded_hash(corpus.slug, locale, text),
    )


def text_of(given: str) -> str:
    """The text as it is stored: NFC, without white space around it.

    Raises:
        WordingRefused: it is too long, or cannot be a query (`why_no_query`).
    """
    if "\0" in given:
        raise WordingRefused("The text holds a NUL character, which no text can keep; remove it.")
    if any("\ud800" <= character <= "\udfff" for character in given):
        raise WordingRefused("The text holds half of a character (an unpaired surrogate); type that character again.")
    text = nfc(given).strip()
    if fault := why_no_query(text):
        raise WordingRefused(fault)
    if len(text) > MOST_CHARACTERS:
        raise WordingRefused(f"The query has {len(text):,} characters; at most {MOST_CHARACTERS} are kept. Shorten it.")
    return text


def checks(corpus: Corpus, typed: Typed) -> Checks:
    """A typed text against the corpus.

    Raises:
        WordingRefused: see `read`.
    """
    reading = read(corpus, typed)
    gold = typed.need.gold_canonical_id
    twin, toward = twin_of(corpus, reading), destination_of(corpus, reading.place, asked=typed.asked, gold=gold)
    have = have_of(corpus, toward or reading.place)
    return Checks(reading, toward, have, twin, rival_of(corpus, typed.need, reading.place))


def twin_of(corpus: Corpus, reading: Reading) -> Query | None:
    """The query that is the same once case and spaces are folded."""
    return next(iter(_twins_asked().rows({CORPUS: corpus.pk, NAME: reading.folded_hash})), None)


def rival_of(corpus: Corpus, need: Need, place: StratumKey) -> Query | None:
    """The query that words the same need in the same stratum."""
    asked: dict[Any, Any] = {CORPUS: corpus.pk, KEY: need.pk, **standing_for(place)}
    return next(iter(_rivals_asked().rows(asked)), None)


def live(corpus: Corpus) -> QuerySet[Query]:
    """The corpus's queries that are not retired."""
    return Query.objects.filter(corpus=corpus).exclude(status=Query.Status.RETIRED)


def have_of(corpus: Corpus, place: StratumKey) -> int:
    """How many wordings a stratum has, as shortfalls count them: judged and counted, ready, or on the way."""
    asked: dict[Any, Any] = {CORPUS: corpus.pk, **standing_for(place)}
    return _having_asked(corpus.relevant_from).count(asked)


@cache
def _twins_asked() -> PreparedRows[Query]:
    return PreparedRows(live(Corpus(pk=CORPUS)).filter(folded_hash=NAME).order_by("pk"))


@cache
def _rivals_asked() -> PreparedRows[Query]:
    return PreparedRows(live(Corpus(pk=CORPUS)).filter(in_stratum(PLACE), need=KEY).order_by("pk"))


@cache
def _having_asked(relevant_from: int) -> Prepared:
    """By the corpus of the stratum, so that the database finds all but the grades in one index."""
    corpus = Corpus(pk=CORPUS, relevant_from=relevant_from)
    judged = in_stratum(PLACE) & Q(status=Query.Status.JUDGED) & Q(counted(corpus))
    where = {f"stratum__{name}": getattr(PLACE, name) for name in SHARED}
    where["stratum__corpus_language__in"] = (PLACE.corpus_language, UNKNOWN_LANGUAGE)
    held = Query.objects.filter(**where, stratum__corpus=CORPUS)
    waiting = Q(status=Query.Status.READY, settles=PLACE.corpus_language)
    having = settling(held, CORPUS).filter(judged | waiting)
    return Prepared.of(having.order_by().values_list("pk"))


def in_stratum(place: StratumKey) -> Q:
    """Whether a query is in the stratum at `place`."""
    return Q(**{f"stratum__{name}": value for name, value in place._asdict().items()})


def same_text(twin: Query) -> str:
    """Why a twin stops a save."""
    folded = "once case and spaces are folded"
    return f"Query {twin.external_id} is the same text, {folded}: “{twin.text}”. Word it differently."


def same_need(rival: Query) -> str:
    """Why another wording of the need in the same stratum stops a save."""
    return (
        f"Query {rival.external_id} words this need in the same cell already: “{rival.text}”. "
        "Correct the type, spell it another way, or take the next need."
    )
