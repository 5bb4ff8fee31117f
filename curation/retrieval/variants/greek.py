"""Greek in Latin letters by ELOT 743 (ISO 843, transcription): the standard of passports and road signs.

Without accents, as it is typed. Greeklish proper knows no standard (8 or th, w or o); its writer corrects the text.
"""

from curation.retrieval.folding import nfc
from curation.retrieval.variants.rules import END, START, Respelling, Rule, table

_VOICELESS = rf"(?=[θκξπσςτφχψΘΚΞΠΣΤΦΧΨ]|{END})"
_WITH_UPSILON = (("α", "a"), ("ε", "e"), ("η", "i"))
_PAIRS = "ου ou ού ou αι ai αί ai ει ei εί ei οι oi οί oi υι yi υί yi γγ ng γκ gk γξ nx γχ nch"
_LETTERS = (
    "α a ά a β v γ g δ d ε e έ e ζ z η i ή i θ th ι i ί i ϊ i ΐ i κ k λ l μ m ν n ξ x ο o ό o π p ρ r σ s ς s τ t "
    "υ y ύ y ϋ y ΰ y φ f χ ch ψ ps ω o ώ o"
)


def _before_upsilon(after: str, consonant: str) -> tuple[Rule, ...]:
    """αυ, ευ, ηυ: the υ is f before a voiceless consonant and at the end of a word, else v."""
    return tuple(
        Rule(vowel + upsilon, latin + consonant, after=after) for vowel, latin in _WITH_UPSILON for upsilon in "υύ"
    )


_ROMANISED = Respelling(
    (
        *_before_upsilon(_VOICELESS, "f"),
        *_before_upsilon("", "v"),
        Rule("μπ", "b", before=START),
        Rule("μπ", "b", after=END),
        *table(f"{_PAIRS} {_LETTERS}"),
    )
)


def romanised(text: str) -> str:
    """Return the text in Latin letters."""
    return _ROMANISED(nfc(text)).replace(";", "?").replace("\u037e", "?")
