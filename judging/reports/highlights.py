"""Which words of a candidate to mark: those of the query and of its need, their dates, amounts and countries. Pure.

Texts are cut at the spans found in them and each piece is escaped by itself, so nothing in a text becomes markup.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape

import regex
from django.utils.safestring import SafeString

from curation.miners import cldr
from curation.miners.reading import facts_in
from curation.miners.wordforms import is_function_word
from curation.retrieval.folding import fold
from curation.retrieval.locales import language_of
from curation.retrieval.tokens import words
from judging.reports.countries import code_of, countries_in, places_in
from judging.reports.seasons import season_years

Span = tuple[int, int]

SHORTEST_STEM, SHORTEST_WORD = 4, 3
STEM_SHARE = 0.65  # of a word's letters; the rest is taken for its ending
AROUND = 24  # characters on each side of a number that may belong to its date or amount
NO_DAY = 0
PARTS_OF_DATE = (len("2024"), len("2024-07"))
WITHIN_YEAR = re.compile(r"(\d{4})-\d\d(?:-\d\d)?")
FACT_KINDS = {"date", "amount", "percent", "duration"}
# English words that tell nothing of a need. Needs are in English; queries in other languages match by longer words.
COMMON = frozenset(
    re.findall(
        r"\w+",
        "about above after against all also and any are because been before being below between both but can "
        "cannot could  did does doing down during each for from further had has have having her here hers him his "
        "how into its itself  may more most much must not off once only other our ours out over own same shall "
        "she should some such than that  the their theirs them then there these they this those through too under "
        "until upon very was were what when where  which while who whom whose why will with within without would "
        "you your yours ",
    )
)
# Words that link others, in languages without a list of them and beside the lists of others.
LINKING = {
    language: frozenset(listed.split())
    for language, listed in {
        "ar": "إلى الى على عن من في بعد قبل منذ حتى متى ما ماذا كيف هل التي الذي هذا هذه أو ثم مع",
        "de": "ab wann warum wer weshalb wie wieviel seit seitdem",
        "es": "después antes",
        "fr": "après avant depuis quand combien",
        "it": "dopo prima quando quanto",
        "ja": "いつ どこ なに どの まで より ため こと もの",
        "ko": "이후 이전 까지 에서 언제",
        "nl": "vanaf sinds wanneer waar",
        "pl": "czy dla gdy ile jak jest kiedy która które który lub nie oraz przed przez się",
        "pt": "após antes quando quanto",
        "th": "ก่อน ของ จาก ตั้งแต่ ที่ เป็น และ ใน หลัง อะไร ใด ได้ หรือ กับ",
        "tr": "beri dolayı gibi hakkında itibaren olan olarak önce öncesi öncesinde sonra sonrası sonrasında",
        "zh": "之后 之前 以后 以来 自从",
    }.items()
}
HIRAGANA = re.compile(r"[\u3040-\u309fー]+")  # in Japanese: particles and endings; topics have other letters in them
# Scripts written without spaces: their words are looked for anywhere.
UNSPACED = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")
LONGEST_NAME_NUMBER = 4  # digits: the 3000 of a product or a year; not looked for as the amount 3,000
SEPARATORS = "[.,'’\u00a0\u202f ]?"
TO_ESCAPE = re.compile(r"[&<>\"']")
DIGITS = re.compile(r"\d(?:[\d.,'’\u00a0\u202f ]*\d)?")


@dataclass(frozen=True, slots=True)
class Wording:
    """A text whose words are looked for, in its canonical locale."""

    text: str
    locale: str


class Highlighter:
    """Finds the words, dates, amounts and countries of some wordings in other texts."""

    def __init__(self, wordings: Sequence[Wording]) -> None:
        self._countries = frozenset().union(*(countries_in(each.text, each.locale) for each in wordings))
        self._facts: set[tuple[str, str]] = set()
        terms: dict[str, None] = {}
        for wording in wordings:
            rest = self._take_facts(wording)
            terms |= dict.fromkeys(_terms(rest, wording.locale))
        self._facts -= _bare_years(self._facts, wordings)
        self._words = _any_of(terms)
        self._numbers: dict[str, set[int]] = {}
        for _, value in self._facts:
            year, *others = value.split("-")
            for part in DIGITS.findall(year):
                self._numbers.setdefault(_digits(part), set()).add(_day(others))

    def _take_facts(self, wording: Wording) -> str:
        """Note the facts of a wording; what is left of it, so that the 1 of a date is not looked for alone."""
        rest = wording.text
        for month in _months_behind_years(rest, wording.locale):
            self._facts.add(("date", month.value))
            rest = _blanked(rest, month.span)
        for fact in facts_in(rest, wording.locale):
            if fact.kind in FACT_KINDS:
                self._facts.add((fact.kind, fact.value))
                rest = _blanked(rest, (fact.start, fact.end))
        return rest

    def spans(self, text: str, locale: str) -> list[Span]:
        """Where `text` holds one of them, in order, without overlaps."""
        found = [match.span() for match in self._words.finditer(text)] if self._words else []
        places = places_in(text, locale, self._countries)
        return list(_joined(text, [*found, *places, *self._fact_spans(text, locale)]))

    def has_fact(self, kind: str, value: str) -> bool:
        """Whether the wordings name this fact, as ("date", "2024-07-01"); of a date, also its month or its year."""
        if (kind, value) in self._facts:
            return True
        return kind == "date" and any((kind, value[:end]) in self._facts for end in PARTS_OF_DATE if value[end:])

    def has_country(self, declared: str) -> bool:
        """Whether the wordings name this territory, as "TR" or "United Kingdom"."""
        return bool(self._countries) and code_of(declared) in self._countries

    def html(self, text: str, locale: str) -> SafeString:
        """`text` escaped, with what was found inside <mark>."""
        return marked(text, self.spans(text, locale))

    def _fact_spans(self, text: str, locale: str) -> Iterator[Span]:
        """Dates and amounts that equal one of the wordings', however they are written."""
        if not self._numbers:
            return
        for match in DIGITS.finditer(text):
            days = self._days_of(match[0])
            if not days:
                continue
            start, end = _window(text, match.start(), match.end())
            # Reading facts is slow: a year without the day beside it is none of the dates that are looked for.
            if NO_DAY in days or days & {int(number) for number in re.findall(r"\d+", text[start:end])}:
                for fact in facts_in(text[start:end], locale):
                    if self.has_fact(fact.kind, fact.value):
                        yield start + fact.start, start + fact.end

    def _days_of(self, number: str) -> set[int]:
        """The days that go with a number of the wordings; the year of "01.07.2024" is one too. Empty for none."""
        read_as = {_digits(number), *re.findall(r"\d+", number)}
        return set().union(*(self._numbers.get(each, ()) for each in read_as))


def escaper(text: str) -> Callable[[str], str]:
    """What escapes parts of `text`: hardly any text holds what must be escaped, and to look once is enough."""
    return escape if TO_ESCAPE.search(text) else str


def marked(text: str, spans: Sequence[Span]) -> SafeString:
    """`text` escaped, with `spans` (in order, without overlaps) inside <mark>."""
    safe = escaper(text)
    if not spans:
        return SafeString(safe(text))
    pieces: list[str] = []
    at = 0
    for start, end in spans:
        pieces += [safe(text[at:start]), "<mark>", safe(text[start:end]), "</mark>"]
        at = end
    return SafeString("".join([*pieces, safe(text[at:])]))


def _terms(text: str, locale: str) -> Iterator[str]:
    for word in words(fold(text, locale), locale):
        long_enough = len(word) >= (2 if UNSPACED.search(word) else SHORTEST_WORD)
        if (long_enough or word.isdigit()) and not links(word, locale):
            yield word


def links(word: str, locale: str) -> bool:
    """Whether a folded word tells nothing of the topic."""
    own = language_of(locale)
    if word in COMMON or word in LINKING.get(own, ()) or is_function_word(word, locale):
        return True
    return own == "ja" and HIRAGANA.fullmatch(word) is not None


@dataclass(frozen=True, slots=True)
class Month:
    """A month that a wording names, as "2024-07"."""

    value: str
    span: Span


def _months_behind_years(text: str, locale: str) -> Iterator[Month]:
    """Months that stand behind their year, as in "2024 temmuz": people type so in languages that do not write so."""
    names = {name.casefold(): number for name, number in cldr.month_names(locale).items()}
    listed = cldr.alternatives(names)
    pattern = rf"(?<!\p{{Nd}})(?P<year>(?:19|20)\d\d)\s+(?P<name>{listed})(?!\p{{L}}|\s?\p{{Nd}})"
    for match in regex.finditer(pattern, text, flags=regex.IGNORECASE):
        number = names.get(match["name"].casefold())
        if number:
            yield Month(f"{match['year']}-{number:02}", match.span())


def _bare_years(facts: Iterable[tuple[str, str]], wordings: Iterable[Wording]) -> set[tuple[str, str]]:
    """The years of which a month, a day or a season is asked for: any other date of theirs is not meant."""
    narrowed = (WITHIN_YEAR.fullmatch(value) for kind, value in facts if kind == "date")
    months = {match[1] for match in narrowed if match}
    seasons = {year for wording in wordings for year in season_years(wording.text, wording.locale)}
    return {("date", year) for year in months | seasons}


def _blanked(text: str, span: Span) -> str:
    start, end = span
    return text[:start] + " " * (end - start) + text[end:]


def _any_of(terms: Iterable[str]) -> re.Pattern[str] | None:
    """One pattern for all terms: unspaced ones anywhere, the others where a word or number begins."""
    unspaced = [re.escape(term) for term in terms if UNSPACED.search(term)]
    spaced = [_pattern(term) for term in terms if not UNSPACED.search(term)]
    patterns = [*([rf"(?<!\w)(?:{'|'.join(spaced)})"] if spaced else []), *unspaced]
    return re.compile("|".join(patterns), re.IGNORECASE) if patterns else None


def _pattern(term: str) -> str:
    """A term as a regular expression: a number whatever its separators, a word whatever its ending.

    A short number without separators may be part of a name ("Vidronik 3000") and is looked for as it is.
    """
    if term.isdigit() and len(term) <= LONGEST_NAME_NUMBER:
        return rf"(?<!\d[.,'’]){term}(?!\d|[.,'’]\d)"
    if not re.search(r"[^\d.,'’]", term):
        return rf"{SEPARATORS.join(_digits(term))}(?!\d)"
    if re.search(r"[\d_-]", term) or len(term) < SHORTEST_STEM:
        return rf"{_any_i(term)}(?!\w)"
    return rf"{_any_i(term[: max(SHORTEST_STEM, round(len(term) * STEM_SHARE))])}\w*"


def _any_i(term: str) -> str:
    """Folding knows the language and tells the Turkish i's apart; the text may be in another one."""
    return "".join("[iİıI]" if letter in "iı" else re.escape(letter) for letter in term)


def _day(rest: Sequence[str]) -> int:
    """The day of a date, from what stands behind its year; `NO_DAY` where it has none."""
    return int(rest[1]) if len(rest) > 1 and rest[1].isdigit() else NO_DAY


def _digits(number: str) -> str:
    return re.sub(r"\D", "", number)


def _window(text: str, start: int, end: int) -> Span:
    """The words around a number, whole."""
    left, right = max(0, start - AROUND), min(len(text), end + AROUND)
    while left > 0 and not text[left - 1].isspace():
        left -= 1
    while right < len(text) and not text[right].isspace():
        right += 1
    return left, right


def _joined(text: str, spans: Iterable[Span]) -> Iterator[Span]:
    """Spans that overlap, or that only a space or a hyphen parts, made one."""
    held: Span | None = None
    for start, end in sorted(spans):
        if held is not None and text[held[1] : start] in {"", " ", "-"}:
            held = (held[0], max(held[1], end))
            continue
        if held is not None:
            yield held
        held = (start, end)
    if held is not None:
        yield held
