"""Words of a title or a sentence that tell its topic, as a searcher would type them."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

import regex

from curation.miners.documents import Documents
from curation.miners.drafts import levels
from curation.miners.located import Word, located_words
from curation.miners.name_runs import is_of_calendar
from curation.miners.script_runs import is_compounding, is_measured
from curation.miners.vocabulary import Vocabulary, folded, light_words
from curation.miners.wordforms import NOUNS_ARE_CAPITALISED, is_describing, is_function_word
from curation.retrieval.locales import language_of

_COMMON_IN_TITLES = 0.08  # of a language's articles: what so many titles say tells none of them apart
_FEWEST_COMMON = 8
_SHORTEST = 3
_FEWEST_KNOWN = 1500  # words of a language from which its commonest are those that carry no topic
_RUN = regex.compile(r"[\p{Han}々]{2,}|[\p{Katakana}ー]{2,}|\p{Latin}[\p{Latin}\p{Nd}_.-]+")
_ENDING = regex.compile(r"[みりきちけげめいれくるっ]")
_NO_TOPIC = regex.compile(r"\P{L}*|.*\p{Nd}.*|.*_.*|[ivxlc]+")
_FOLLOWING = regex.compile(r" (?!and |or )(\p{L}+)")
_BEFORE_DEED = regex.compile(r"\b(?:can|cannot|could|i|it|may|must|not|shall|should|they|to|we|who|will|would|you) \Z")
_NUMBERED = regex.compile(r"\s*[(§]?\p{Nd}")
_UNSPACED = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]")
# Verbs of saying and being and the emptiest adverbs and number words, which titles and sentences put around a topic.
_EMPTY = {
    "en": "act acting acts add adds allow allows also answer answers apart appear appears applies apply appropriate "
    "ask asks became become becomes begin begins call called calling calls came can cannot certain come comes "
    "conduct connection contain contains content contents count counts definition definitions depend depends "
    "describe describes determining do does done eight either else even ever find finds first five following "
    "found four general generally get gets give given gives go goes happen happens implementing instead "
    "interaction involve involves keep keeps know known knows last let lets like made make makes many may "
    "mean means meant might move moves much must need needs new next nine one optional outside paid paragraph "
    "part parts pay pays permissible provide provides put rather reach reaches receive refer refers "
    "regulation said say says section see seen send sends set seven several shall show shown shows since six "
    "solely somebody someone specific stand stands start starts state states stay stays still subpart table "
    "take taken takes tell telling tells ten three try two upon us use uses using versus via want wants warms "
    "well went without work works write years",
    "tr": "anlamına baskı baskısı beş bir değil dört eder edilir etmez gelir gerekir göre gösterir hangi iki ile "
    "için kim nasıl ne neden nerede olarak olmaz olur sayı sayılır uyuşmuyor var yeni yok zaman üç",
    "ru": "где говорит два если значит как когда которая которые который можно называется нужно один означает "
    "показывает появляется также такой три чем эта эти это этот является",
    "th": "กล่าว กับ การ ก็ ของ ขึ้น ครับ ควร ความ คือ คุณ ค่ะ จะ จาก ฉัน ซึ่ง ด้วย ตาม ต่อ ต้อง ถึง ถ้า ทำไม ที่ "
    "ทุก ท่าน นั่น นั้น นี่ นี้ บอก บาง ปรากฏ ผม พวก มัน มา มี ยัง ระบุ ลง ว่า หมายความ หมายถึง หรือ หาก อยู่ "
    "อย่างไร อะไร อัน อาจ เขา เท่าไร เธอ เป็น เพื่อ เมื่อ เรา แก่ แด่ แต่ และ แล้ว แสดง โดย ใคร ใน ให้ ได้ ไป "
    "ไม่",
}  # fmt: skip


@dataclass(frozen=True)
class Telling:
    """Tells the topic words of a corpus's titles and sentences.

    `titled` counts, by language, the articles in whose closest headings a folded word stands;
    `articles` those with a title.
    """

    vocabulary: Vocabulary
    titled: Mapping[str, Counter[str]]
    articles: Mapping[str, int]
    _light: dict[str, frozenset[str]] = field(default_factory=dict, repr=False)

    def of_title(self, text: str, language: str) -> list[Word]:
        """The topic words of a title: no number nor what is numbered, no function word, nothing most titles say."""
        return [
            word for word in _units(text, language)
            if is_topic(word.text, language) and not self._is_common(word.text, language)
            and not _NUMBERED.match(text, word.end) and not _is_deed(text, word, language)
        ]  # fmt: skip

    def of_sentence(self, text: str, language: str) -> list[Word]:
        """The topic words of a sentence: such as some title also uses, where the corpus has titles."""
        titled, light = self.titled.get(language), self._light_of(language)
        return [
            word for word in _units(text, language)
            if is_topic(word.text, language) and not is_describing(word.text, language)
            and not _is_deed(text, word, language)
            and (folded(word.text, language) in titled if titled else folded(word.text, language) not in light)
        ]  # fmt: skip

    def typed(self, word: str, language: str) -> str:
        """The word as people type it: without the capital that a heading or a sentence's beginning gave it."""
        use = self.vocabulary.use(word, language)
        if language_of(language) in NOUNS_ARE_CAPITALISED or use.is_capitalised:
            return word
        headed = word[1:].replace("-", "").islower() or word.istitle()
        return folded(word, language) if headed or (use.small and word.isupper()) else word

    def _is_common(self, word: str, language: str) -> bool:
        limit = max(_FEWEST_COMMON, _COMMON_IN_TITLES * self.articles.get(language, 0))
        return self.titled.get(language, Counter())[folded(word, language)] > limit

    def _light_of(self, language: str) -> frozenset[str]:
        if language not in self._light:
            enough = len(self.vocabulary.words.get(language, ())) > _FEWEST_KNOWN
            self._light[language] = light_words(self.vocabulary, language) if enough else frozenset()
        return self._light[language]


def telling(documents: Documents, vocabulary: Vocabulary) -> Telling:
    """Read the titles of a corpus."""
    held: dict[str, dict[str, set[str]]] = {}
    for language, article, title in zip(documents.languages, documents.canonical_ids, documents.titles, strict=True):
        if title:
            held.setdefault(language, {}).setdefault(article, set()).update(
                folded(word.text, language) for level in levels(title)[-1:] for word in _units(level, language)
            )
    titled = {language: Counter(word for words in own.values() for word in words) for language, own in held.items()}
    return Telling(vocabulary, titled, {language: len(own) for language, own in held.items()})


def is_topic(word: str, language: str) -> bool:
    """Whether a word may say what a text is about: no number, code, month, function word or verb of saying."""
    own, bare = language_of(language), folded(word, language)
    if _NO_TOPIC.fullmatch(bare) or is_function_word(bare, language) or bare in _empty(own):
        return False
    if is_of_calendar(word, language) or (is_compounding(language) and is_measured(word)):
        return False
    if own in NOUNS_ARE_CAPITALISED and word[0].islower():
        return False
    return len(word) >= (2 if is_unspaced(word) or word.isupper() else _SHORTEST)


def _is_deed(text: str, word: Word, language: str) -> bool:
    """Whether an English word stands as a verb does, or is an -ing or -ed one before a function word: heated up."""
    if language_of(language) != "en":
        return False
    following = _FOLLOWING.match(text, word.end)
    formed = word.text.endswith(("ing", "ed")) and following and is_function_word(following[1], language)
    return bool(formed or _BEFORE_DEED.search(text[: word.start].casefold()))


def is_unspaced(word: str) -> bool:
    """Whether a word is written in a script that puts no spaces between words."""
    return bool(_UNSPACED.match(word))


def _units(text: str, language: str) -> list[Word]:
    """The words of a text; in Japanese whole runs of a script, because words there are cut small."""
    if not is_compounding(language):
        return located_words(text, language)
    runs = (Word(match[0], *match.span()) for match in _RUN.finditer(text))
    return [whole for run in runs if len((whole := _without_stem(run, text)).text) > 1]


def _without_stem(run: Word, text: str) -> Word:
    """The run without a verb's or adjective's last sign, whose ending follows in kana (熱帯向け)."""
    if not _ENDING.match(text, run.end) or not regex.search(r"\p{Han}\Z", run.text):
        return run
    return Word(run.text[:-1], run.start, run.end - 1)


def _empty(language: str) -> frozenset[str]:
    return _EMPTY_WORDS.get(language, frozenset())


_EMPTY_WORDS = {language: frozenset(folded(word, language) for word in row.split()) for language, row in _EMPTY.items()}
