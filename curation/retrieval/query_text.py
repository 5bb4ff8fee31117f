"""What no text may be that is to stand as a query: the same for what is typed, mined and brought in."""

import regex

from curation.retrieval.folding import fold
from curation.retrieval.locales import UNDETERMINED

_ASKS = regex.compile(r"[\p{L}\p{N}]")
_UNSHOWN = regex.compile(
    r"[[\p{Cc}\p{Noncharacter_Code_Point}\u202d\u202e]--[\t\n\v\f\r\u0085]]",
    regex.VERSION1,
)
_TURNING = frozenset("\u202d\u202e")


def why_no_query(text: str) -> str:
    """Return why a text cannot be a query, in one sentence; "" where it can be one.

    It is empty; or nothing in it can be searched for, because it has no letter and no digit; or it holds a character
    that no screen shows as it is: a control character other than white space, one that Unicode keeps from text
    (U+FFFE), or an override that turns what follows it round (U+202D, U+202E). The marks that right-to-left text is
    typed with are none of these.
    """
    unshown = _UNSHOWN.search(text)
    if unshown:
        return f"The query holds {_named(unshown[0])}; remove it."
    if _ASKS.search(text):
        return ""
    lacks = "has no letter and no digit, so nothing can be found by it" if fold(text, UNDETERMINED) else "is empty"
    return f"The query {lacks}. Write what someone would search for."


def _named(character: str) -> str:
    point = f"U+{ord(character):04X}"
    if character in _TURNING:
        return f"the character {point}, which nobody sees and which turns the text after it round"
    kind = "control character" if regex.match(r"\p{Cc}", character) else "character"
    return f"the {kind} {point}, which no screen shows"
