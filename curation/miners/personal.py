"""Personal particulars in a logged query: mail addresses, telephone, card, account, policy and identity numbers.

Patterns find shapes, not people: names are not recognised, and a long number is taken for personal until it has the
shape of a date or a round amount.
"""

from collections.abc import Iterator
from typing import Literal, NamedTuple

import regex

Particular = Literal["mail address", "account number", "card number", "policy number", "telephone number", "number"]

_SHORTEST_NAMED = 5  # digits that name somebody after a word like policy or customer
_SHORTEST_NUMBER = 8  # digits from which one unbroken number names somebody
_SHORTEST_SPACED = 9  # digits from which numbers written in parts do
_NUMBERED = (
    "policy claim contract customer member account passport card police versicherung vertrag kunden schaden polis "
    "poliçe hasar sözleşme müşteri kimlik contrat sinistre client póliza siniestro cliente contrato polizza sinistro "
    "polisnummer полис договор 証券 契約 保单 保單 กรมธรรม์"
)
_MAIL = regex.compile(r"[\w.+%-]+@[\w-]+(?:\.[\w-]+)+")
_ACCOUNT = regex.compile(
    r"(?<!\w)\p{Lu}{2}\d{2}(?:\s?[\p{Lu}\d]{4}){2,7}(?:\s?[\p{Lu}\d]{1,4})?(?!\w)", regex.IGNORECASE
)
_POLICY = regex.compile(
    rf"(?<!\w)(?:{'|'.join(_NUMBERED.split())})(?:s?nummer|snr)?[\s.:#-]*"
    r"(?:(?:no|nr|number|num|numarası|n°|nº)[\s.:#-]*)?(?<!\w)(?P<number>[\w/-]*\d[\w/-]*)",
    regex.IGNORECASE,
)
# What stands between the digits of one number: 0532 123, (415) 555-2671, 0049 (0) 30.
_BETWEEN = r"(?:\s?[()]\s?|[).]?[\s.\-/–])?"
_NUMBER = regex.compile(rf"(?<![\p{{L}}\d])(?:\+?\(?|\p{{L}}{{0,4}}[-/]?)\d(?:{_BETWEEN}\d)+(?!\d)")
_DATE = regex.compile(r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{4}|(?:(?:19|20)\d{2}[\s/–-]?)+")
# Full-width signs say what the plain ones do; each stays one character, so places in the text stay true.
_PLAIN = {wide: wide - 0xFEE0 for wide in range(0xFF01, 0xFF5F)} | {0x3000: 0x20}
# What nobody sees is copied along with addresses and numbers, and stands between their signs.
_INVISIBLE = regex.compile(r"[[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}]--\s]", regex.VERSION1)
_ROUND = regex.compile(r"[1-9]\d{0,2}(?:[., ]\d{3})+|[1-9]\d*0{3,}")


class Found(NamedTuple):
    """A particular and its place in the text."""

    kind: Particular
    start: int
    end: int


def particulars(text: str) -> list[Found]:
    """The personal particulars of a text, in order; none overlaps another."""
    found: list[Found] = []
    seen = [place for place, sign in enumerate(text) if not _INVISIBLE.match(sign)]
    plain = "".join(text[place] for place in seen).translate(_PLAIN)
    for candidate in sorted(_candidates(plain), key=lambda each: (each.start, -each.end)):
        if not found or candidate.start >= found[-1].end:
            found.append(candidate)
    return [Found(kind, seen[start], seen[end - 1] + 1) for kind, start, end in found]


def masked(text: str) -> str:
    """The text with each particular replaced by its kind: what may be shown of a refused query."""
    for kind, start, end in reversed(particulars(text)):
        text = f"{text[:start]}[{kind}]{text[end:]}"
    return text


def _candidates(text: str) -> Iterator[Found]:
    yield from (Found("mail address", *match.span()) for match in _MAIL.finditer(text))
    for match in _POLICY.finditer(text):
        if len(regex.findall(r"\d", match["number"])) >= _SHORTEST_NAMED and not _DATE.fullmatch(match["number"]):
            yield Found("policy number", *match.span("number"))
    for match in _ACCOUNT.finditer(text):
        if _is_iban(match[0]):
            yield Found("account number", *match.span())
    for match in _NUMBER.finditer(text):
        kind = _kind_of_number(match[0])
        if kind:
            yield Found(kind, *match.span())


def _kind_of_number(written: str) -> Particular | None:
    digits = regex.sub(r"\D", "", written)
    if _DATE.fullmatch(written) or _ROUND.fullmatch(written):
        return None
    if 13 <= len(digits) <= 19 and _passes_luhn(digits):
        return "card number"
    if written.startswith("+") or (len(digits) >= _SHORTEST_SPACED and digits != written):
        return "telephone number" if len(digits) >= _SHORTEST_NUMBER else None
    return "number" if len(digits) >= _SHORTEST_NUMBER and regex.search(r"\d{5}", written) else None


def _passes_luhn(digits: str) -> bool:
    """The check digit of payment cards, ISO/IEC 7812-1 annex B."""
    doubled = (int(digit) * 2 for digit in digits[-2::-2])
    return (sum(map(int, digits[-1::-2])) + sum(number - 9 if number > 9 else number for number in doubled)) % 10 == 0


def _is_iban(written: str) -> bool:
    """The check digits of bank accounts, ISO 13616-1: the remainder by 97 is 1."""
    bare = regex.sub(r"\s", "", written).upper()
    return int("".join(str(int(sign, 36)) for sign in bare[4:] + bare[:4])) % 97 == 1
