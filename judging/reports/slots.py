"""Texts with slots: what near-duplicates state otherwise is set apart, highlighted or not. Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from django.utils.safestring import SafeString

from judging.reports.highlights import Span, escaper, marked


def slotted(text: str, spans: Sequence[Span], slots: Sequence[Span]) -> SafeString:
    """`text` escaped, with `spans` marked and `slots` set apart (each in order, without overlaps).

    A slot holds what near-duplicates state otherwise. A mark ends at its edges and goes on behind them.
    """
    if not slots:
        return marked(text, spans)
    safe = escaper(text)
    pieces: list[str] = []
    at = place = 0
    for first, last in slots:
        place = _put(pieces, (text, at, first), spans, place=place, safe=safe)
        pieces.append('<span class="slot">')
        place = _put(pieces, (text, first, last), spans, place=place, safe=safe)
        pieces.append("</span>")
        at = last
    _put(pieces, (text, at, len(text)), spans, place=place, safe=safe)
    return SafeString("".join(pieces))


def _put(
    pieces: list[str], part: tuple[str, int, int], spans: Sequence[Span], *, place: int, safe: Callable[[str], str]
) -> int:
    """Add a part of a text, with what stands in it of `spans` from `place` on marked; the place of the next span."""
    text, at, last = part
    while place < len(spans) and spans[place][0] < last:
        start, end = spans[place]
        start = max(start, at)
        pieces += (safe(text[at:start]), "<mark>", safe(text[start : min(end, last)]), "</mark>")
        at = min(end, last)
        if end > last:
            break
        place += 1
    pieces.append(safe(text[at:last]))
    return place


def within(spans: Sequence[Span], first: int, last: int) -> list[Span]:
    """The parts of `spans` between two characters, counted from the first of them."""
    if first >= last:
        return []
    return [(max(start - first, 0), min(end, last) - first) for start, end in spans if start < last and first < end]
