"""The few lines of a candidate that are read first: cut around the sentence that shares most with the query. Pure."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.utils.safestring import SafeString

from judging.reports.highlights import Span
from judging.reports.slots import slotted, within

SENTENCE = re.compile(r"\S(?:.*?[.!?…。！？؟।](?=[\s\"'”’»)\]]|[^\x00-\x7f]|$)|.*$)", re.MULTILINE)
# About two lines of a row, and what is kept behind them for narrow windows.
READ_FIRST, KEPT = 180, 360
SAME_WORD = 4  # letters by which two forms count as one word


@dataclass(frozen=True, slots=True)
class Passage:
    """The characters `start` to `end` of a text; `cut_before` and `cut_after` tell whether more stands around them."""

    start: int
    end: int
    cut_before: bool
    cut_after: bool


def best_passage(text: str, spans: Sequence[Span]) -> Passage:
    """The passage that begins with the sentence holding most different words of `spans`; the first of equals."""
    starts = [match.start() for match in SENTENCE.finditer(text)] or [0]
    found: dict[int, set[str]] = {}
    for start, end in spans:
        sentence = max(0, bisect_right(starts, start) - 1)
        found.setdefault(sentence, set()).add(text[start:end].casefold()[:SAME_WORD])
    best = max(range(len(starts)), key=lambda position: (len(found.get(position, ())), -position))
    while best > 0 and len(text) - starts[best] < READ_FIRST:
        best -= 1
    start = starts[best]
    end = _word_end(text, start + KEPT)
    return Passage(start, end, cut_before=bool(text[:start].strip()), cut_after=bool(text[end:].strip()))


def _word_end(text: str, at: int) -> int:
    if at >= len(text):
        return len(text)
    space = text.rfind(" ", at - 40, at)
    return space if space > 0 else at


def paragraphs(text: str, spans: Sequence[Span], slots: Sequence[Span] = ()) -> Iterable[SafeString]:
    """The lines of `text` that hold something, each with its part of `spans` marked and of `slots` set apart."""
    at = 0
    for line in text.split("\n"):
        end = at + len(line)
        if line.strip():
            yield slotted(line, within(spans, at, end), within(slots, at, end))
        at = end + 1
