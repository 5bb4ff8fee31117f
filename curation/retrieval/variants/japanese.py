"""Romaji of a text wholly in kana, by modified Hepburn, in plain a to z.

Vowels stand as the kana write them (とうきょう is toukyou), because nothing but a dictionary tells the long o of
きょう from the two vowels of おもう; the bar ー is left out (らーめん is ramen). Words are parted where the writer
parted them. The reading of kanji is known to a dictionary alone, so a text that holds one has no romaji here.
"""

import unicodedata

import regex

from curation.retrieval.variants.rules import pairs

_ROMAJI = dict(
    pairs(
        "あ a い i う u え e お o か ka き ki く ku け ke こ ko さ sa し shi す su せ se そ so た ta ち chi "
        "つ tsu て te と to な na に ni ぬ nu ね ne の no は ha ひ hi ふ fu へ he ほ ho ま ma み mi む mu め me "
        "も mo や ya ゆ yu よ yo ら ra り ri る ru れ re ろ ro わ wa ゐ i ゑ e を o が ga ぎ gi ぐ gu げ ge ご go "
        "ざ za じ ji ず zu ぜ ze ぞ zo だ da ぢ ji づ zu で de ど do ば ba び bi ぶ bu べ be ぼ bo ぱ pa ぴ pi "
        "ぷ pu ぺ pe ぽ po ゔ vu ぁ a ぃ i ぅ u ぇ e ぉ o ゃ ya ゅ yu ょ yo ゎ wa ゕ ka ゖ ke きゃ kya きゅ kyu "
        "きょ kyo しゃ sha しゅ shu しょ sho しぇ she ちゃ cha ちゅ chu ちょ cho ちぇ che にゃ nya にゅ nyu "
        "にょ nyo ひゃ hya ひゅ hyu ひょ hyo みゃ mya みゅ myu みょ myo りゃ rya りゅ ryu りょ ryo ぎゃ gya "
        "ぎゅ gyu ぎょ gyo じゃ ja じゅ ju じょ jo じぇ je ぢゃ ja ぢゅ ju ぢょ jo びゃ bya びゅ byu びょ byo "
        "ぴゃ pya ぴゅ pyu ぴょ pyo ふぁ fa ふぃ fi ふぇ fe ふぉ fo ふゅ fyu てぃ ti でぃ di でゅ dyu てゅ tyu "
        "とぅ tu どぅ du うぃ wi うぇ we うぉ wo ゔぁ va ゔぃ vi ゔぇ ve ゔぉ vo つぁ tsa つぃ tsi つぇ tse "
        "つぉ tso いぇ ye くぁ kwa くぃ kwi くぇ kwe くぉ kwo ぐぁ gwa"
    )
)
_HIRAGANA = {code: code - 0x60 for code in range(ord("ァ"), ord("ヶ") + 1)}
_SIGNS = str.maketrans(
    {"、": ", ", "。": ". ", "・": " ", "「": '"', "」": '"', "『": '"', "』": '"', "〜": "-", "ー": ""}
)
_PARTICLE = regex.compile(r"(?<!\S)[はへ](?!\S)")
_SYLLABLE = regex.compile(r"(っ*)(" + "|".join(sorted(_ROMAJI, key=len, reverse=True)) + ")")
_N = regex.compile(r"ん(?=([aiueoy])?)")


def romaji(text: str) -> str:
    """Return the text in Latin letters; "" where it holds what only a dictionary can read."""
    kana = unicodedata.normalize("NFKC", text).translate(_HIRAGANA).translate(_SIGNS)
    parted = _PARTICLE.sub(lambda particle: {"は": "wa", "へ": "e"}[particle.group()], kana)
    spelt = _N.sub(lambda n: "n'" if n.group(1) else "n", _SYLLABLE.sub(_syllable, parted)).replace("っ", "")
    return "" if regex.search(r"[\p{Hani}\p{Hira}\p{Kana}]", spelt) else " ".join(spelt.split())


def _syllable(found: regex.Match[str]) -> str:
    small_tsu, spelt = found.group(1), _ROMAJI[found.group(2)]
    if not small_tsu or spelt[0] in "aiueo":
        return spelt
    return ("t" if spelt.startswith("ch") else spelt[0]) + spelt
