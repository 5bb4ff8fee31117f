"""Words that people use about anything, which are rare in a corpus without being special to it.

The witness is the vocabulary of the Universal Sentence Encoder: 128,000 pieces fitted to everyday text of sixteen
languages. What it keeps whole is ordinary; "nevertheless" is, "barratry" falls into pieces.
"""

from collections.abc import Callable, Iterator
from functools import lru_cache

from curation.retrieval.encoders.use import tokenizer

# Yang et al., "Multilingual Universal Sentence Encoder for Semantic Retrieval", ACL 2020, table 1.
LANGUAGES = frozenset(["ar", "de", "en", "es", "fr", "it", "ja", "ko", "nl", "pl", "pt", "ru", "th", "tr", "zh"])

# Endings under which an ordinary or common word hides. Languages without a row are tried letter by letter.
_ENDINGS = {
    "en": "s es ed d ing ly er ers or ors ion ions ation ations ment ments able ible ive al ally ize ized izes izing "
    "ise ised ness ity ies ied y e ance ances ence en est ful less ship ism ist ists ous ary ory like wise",
    "de": "e en er es em n s t te ten tes st et ung ungen lich liche lichen isch ische ischen keit keiten heit ig ige "
    "igen iger end ende enden bar lose los schaft",
    "es": "s es a o as os ar er ir ado ada ados adas ido ida ando iendo ción ciones mente dad ble bles ó aba ía",
    "fr": "s x e es er é ée és ées ant ement ements tion tions eur eurs euse able ables ique iques ité ais ait",
    "it": "i e a o are ere ire ato ata ati ate zione zioni mente ità bile bili ando endo",
    "nl": "en e s er t te ten de den ing ingen lijk lijke heid je baar",
    "pl": "a i y e ą ę ó ów ami ach em ego emu ych ym nie nia ość ości owy owa owe",
    "pt": "s es a o as os ar er ir ado ada ados adas ido ida ando endo ção ções mente dade vel veis",
    "ru": "а я о е ы и ь у ю ой ей ью ом ем ём ах ях ам ям ами ями ов ев ый ий ая яя ое ее ые ие ого его ому ему ых их "
    "ым им ыми ими ую юю ть ться ет ют ит ат ят ется ются ится атся ятся л ла ло ли лся лась лось лись ние ния нию "
    "нием ний ость ости ия ии ию ией ий ие",
    "ar": "ة ه ها هم نا ي ية ات ان ين ون وا ت ته تها تهم كم",
}  # fmt: skip
# With what a stem is completed to the word it comes from: insur(ed) to insure, страховател(ями) to страхователь.
_COMPLETED = {"ru": "ь а я о е й ть ия ие ый ий", "ar": "ة"}
_COMPLETED_ELSE = "e y"
_WORD_START = "▁"  # stands alone before scripts that do not space words
_LONGEST_ENDING = 6
_PREFIXES = {
    "en": ["un", "non", "re", "pre", "mis", "over", "under", "sub", "co", "inter", "dis", "in", "im", "out", "up"],
    "ar": ["ال", "وال", "بال", "لل", "و"],
}
_WRITTEN_ONTO = frozenset({"ar"})  # whose prefixes are articles and conjunctions, before any form of a word


@lru_cache(maxsize=2**18)
def pieces(term: str) -> int:
    """Into how many pieces of the vocabulary a term falls."""
    found = tokenizer().encode(term, out_type=str, add_bos=False, add_eos=False)
    return sum(piece != _WORD_START for piece in found)


def is_formed_from(word: str, language: str, *, base: Callable[[str], bool]) -> bool:
    """Whether a folded word is a base word with an ending or a prefix of its language.

    Args:
        word: the folded word.
        language: its language subtag.
        base: tells a word that others are formed from.
    """
    return any(base(stem) for stem in _stems(word, language) if stem != word)


def _stems(word: str, language: str) -> Iterator[str]:
    for prefix in _PREFIXES.get(language, ()):
        if word.startswith(prefix) and len(word) - len(prefix) >= 4:
            yield word[len(prefix) :]
            if language in _WRITTEN_ONTO:
                yield from _without_ending(word[len(prefix) :], language)
    yield from _without_ending(word, language)


def _without_ending(word: str, language: str) -> Iterator[str]:
    if language not in _ENDINGS:
        yield from (word[:end] for end in range(len(word) - 1, max(3, len(word) - _LONGEST_ENDING) - 1, -1))
        return
    for ending in _ENDINGS[language].split():
        stem = word.removesuffix(ending)
        if stem != word and len(stem) >= 3:
            yield stem
            yield from (stem + end for end in _COMPLETED.get(language, _COMPLETED_ELSE).split())
            if stem[-1] == stem[-2]:
                yield stem[:-1]
