"""Short keyword queries of a search log: under six tokens of their language, each once, nothing personal in them."""

from collections import Counter
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from curation.miners.cut_offs import cut_offs
from curation.miners.personal import masked, particulars
from curation.miners.progress import Progress, silent
from curation.retrieval.folding import fold, nfc
from curation.retrieval.lengths import SHORT_BELOW
from curation.retrieval.locales import UNDETERMINED
from curation.retrieval.scripts import script_class
from curation.retrieval.tokens import words

FEWER_THAN = SHORT_BELOW
_REPORTED_EVERY = 1000


@dataclass(frozen=True, slots=True)
class LogLine:
    """One line of a log: a query as typed, its canonical locale, how often it was asked and in which month (2026-04).

    Locale and month are empty where the log has none.
    """

    text: str
    locale: str = ""
    count: int = 1
    month: str = ""


@dataclass(frozen=True, slots=True)
class KeywordQuery:
    """One query after folding, written as it was asked most often.

    `count` sums all lines that fold to it, `locales` says how many came from each; `locale` is the one with most.
    `months` says how many were asked in each month, in their order, for as many lines as name one.
    """

    text: str
    locale: str
    count: int
    tokens: int
    script: str
    locales: tuple[tuple[str, int], ...]
    months: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True)
class CutOff:
    """A query that breaks off inside a word which a commoner query finishes."""

    query: KeywordQuery
    longer: str


@dataclass(frozen=True)
class Refusal:
    """A query with personal particulars; only its masked text is kept."""

    masked: str
    kinds: tuple[str, ...]
    count: int


@dataclass(frozen=True)
class ShortKeywords:
    """Short queries by count, then text; what was left out, and why. `long` counts queries of six tokens or more."""

    queries: tuple[KeywordQuery, ...]
    cut_off: tuple[CutOff, ...]
    refused: tuple[Refusal, ...]
    long: int

    @property
    def by_script(self) -> Mapping[str, int]:
        """Short queries of each script class, the most frequent class first."""
        return dict(Counter(query.script for query in self.queries).most_common())


def undetermined(_text: str) -> str:
    """The locale of a query nobody knows the language of."""
    return UNDETERMINED


def mine(
    lines: Iterable[LogLine],
    *,
    fewer_than: int = FEWER_THAN,
    locale_of: Callable[[str], str] = undetermined,
    known: Container[str] = frozenset(),
    progress: Progress = silent,
) -> ShortKeywords:
    """Gather the short queries of a log.

    Args:
        lines: the log, in any order.
        fewer_than: tokens a query may not reach, counted by the segmenter of its locale (`tokens.SEGMENTER`).
        locale_of: asked for the canonical locale of a line that has none.
        known: folded words of the corpus; a query that ends in one is never taken for cut off.
        progress: called with distinct queries looked at and to look at; each is looked at twice.
    """
    asked = _asked(lines, locale_of)
    keys = sorted(asked)
    total = 2 * len(keys)
    read: dict[str, KeywordQuery] = {}
    refused: list[_Asked] = []
    for done, key in enumerate(keys, 1):
        one = asked.pop(key)
        if particulars(one.text):
            refused.append(one)
        elif (query := one.query()).tokens:
            read[key] = query
        if done % _REPORTED_EVERY == 0 or done == len(keys):
            progress(done, total)
    unfinished = cut_offs(
        read, known=known, progress=lambda done, own: progress(len(keys) + len(keys) * done // own, total)
    )
    short = {key: query for key, query in read.items() if query.tokens < fewer_than}
    return ShortKeywords(
        queries=_ranked(query for key, query in short.items() if key not in unfinished),
        cut_off=tuple(CutOff(query, read[unfinished[key]].text) for key, query in short.items() if key in unfinished),
        refused=_refusals(refused),
        long=len(read) - len(short),
    )


@dataclass(slots=True)
class _Asked:
    """All lines that fold to one query: (text, locale, month, count) each, white space collapsed."""

    folded: str
    lines: list[tuple[str, str, str, int]] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The commonest written form; among equals the folded one, then by code point."""
        forms = _summed((text, count) for text, _, _, count in self.lines)
        return min(forms, key=lambda form: (-forms[form], form != self.folded, form))

    @property
    def count(self) -> int:
        """How often it was asked in all."""
        return sum(count for *_, count in self.lines)

    def query(self) -> KeywordQuery:
        """What the lines have in common."""
        by_locale = _summed((locale, count) for _, locale, _, count in self.lines)
        locales = sorted(by_locale.items(), key=lambda each: (-each[1], each[0]))
        locale, text = locales[0][0], self.text
        return KeywordQuery(
            text=text,
            locale=locale,
            count=self.count,
            tokens=len(words(text, locale)),
            script=script_class(text, locale),
            locales=tuple(locales),
            months=tuple(sorted(_summed((month, count) for _, _, month, count in self.lines if month).items())),
        )


def _summed(counts: Iterable[tuple[str, int]]) -> dict[str, int]:
    together: dict[str, int] = {}
    for name, count in counts:
        together[name] = together.get(name, 0) + count
    return together


def _asked(lines: Iterable[LogLine], locale_of: Callable[[str], str]) -> dict[str, _Asked]:
    """Lines by folded text. A log repeats itself, so each written form is folded once."""
    together: Counter[tuple[str, str, str]] = Counter()
    for line in lines:
        together[line.text, line.locale, line.month] += line.count
    asked: dict[str, _Asked] = {}
    while together:
        (text, locale, month), count = together.popitem()
        own = locale or locale_of(text)
        folded = fold(text, own)
        asked.setdefault(folded, _Asked(folded)).lines.append((" ".join(nfc(text).split()), own, month, count))
    return asked


def _ranked(queries: Iterable[KeywordQuery]) -> tuple[KeywordQuery, ...]:
    return tuple(sorted(queries, key=lambda query: (-query.count, query.text, query.locale)))


def _refusals(found: Sequence[_Asked]) -> tuple[Refusal, ...]:
    counts: Counter[tuple[str, tuple[str, ...]]] = Counter()
    for one in found:
        kinds = tuple(dict.fromkeys(each.kind for each in particulars(one.text)))
        counts[masked(one.text), kinds] += one.count
    ordered = sorted(counts.items(), key=lambda each: (-each[1], each[0]))
    return tuple(Refusal(text, kinds, count) for (text, kinds), count in ordered)
