"""Words whose shape says that nobody looks them up: function words, adverbs, participles, measures in words."""

from functools import cache

import regex

from curation.retrieval.locales import language_of

NOUNS_ARE_CAPITALISED = frozenset({"de", "lb"})
_STOP_WORDS = {
    "da": "DANISH", "de": "GERMAN", "en": "EN_PLUS", "es": "SPANISH", "fr": "FRENCH", "it": "ITALIAN", "ko": "KOREAN",
    "nb": "NORWEGIAN", "nl": "DUTCH", "no": "NORWEGIAN", "pt": "PORTUGUESE", "ru": "RUSSIAN", "sv": "SWEDISH",
    "tr": "TURKISH", "zh": "CHINESE",
}  # fmt: skip
_FUNCTION_WORDS = {
    "en": regex.compile(
        r"(?:any|every|no|some)(?:body|how|one|thing|times?|what|where)|wh(?:at|en|ere|ich|o|ose|om)(?:so)?ever|whose"
        r"|(?:here|there|where)(?:about|after|at|by|from|in|of|on|to|under|upon|with)s?|\p{L}+(?:self|selves)"
        r"|always|meanwhile|nevertheless|nonetheless|notwithstanding|moreover|otherwise|perhaps|whether|without"
    ),
}
# Adverbs, and English participles, which are verbs or adjectives. What ends in -ing may name a deed: lightering.
_FORMS = {
    "en": regex.compile(r"\p{L}{3,}ly|\p{L}{2,}[^e\W]ed"),
    "de": regex.compile(r"(?:drit|vier|fünf|sechs|sieb|ach|neun|zehn|\p{L}+zigs|hunderts|tausends)tel"),
    "es": regex.compile(r"\p{L}{3,}mente"),
    "it": regex.compile(r"\p{L}{3,}mente"),
    "pt": regex.compile(r"\p{L}{3,}mente"),
    # Case and person behind a noun, and converbs and tenses behind a verb; shorter endings also end bare nouns.
    "tr": regex.compile(
        r"\p{L}{3,}(?:l[ae]r[ıi]?(?:n[ıi]?|[dt][ae]n?|[ae])?|[dt][ae]n|n[ıiuü]n|n[dt][ae]n?|[ıiuü]m[ıiuü]z|[ıiuü]n[ıiuü]z"
        r"|[ae]r[ae]k|[ıiuü]yor|[ae]c[ae]k|m[ae]s[ıi](?:n[ıiae]?)?|m[ae](?:k|ktan|kten)|y[ıiuü]n?|yl[ae]|[dt][ae]ki(?:l[ae]r)?"
        r"|y[ae]|[ıiuü]ld[ıiuü]|[dt][ıiuü]r|d[ıiuü]ğ[ıiuü]\p{L}*|ken|ınca|ince)"
    ),
}  # fmt: skip
_NUMBER_WORDS = "half one two three four five six seven eight nine ten twelve twenty thirty sixty ninety single double "
# Joined by a hyphen, these describe and do not name: three-digit, non-return, error-related, readily-available.
_DESCRIBING = regex.compile(
    rf"(?:{'|'.join(_NUMBER_WORDS.split())})-.+|(?:above|all|below|least|less|more|most|non|same|so|well)-.+"
    r"|\p{L}+ly-.+|.+-(?:based|covered|facing|free|known|like|listed|oriented|owned|related|sensitive|specific|wide)"
    r"|.+-(?:a|an|and|but|by|even|for|if|including|not|or|such|that|the|when|where|which|with)"
)

# What an English verb stands between, and a noun does not: "may deduct", "deems it", "to repay a loan".
_BEFORE_VERB = regex.compile(r"(?:may|shall|must|will|can|cannot|not|would|should|could|who|they|it)(?: \p{L}+ly)? \Z")
_AFTER_VERB = regex.compile(r" (?:the|a|an|any|its|their|his|her|it|them|him|such|that|to|whether)\b")
_ARTICLE = regex.compile(r"(?:a|an|the|of|any|such|no|and|or|for|in|with)(?: [\p{L}-]+)? \Z")


def is_verb_there(sentence: str, span: tuple[int, int], language: str) -> bool:
    """Whether the English word at these offsets stands where a verb does; False in other languages."""
    start, end = span
    if language_of(language) != "en" or not sentence[start].islower():
        return False
    before = sentence[:start][-40:].casefold()
    return bool(_BEFORE_VERB.search(before) or (_AFTER_VERB.match(sentence, end) and not _ARTICLE.search(before)))


def is_describing(word: str, language: str) -> bool:
    """Whether a single word, as it is written, describes, links or states and names nothing by its shape.

    Args:
        word: the word; its capital counts where the language writes its nouns with one.
        language: canonical locale of the text.
    """
    own = language_of(language)
    if own in NOUNS_ARE_CAPITALISED and word[0].islower():
        return True
    bare = word.casefold()
    if own == "en" and _DESCRIBING.fullmatch(bare):
        return True
    return is_function_word(bare, language) or bool(own in _FORMS and _FORMS[own].fullmatch(bare))


def is_function_word(word: str, language: str) -> bool:
    """Whether a word links others and carries no topic: an article, a pronoun, a conjunction."""
    own, bare = language_of(language), word.casefold()
    closed = _FUNCTION_WORDS.get(own)
    return bare in _stop_words(own) or bool(closed and closed.fullmatch(bare))


@cache
def _stop_words(language: str) -> frozenset[str]:
    if language not in _STOP_WORDS:
        return frozenset()
    from bm25s import stopwords

    return frozenset(getattr(stopwords, f"STOPWORDS_{_STOP_WORDS[language]}"))
