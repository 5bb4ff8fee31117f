"""Queries that break off inside a word: logged while somebody was still typing."""

from collections.abc import Container, Iterator, Mapping, Sequence
from itertools import islice

from curation.miners.located import located_words

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
    parts = {query: located_words(query, locales[query]) for query in ordered}
    whole = {word.text for query in ordered for word in parts[query][:-1]}
    found: dict[str, str] = {}
    for place, query in enumerate(ordered):
        if not parts[query] or parts[query][-1].text in whole or parts[query][-1].text in known:
            continue
        longer = [
            other
            for other in _continuing(ordered, place)
            if counts[other] >= counts[query] and any(word.start < len(query) < word.end for word in parts[other])
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
