"""The words of a corpus: in how many articles each stands, how often, and how it is capitalised."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from heapq import nlargest

from curation.miners.documents import Documents
from curation.miners.located import Word, located_words, sentences
from curation.miners.progress import Progress, silent
from curation.retrieval.folding import fold

_REPORTED_EVERY = 200
_LIGHT = 80  # the commonest words of a language: its articles, prepositions and verbs like "is"
# A corpus repeats its words, and folding one takes ten microseconds.
folded = lru_cache(maxsize=2**18)(fold)


@dataclass
class WordUse:
    """How a corpus uses one folded word.

    `articles` are canonical ids, so that translations count once; they are forgotten when the word turns out common.
    """

    articles: set[str] = field(default_factory=set)
    common: bool = False
    uses: int = 0
    small: int = 0
    inner_capital: int = 0

    @property
    def is_capitalised(self) -> bool:
        """Whether the word bears a capital of its own, and not for opening a sentence."""
        return self.inner_capital > 0 and self.small <= 0.3 * self.inner_capital


@dataclass(frozen=True)
class Vocabulary:
    """The words of each language, folded. A word is common once `below` articles hold it, and counted no further."""

    words: dict[str, dict[str, WordUse]]
    below: int

    def use(self, word: str, language: str) -> WordUse:
        """How the language's documents use a word; nothing is counted for one they do not hold."""
        return self.words.get(language, {}).get(folded(word, language)) or WordUse()

    def df(self, word: str, language: str) -> int:
        """Articles that hold the word; `below` for a common one."""
        use = self.use(word, language)
        return self.below if use.common else len(use.articles)


def count_words(documents: Documents, *, below: int, progress: Progress = silent) -> Vocabulary:
    """Read every document once and count its words."""
    found: dict[str, dict[str, WordUse]] = {}
    for row, language in enumerate(documents.languages):
        own = found.setdefault(language, {})
        for place, word in sentence_words(documents.body(row), language):
            use = own.setdefault(folded(word.text, language), WordUse())
            _note(use, documents.canonical_ids[row], below)
            use.uses += 1
            use.small += word.text[0].islower()
            use.inner_capital += place > 0 and word.text[0].isupper()
        if (row + 1) % _REPORTED_EVERY == 0 or row + 1 == len(documents):
            progress(row + 1, len(documents))
    return Vocabulary(found, below)


def light_words(vocabulary: Vocabulary, language: str) -> frozenset[str]:
    """The commonest folded words of a language, which carry no topic."""
    uses = vocabulary.words.get(language, {})
    return frozenset(nlargest(_LIGHT, uses, key=lambda word: (uses[word].uses, word)))


def _note(use: WordUse, article: str, below: int) -> None:
    if not use.common:
        use.articles.add(article)
        if len(use.articles) >= below:
            use.common = True
            use.articles.clear()


def sentence_words(text: str, language: str) -> Iterator[tuple[int, Word]]:
    """The words of a text with their place in their sentence, from 0."""
    for sentence in sentences(text, language):
        yield from enumerate(located_words(sentence.text, language))
