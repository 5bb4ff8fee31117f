"""A draft query for a term: the telling words around it in its sentence, cut where the clause ends."""

from collections.abc import Container, Sequence

import regex

from curation.miners.located import Word, located_words
from curation.retrieval.folding import fold

_MOST_WORDS = 8
_FEWEST_WORDS = 3
_CLAUSE_END = regex.compile(r"[,.](?=\s|\Z)|[;:!?()\[\]“”\"«»。、，；：！？（）「」؛،۔।]|\s[–—-]\s")


def excerpt(sentence: str, term: tuple[int, int], *, locale: str, light: Container[str]) -> str:
    """The term among the telling words of the eight around it in its clause: what people type, and no copied sentence.

    Args:
        sentence: the sentence.
        term: the term's offsets in it; the term itself is always whole.
        locale: canonical locale of the sentence.
        light: folded words that carry no topic. A clause with fewer than three others is widened to its left, then to
            its right, so that the draft says what the term is about.
    """
    words = located_words(sentence, locale)
    heavy = [word for word in words if fold(word.text, locale) not in light]
    start, end = term
    clause_start, clause_end = _clause(sentence, start, end)
    for span in ((clause_start, clause_end), (0, clause_end), (0, len(sentence))):
        if len(_within(heavy, span)) >= _FEWEST_WORDS:
            break
    near = _around(_within(words, span), term)
    before = [word.text for word in near if word in heavy and word.end <= start]
    after = [word.text for word in near if word in heavy and word.start >= end]
    return " ".join([*before, *sentence[start:end].split(), *after])


def _clause(sentence: str, start: int, end: int) -> tuple[int, int]:
    ends = [match.end() for match in _CLAUSE_END.finditer(sentence, 0, start)]
    following = _CLAUSE_END.search(sentence, end)
    return (ends[-1] if ends else 0), (following.start() if following else len(sentence))


def _within(words: Sequence[Word], span: tuple[int, int]) -> list[Word]:
    return [word for word in words if span[0] <= word.start and word.end <= span[1]]


def _around(words: Sequence[Word], term: tuple[int, int]) -> list[Word]:
    """The term's words and those beside it, as many before as after where both sides have them."""
    before = [word for word in words if word.end <= term[0]]
    after = [word for word in words if word.start >= term[1]]
    inside = [word for word in words if word.end > term[0] and word.start < term[1]]
    room = max(0, _MOST_WORDS - len(inside))
    taken_after = min(len(after), max(room - len(before), room // 2))
    taken_before = min(len(before), room - taken_after)
    return [*before[len(before) - taken_before :], *inside, *after[:taken_after]]
