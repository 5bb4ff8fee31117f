"""Short keyword queries of a search log: under six tokens of their language, each once, nothing personal in them."""

from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from curation.miners.cut_offs import cut_offs
from curation.miners.personal import masked, particulars
from curation.miners.progress import Progress, silent
from curation.retrieval.folding import fold, nfc
from curation.retrieval.locales import UNDETERMINED
from curation.retrieval.scripts import script_class
from curation.retrieval.tokens import words

FEWER_THAN = 6
_REPORTED_EVERY = 1000


@dataclass(frozen=True)
class LogLine:
    """One line of a log: a query as typed, its canonical locale (empty where there is none), how often it was asked."""

    text: str
    locale: str = ""
    count: int = 1


@dataclass(frozen=True)
class KeywordQuery:
    """One query after folding, written as it was asked most often.

    `count` sums all lines that fold to it, `locales` says how many came from each; `locale` is the one with most.
    """

    text: str
    locale: str
    count: int
    tokens: int
    script: str
    locales: tuple[tuple[str, int], ...]


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
        progress: called with distinct queries counted and distinct queries in all.
    """
    asked = _asked(lines, locale_of)
    keys = sorted(asked)
    refused = {key for key in keys if particulars(asked[key].text)}
    counted = {key: asked[key].query() for key in _watched(keys, progress) if key not in refused}
    read = {key: query for key, query in counted.items() if query.tokens}
    counts = {key: query.count for key, query in read.items()}
    unfinished = cut_offs(counts, {key: query.locale for key, query in read.items()}, known=known)
    short = {key: query for key, query in read.items() if query.tokens < fewer_than}
    return ShortKeywords(
        queries=_ranked(query for key, query in short.items() if key not in unfinished),
        cut_off=tuple(CutOff(query, read[unfinished[key]].text) for key, query in short.items() if key in unfinished),
        refused=_refusals([asked[key] for key in keys if key in refused]),
        long=len(read) - len(short),
    )


@dataclass(frozen=True)
class _Asked:
    """All lines that fold to one query."""

    folded: str
    forms: Counter[str] = field(default_factory=Counter)
    locales: Counter[str] = field(default_factory=Counter)

    @property
    def text(self) -> str:
        """The commonest written form; among equals the folded one, then by code point."""
        return min(self.forms, key=lambda form: (-self.forms[form], form != self.folded, form))

    def query(self) -> KeywordQuery:
        """What the lines have in common."""
        locales = sorted(self.locales.items(), key=lambda each: (-each[1], each[0]))
        locale = locales[0][0]
        return KeywordQuery(
            text=self.text,
            locale=locale,
            count=self.locales.total(),
            tokens=len(words(self.text, locale)),
            script=script_class(self.text, locale),
            locales=tuple(locales),
        )


def _asked(lines: Iterable[LogLine], locale_of: Callable[[str], str]) -> dict[str, _Asked]:
    """Lines by folded text. A log repeats itself, so each written form is folded once."""
    together: Counter[tuple[str, str]] = Counter()
    for line in lines:
        together[line.text, line.locale] += line.count
    asked: dict[str, _Asked] = {}
    for (text, locale), count in together.items():
        own = locale or locale_of(text)
        folded = fold(text, own)
        one = asked.setdefault(folded, _Asked(folded))
        one.forms[" ".join(nfc(text).split())] += count
        one.locales[own] += count
    return asked


def _watched(keys: Sequence[str], progress: Progress) -> Iterator[str]:
    for done, key in enumerate(keys, 1):
        yield key
        if done % _REPORTED_EVERY == 0 or done == len(keys):
            progress(done, len(keys))


def _ranked(queries: Iterable[KeywordQuery]) -> tuple[KeywordQuery, ...]:
    return tuple(sorted(queries, key=lambda query: (-query.count, query.text, query.locale)))


def _refusals(found: Sequence[_Asked]) -> tuple[Refusal, ...]:
    counts: Counter[tuple[str, tuple[str, ...]]] = Counter()
    for one in found:
        kinds = tuple(dict.fromkeys(each.kind for each in particulars(one.text)))
        counts[masked(one.text), kinds] += one.locales.total()
    ordered = sorted(counts.items(), key=lambda each: (-each[1], each[0]))
    return tuple(Refusal(text, kinds, count) for (text, kinds), count in ordered)
