"""Which words are rare in a corpus and special to it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from curation.miners.ordinary import is_formed_from
from curation.miners.vocabulary import Vocabulary, folded
from curation.retrieval.locales import language_of

_COMMONER = 3  # times as many articles make a word the base that others are formed from
_SHORTEST_TYPED = 5
_SURE = 5  # articles from which a spelling is no slip
_SPACES_ITS_WORDS = frozenset({"en", "es", "fr", "it", "pt"})
_SHORTEST_HALF = 4


@dataclass(frozen=True)
class Rarity:
    """A corpus's vocabulary, and `ordinary`, which tells words that people use about anything."""

    vocabulary: Vocabulary
    ordinary: Callable[[str], bool]
    _sure: dict[str, set[str]] = field(default_factory=dict, repr=False)
    _special: dict[tuple[str, str], bool] = field(default_factory=dict, repr=False)

    def is_rare(self, word: str, language: str) -> bool:
        """Whether fewer articles than the limit hold the word."""
        return not self.vocabulary.use(word, language).common

    def is_special(self, word: str, language: str) -> bool:
        """Whether a rare word is neither ordinary, nor formed from an ordinary or commoner word, nor a slip for one."""
        key = (folded(word, language), language)
        if key not in self._special:
            self._special[key] = self._decide_special(*key)
        return self._special[key]

    def _decide_special(self, word: str, language: str) -> bool:
        commoner = _COMMONER * self.vocabulary.df(word, language)

        def is_base(stem: str) -> bool:
            df = self.vocabulary.df(stem, language)
            return df >= min(commoner, self.vocabulary.below) or self.ordinary(stem)

        return (
            self.is_rare(word, language)
            and not self.ordinary(word)
            and not is_formed_from(word, language_of(language), base=is_base)
            and not self.is_slip(word, language)
        )

    def is_slip(self, word: str, language: str) -> bool:
        """Whether a word of a single article is one letter, or the space between two, away from words of several."""
        typed = folded(word, language)
        if len(typed) < _SHORTEST_TYPED or self.vocabulary.df(word, language) > 1:
            return False
        if language not in self._sure:
            self._sure[language] = set(self._sure_spellings(language))
        if self._is_run_together(typed, language):
            return True
        return any(shape in self._sure[language] for shape in (typed, *_one_letter_less(typed)))

    def _is_run_together(self, typed: str, language: str) -> bool:
        """Whether two sure words stand there without their space (loanoriginator), where words are not compounded."""
        if language_of(language) not in _SPACES_ITS_WORDS:
            return False
        halves = ((typed[:cut], typed[cut:]) for cut in range(_SHORTEST_HALF, len(typed) - _SHORTEST_HALF + 1))
        return any(self._is_sure(first, language) and self._is_sure(second, language) for first, second in halves)

    def _is_sure(self, word: str, language: str) -> bool:
        return self.vocabulary.df(word, language) >= min(_SURE, self.vocabulary.below)

    def _sure_spellings(self, language: str) -> Iterator[str]:
        """Words of several articles, and what is left of them without one letter (Garbe's symmetric deletes)."""
        for word, use in self.vocabulary.words[language].items():
            if (use.common or len(use.articles) >= _SURE) and len(word) >= _SHORTEST_TYPED:
                yield word
                yield from _one_letter_less(word)


def _one_letter_less(word: str) -> Iterator[str]:
    return (word[:place] + word[place + 1 :] for place in range(len(word)))
