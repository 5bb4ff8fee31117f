"""Numbers that name a place in a law or a document: citations, articles and paragraphs, versions, footnotes.

Law citations are those of the United States and the European Union and the § sign everywhere; words for article,
section and version are those of the languages in the tables, with English in all of them. In the tables a term of two
words is held together by an underscore.
"""

from collections.abc import Iterator
from functools import lru_cache

import regex

from curation.miners import cldr
from curation.miners.facts import Fact, Kind
from curation.retrieval.locales import language_of

_ARTICLE_WORDS = {
    "en": "article art section sections sec paragraph paragraphs para clause chapter part subpart schedule annex "
    "appendix line table step code comment rule exhibit page endorsement no",
    "ar": "المادة مادة الفقرة فقرة البند بند القسم الفصل",
    "de": "Artikel Art Abschnitt Absatz Abs Ziffer Ziff Nummer Nr Kapitel Teil Anhang Anlage Klausel Satz Seite",
    "el": "άρθρο άρθρου παράγραφος παράγραφο παρ κεφάλαιο παράρτημα",
    "es": "artículo artículos art apartado sección párrafo cláusula capítulo anexo página",
    "fr": "article articles art alinéa section paragraphe clause chapitre annexe page",
    "hi": "धारा अनुच्छेद खंड अध्याय",
    "it": "articolo articoli art comma sezione paragrafo clausola capitolo allegato",
    "nl": "artikel lid paragraaf hoofdstuk bijlage clausule",
    "pl": "artykuł art ust ustęp paragraf rozdział załącznik pkt",
    "pt": "artigo art seção secção parágrafo cláusula capítulo anexo",
    "ro": "articolul art alineatul alin secțiunea capitolul anexa",
    "ru": "статья статьи ст пункт пункта п параграф глава раздел приложение",
    "tr": "madde maddesi md fıkra bent bölüm kısım ek sayfa",
    "uk": "стаття статті ст пункт розділ додаток",
    "vi": "Điều Khoản Mục Chương Phụ_lục",
    "th": "ข้อ มาตรา หมวด ภาคผนวก",
}
_VERSION_WORDS = {
    "en": "version edition revision release rev ver",
    "ar": "الإصدار إصدار النسخة الطبعة",
    "de": "Fassung Ausgabe Auflage Version Stand",
    "el": "έκδοση έκδοσης",
    "es": "versión edición revisión",
    "fr": "version édition révision",
    "hi": "संस्करण",
    "it": "versione edizione revisione",
    "ja": "バージョン",
    "ko": "버전",
    "nl": "versie uitgave",
    "pl": "wersja wydanie",
    "pt": "versão edição revisão",
    "ro": "versiunea ediția",
    "ru": "версия редакция издание",
    "th": "ฉบับที่ เวอร์ชัน",
    "tr": "sürüm sürümü versiyon baskı revizyon",
    "uk": "версія редакція",
    "vi": "phiên_bản",
    "zh": "版本",
}
_FOOTNOTE_WORDS = (
    "footnote", "fn", "note", "Fußnote", "dipnot", "nota", "note de bas de page", "сноска", "脚注", "注", "υποσημείωση",
)  # fmt: skip
_SPACE = regex.compile(r"\s+")
_LEVEL = r"\((?:\p{N}{1,3}|\p{L}|[ivxlIVXL]+)\)"
_LEVELS = rf"(?:\s?{_LEVEL})"
_NUMBER = rf"\p{{N}}+(?:[.:/-]\p{{N}}+)*\p{{L}}?(?![\p{{L}}\p{{N}}]){_LEVELS}*"
_CITATIONS = (
    r"\p{N}+\s?(?:C\.?F\.?R\.?|U\.?S\.?C\.?|Stat\.|F\.?R\.?|Fed\.\sReg\.)(?:\s(?:parts?|§{1,2}))?\s?\p{N}+(?:[.-]\p{N}+)*"
    rf"\p{{L}}?{_LEVELS}*",
    rf"§{{1,2}}\s?\p{{N}}+(?:[.:-]\p{{N}}+)*\p{{L}}?(?![\p{{L}}\p{{N}}]){_LEVELS}*",
    r"(?:Public\sLaw|Pub\.\sL\.)(?:\sNo\.)?\s\p{N}+-\p{N}+",
    r"Act\sof\s\p{N}{4}",
    r"(?:\((?:EU|EC|EG|UE|CE|AB|ΕΕ|ЕС)\)\s?(?:No\.?|Nr\.?|n[o°º])?\s?)\p{N}{1,4}/\p{N}{1,4}",
    r"\p{N}{1,4}/\p{N}{1,4}/(?:EU|EC|EG|EEC|EWG|UE|CE|AB|ΕΕ|ЕС)\b",
    r"\p{N}{3,5}\ssayılı",
)
_CITATION = regex.compile("|".join(rf"(?<![\p{{L}}\p{{N}}.])(?:{form})" for form in _CITATIONS))
_FOOTNOTE = regex.compile(
    rf"[⁰¹²³⁴-⁹]+|(?<=\S)\[\p{{N}}{{1,3}}\]|(?<![\p{{L}}])(?i:{cldr.alternatives(_FOOTNOTE_WORDS)})\.?\s?\p{{N}}+(?!\p{{L}})"
)


def citations(text: str, _tag: str) -> Iterator[Fact]:
    """Places in statutes and regulations: `12 CFR 1026.36(a)(1)`, `§ 7`, `(EU) 2016/679`, `6102 sayılı`."""
    return _found("citation", _CITATION, text)


def footnotes(text: str, _tag: str) -> Iterator[Fact]:
    """Footnote marks and mentions: raised figures, `[3]` after a word, `footnote 12`."""
    return _found("footnote", _FOOTNOTE, text)


def versions(text: str, tag: str) -> Iterator[Fact]:
    """Editions by number or year: `version 2.1`, `v2.1`, `2. Auflage`, `第2版`."""
    return _found("version", _version(tag), text)


def article_numbers(text: str, tag: str) -> Iterator[Fact]:
    """Articles, paragraphs, lines, list numbers: `Article 5`, `madde 12`, `第5条`, `(a)(2)`, a leading `9.`."""
    return _found("article_number", _article(tag), text)


def _found(kind: Kind, pattern: "regex.Pattern[str]", text: str) -> Iterator[Fact]:
    for match in pattern.finditer(text):
        shown = match["number"] if kind == "version" else match[0]
        yield Fact(kind, _SPACE.sub("", shown).casefold(), match[0], *match.span())


def _words(table: dict[str, str], tag: str) -> str:
    own = table.get(language_of(tag), "")
    return cldr.alternatives(word.replace("_", " ") for word in (*own.split(), *table["en"].split()))


@lru_cache(maxsize=64)
def _version(tag: str) -> "regex.Pattern[str]":
    word = cldr.whole(_words(_VERSION_WORDS, tag), tag)
    number = rf"(?P<number>\p{{N}}+(?:\.\p{{N}}+)*[{cldr.SPACED}]?(?![{cldr.SPACED}\p{{N}}]))"
    return regex.compile(
        rf"(?i){word}\.?\s?{number}|(?<![\p{{L}}\p{{N}}])v\.?\s?(?P<number>\p{{N}}+(?:\.\p{{N}}+)*)(?![\p{{L}}\p{{N}}])"
        rf"|(?P<number>\p{{N}}+)(?:\.|st|nd|rd|th|ª|º|e|ème)?\s{word}|[第제]\s?(?P<number>\p{{N}}+)\s?[版판]"
    )


@lru_cache(maxsize=64)
def _article(tag: str) -> "regex.Pattern[str]":
    word = cldr.whole(_words(_ARTICLE_WORDS, tag), tag)
    roman = r"(?:[IVXLC]+|[A-Z])(?![\p{L}\p{N}])"
    return regex.compile(
        rf"(?:(?i:{word})\.?\s?(?:{_NUMBER}|{roman}|{_LEVELS}+)(?:\s(?:and|or|to|through)\s\p{{N}}+\.{_NUMBER})?)"
        rf"|\p{{N}}+\.?\s(?i:{cldr.whole('madde|maddesi|fıkra|bent', tag)})"
        r"|[第제]\s?\p{N}+\s?[条條項项款号조항]"
        rf"|(?:(?<![\p{{L}}\p{{N}}])\p{{N}}{{1,4}})?{_LEVEL}{_LEVELS}*(?:-\p{{N}}+)?|(?m:^)\s*\p{{N}}{{1,3}}[.)](?=\s)"
    )
