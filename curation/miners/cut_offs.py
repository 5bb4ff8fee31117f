"""Queries that break off inside a word: logged while somebody was still typing."""

from collections.abc import Container, Iterator, Mapping, Sequence
from itertools import islice
from typing import Protocol

from curation.miners.located import Word, located_words
from curation.miners.progress import Progress, silent

_LOOKED_AT = 500  # completions tried for one query: the first letter of a common word has thousands
_REPORTED_EVERY = 1000


class Counted(Protocol):
    """A query that was counted; its canonical locale decides where words end."""

    @property
    def count(self) -> int: ...

    @property
    def locale(self) -> str: ...


def cut_offs(queries: Mapping[str, Counted], *, known: Container[str], progress: Progress = silent) -> dict[str, str]:
    """Find queries that a commoner query finishes, and the commonest that does.

    A query is cut off if another one continues its last word, is asked at least as often, and no query holds that last
    word anywhere but at its end: "british airways coronaviru" is, "n95 mask" beside "n95 masks" is not.

    Args:
        queries: by their folded text.
        known: folded words that are whole wherever they stand: marder is, though marderbiss is asked more often.
        progress: called with queries split into words and queries in all.
    """
    ordered = sorted(queries)
    last: list[str] = []
    inside: dict[str, int] = {}  # by query, a bit for each place that stands inside a word: a tenth of the words' room
    whole: set[str] = set()
    for done, query in enumerate(ordered, 1):
        words = located_words(query, queries[query].locale)
        whole.update(word.text for word in words[:-1])
        last.append(words[-1].text if words else "")
        inside[query] = _inside(words)
        if done % _REPORTED_EVERY == 0 or done == len(ordered):
            progress(done, len(ordered))
    found: dict[str, str] = {}
    for place, query in enumerate(ordered):
        if not last[place] or last[place] in whole or last[place] in known:
            continue
        longer = [
            other
            for other in _continuing(ordered, place)
            if queries[other].count >= queries[query].count and inside[other] >> len(query) & 1
        ]
        if longer:
            found[query] = max(longer, key=lambda other: (queries[other].count, other))
    return found


def _inside(words: Sequence[Word]) -> int:
    """A number with the bit of each place that stands inside one of the words, not at its start or end."""
    return sum((1 << word.end) - (1 << word.start + 1) for word in words)


def _continuing(ordered: Sequence[str], place: int) -> Iterator[str]:
    """Queries that begin with the one at a place: they follow it in code point order."""
    for other in islice(ordered, place + 1, place + 1 + _LOOKED_AT):
        if not other.startswith(ordered[place]):
            return
        yield other
