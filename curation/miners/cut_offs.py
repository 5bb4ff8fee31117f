"""Queries that break off inside a word: logged while somebody was still typing."""

from collections.abc import Container, Iterator, Mapping, Sequence
from itertools import islice

from curation.retrieval.tokens import words

_LOOKED_AT = 500  # completions tried for one query: the first letter of a common word has thousands


def cut_offs(counts: Mapping[str, int], locales: Mapping[str, str], *, known: Container[str]) -> dict[str, str]:
    """Find queries that a commoner query finishes, and the commonest that does.

    A query is cut off if another one continues its last word, is asked at least as often, and no query holds that last
    word anywhere but at its end: "british airways coronaviru" is, "n95 mask" beside "n95 masks" is not.

    Args:
        counts: how often each folded query was asked.
        locales: its canonical locale, which decides where words end.
        known: folded words that are whole wherever they stand: marder is, though marderbiss is asked more often.
    """
    ordered = sorted(counts)
    parts = {query: words(query, locales[query]) for query in ordered}
    inner = {word for query in ordered for word in parts[query][:-1]}
    found: dict[str, str] = {}
    for place, query in enumerate(ordered):
        if not parts[query] or parts[query][-1] in inner or parts[query][-1] in known:
            continue
        longer = [
            other
            for other in _continuing(ordered, place)
            if counts[other] >= counts[query] and _breaks_a_word(query, other, parts[other])
        ]
        if longer:
            found[query] = max(longer, key=lambda other: (counts[other], other))
    return found


def _continuing(ordered: Sequence[str], place: int) -> Iterator[str]:
    """Queries that begin with the one at a place: they follow it in code point order."""
    for other in islice(ordered, place + 1, place + 1 + _LOOKED_AT):
        if not other.startswith(ordered[place]):
            return
        yield other


def _breaks_a_word(query: str, other: str, parts: Sequence[str]) -> bool:
    """Whether the query ends inside one of the other's words."""
    at = 0
    for word in parts:
        at = other.index(word, at)
        if at < len(query) < at + len(word):
            return True
        at += len(word)
    return False
