"""Texts with slots: what near-duplicates state otherwise is set apart, highlighted or not. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from django.utils.safestring import SafeString

from judging.reports.highlights import Span, marked


def slotted(text: str, spans: Sequence[Span], slots: Sequence[Span]) -> SafeString:
    """`text` escaped, with `spans` marked and `slots` set apart (each in order, without overlaps).

    A slot holds what near-duplicates state otherwise. A mark ends at its edges and goes on behind them.
    """
    if not slots:
        return marked(text, spans)
    edges = [edge for slot in slots for edge in slot]
    parts = zip([0, *edges], [*edges, len(text)], strict=True)
    pieces: list[str] = [marked(text[start:end], own) for (start, end), own in _parted(spans, parts)]
    pieces[1::2] = [f'<span class="slot">{slot}</span>' for slot in pieces[1::2]]
    return SafeString("".join(pieces))


def _parted(spans: Sequence[Span], parts: Iterable[Span]) -> Iterator[tuple[Span, list[Span]]]:
    """Each of `parts`, that follow one another, with the parts of `spans` that stand in it, counted from its start."""
    place = 0
    for first, last in parts:
        own: list[Span] = []
        while place < len(spans) and spans[place][0] < last:
            start, end = spans[place]
            own.append((max(start - first, 0), min(end, last) - first))
            if end > last:
                break
            place += 1
        yield (first, last), own


def within(spans: Sequence[Span], first: int, last: int) -> list[Span]:
    """The parts of `spans` between two characters, counted from the first of them."""
    if first >= last:
        return []
    return [(max(start - first, 0), min(end, last) - first) for start, end in spans if start < last and first < end]
