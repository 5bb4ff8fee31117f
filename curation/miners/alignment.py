"""Several texts laid over one another: what all of them share, and the slots where they part."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rapidfuzz.distance import Levenshtein

from curation.miners.facts import Kind
from curation.miners.pieces import Piece

Pieces = Sequence[Piece]


@dataclass(frozen=True)
class Run:
    """A stretch of the aligned texts: each text's own pieces, in the order of the texts.

    `shared` runs say the same in every text; the others are slots, empty in a text that says nothing there.
    """

    shared: bool
    pieces: tuple[Pieces, ...]

    @property
    def pure_kind(self) -> Kind | None:
        """The kind of a slot in which the texts state facts of that one kind and nothing else."""
        found = {piece.fact.kind if piece.fact else None for own in self.pieces for piece in own}
        return found.pop() if len(found) == 1 else None

    @property
    def words(self) -> int:
        """Words and facts in the first text's part."""
        return sum(piece.is_word for piece in self.pieces[0])


def align(texts: Sequence[Pieces]) -> list[Run]:
    """Shared runs and slots of the texts, in reading order, by their word-level edits against the first text.

    A fact that opens or closes a slot in every text is a slot of its own; a lone word between rewordings joins them.
    """
    matches = [_matches(texts[0], other) for other in texts[1:]]
    runs: list[Run] = []
    ends = [0] * len(texts)
    for base in range(len(texts[0])):
        if all(base in match for match in matches):
            here = [base, *(match[base] for match in matches)]
            _append(runs, shared=False, own=_between(texts, ends, here))
            ends = [place + 1 for place in here]
            _append(runs, shared=True, own=_between(texts, here, ends))
    _append(runs, shared=False, own=_between(texts, ends, [len(text) for text in texts]))
    return _joined(part for run in runs for part in _peeled(run))


def _matches(base: Pieces, other: Pieces) -> dict[int, int]:
    """Places of the base text to their equals in the other."""
    edits = Levenshtein.opcodes([piece.key for piece in base], [piece.key for piece in other])
    return {
        edit.src_start + step: edit.dest_start + step
        for edit in edits
        if edit.tag == "equal"
        for step in range(edit.src_end - edit.src_start)
    }


def _between(texts: Sequence[Pieces], starts: Sequence[int], ends: Sequence[int]) -> tuple[Pieces, ...]:
    return tuple(text[start:end] for text, start, end in zip(texts, starts, ends, strict=True))


def _append(runs: list[Run], *, shared: bool, own: tuple[Pieces, ...]) -> None:
    if not any(own):
        return
    if runs and shared and runs[-1].shared:
        own = _chained(runs.pop(), Run(shared, own))
    runs.append(Run(shared, own))


def _chained(*runs: Run) -> tuple[Pieces, ...]:
    return tuple(
        [piece for part in parts for piece in part] for parts in zip(*(run.pieces for run in runs), strict=True)
    )


def _peeled(run: Run) -> list[Run]:
    if run.shared or run.pure_kind or not all(run.pieces):
        return [run]
    for edge, cut in ((0, 1), (-1, -1)):
        kinds = {piece.fact.kind if (piece := own[edge]).fact else None for own in run.pieces}
        if len(kinds) == 1 and None not in kinds:
            parts = [
                Run(shared=False, pieces=tuple(own[:cut] for own in run.pieces)),
                Run(shared=False, pieces=tuple(own[cut:] for own in run.pieces)),
            ]
            return [peeled for part in parts for peeled in _peeled(part)]
    return [run]


def _joined(runs: Iterable[Run]) -> list[Run]:
    joined: list[Run] = []
    for run in runs:
        joined.append(run)
        if len(joined) >= 3 and _is_aside(*joined[-3:]):
            before, between, after = joined[-3:]
            joined[-3:] = [Run(shared=False, pieces=_chained(before, between, after))]
    return joined


def _is_aside(before: Run, between: Run, after: Run) -> bool:
    reworded = not (before.shared or before.pure_kind or after.shared or after.pure_kind)
    stray = between.shared and between.words <= 1 and not any(piece.fact for piece in between.pieces[0])
    return reworded and stray
