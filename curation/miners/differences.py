"""What sets near-duplicates apart: their facts side by side, the text they share, and the kinds that differ."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from curation.miners.alignment import Run, align
from curation.miners.facts import ASKED_FOR, DIFFERENCES, Difference, Fact, Kind
from curation.miners.pieces import Piece, pieces

_CONTEXT_WORDS = 3
BETWEEN = "; "
"""What stands between several facts of one column."""


@dataclass(frozen=True)
class Column:
    """One fact of every member, in member order: `values` as written, `keys` as compared, None where it is not stated.

    `name` says where it stands: the field or title beside the text (then it is `declared`), else the shared words that
    lead up to it. A declared date or version is `stated` where the text or title of some member says it, too.
    """

    kind: Kind
    name: str
    values: tuple[str | None, ...]
    keys: tuple[str | None, ...]
    declared: bool = False
    stated: bool = True

    @property
    def differs(self) -> bool:
        """Whether two members state different values, or one is silent where another speaks."""
        return len(set(self.keys)) > 1


@dataclass(frozen=True)
class Passage:
    """A stretch of the members' text: shared `text`, or a slot with its kind and each member's own words."""

    text: str
    kind: Difference | None = None
    values: tuple[str, ...] = ()


@dataclass(frozen=True)
class Comparison:
    """Members side by side: fact columns, shared text with slots, facts all of them state, kinds that differ."""

    columns: tuple[Column, ...]
    shared: tuple[Passage, ...]
    same: tuple[Fact, ...]
    differs_in: tuple[Difference, ...]


def set_aside(differs_in: Iterable[Difference]) -> bool:
    """Whether members differ in nothing people ask for: wording, citation, article number, footnote, formatting."""
    return ASKED_FOR.isdisjoint(differs_in)


def ordered(kinds: Iterable[Difference]) -> tuple[Difference, ...]:
    """Each kind once, in the order differences are shown."""
    present = set(kinds)
    return tuple(kind for kind in DIFFERENCES if kind in present)


def compare(texts: Sequence[str], facts: Sequence[Sequence[Fact]]) -> Comparison:
    """Lay texts over one another and say which kinds of fact differ.

    A fact exchanged in place differs. Where sentences were rewritten or moved, a kind differs only if the rewritten
    parts state other values of it than before. Texts that say the same in other signs differ in formatting.
    """
    runs = align([pieces(text, own) for text, own in zip(texts, facts, strict=True)])
    slots = [run for run in runs if not run.shared]
    exchanged = {run.pure_kind for run in slots if run.pure_kind and _column(run.pure_kind, run, name="").differs}
    rewritten = [run for run in slots if not run.pure_kind]
    worded = {kind for run in rewritten for kind in _word_difference(run)}
    kinds = ordered(exchanged | _restated(rewritten) | worded)
    return Comparison(
        columns=_columns(runs),
        shared=tuple(_passage(run, texts) for run in runs),
        same=_same(runs),
        differs_in=kinds or (("formatting",) if len(set(texts)) > 1 else ()),
    )


def _restated(rewritten: Sequence[Run]) -> set[Kind]:
    """Kinds whose values, counted over all rewritten parts, are not the same in every member."""
    told: dict[Kind, list[Counter[str]]] = {}
    for run in rewritten:
        for member, own in enumerate(run.pieces):
            for fact in _facts(own):
                told.setdefault(fact.kind, [Counter() for _ in run.pieces])[member][fact.value] += 1
    return {kind for kind, counts in told.items() if any(count != counts[0] for count in counts)}


def _facts(own: Sequence[Piece]) -> list[Fact]:
    return [piece.fact for piece in own if piece.fact]


def _columns(runs: Sequence[Run]) -> tuple[Column, ...]:
    columns: dict[tuple[Kind, tuple[str | None, ...]], Column] = {}
    context = ""
    for run in runs:
        if run.shared:
            context = _last_words(run)
            continue
        for kind in dict.fromkeys(fact.kind for own in run.pieces for fact in _facts(own)):
            column = _column(kind, run, name=context)
            columns.setdefault((kind, column.keys), column)
    return tuple(columns.values())


def fact_column(kind: Kind, name: str, told: Sequence[Sequence[Fact]], *, declared: bool = False) -> Column:
    """The column of one kind from the facts of every member; several facts of a member stand in one value."""
    own = [[fact for fact in facts if fact.kind == kind] for facts in told]
    return Column(
        kind=kind,
        name=name,
        values=tuple(BETWEEN.join(fact.written for fact in facts) or None for facts in own),
        keys=tuple(BETWEEN.join(fact.value for fact in facts) or None for facts in own),
        declared=declared,
    )


def _column(kind: Kind, run: Run, *, name: str) -> Column:
    return fact_column(kind, name, [_facts(own) for own in run.pieces])


def _word_difference(run: Run) -> set[Difference]:
    words = {tuple(piece.key.casefold() for piece in own if piece.is_word and not piece.fact) for own in run.pieces}
    written = {tuple(piece.key for piece in own if not piece.fact) for own in run.pieces}
    if len(words) > 1:
        return {"wording"}
    return {"formatting"} if len(written) > 1 else set()


def _last_words(run: Run) -> str:
    words = [piece.key for piece in run.pieces[0] if piece.is_word and not piece.fact]
    return " ".join(words[-_CONTEXT_WORDS:])


def _same(runs: Sequence[Run]) -> tuple[Fact, ...]:
    stated = (fact for run in runs if run.shared for fact in _facts(run.pieces[0]) if fact.kind in ASKED_FOR)
    return tuple({(fact.kind, fact.value): fact for fact in stated}.values())


def _passage(run: Run, texts: Sequence[str]) -> Passage:
    said = tuple(text[own[0].start : own[-1].end] if own else "" for text, own in zip(texts, run.pieces, strict=True))
    if run.shared:
        return Passage(said[0])
    return Passage("", run.pure_kind or next(iter(_word_difference(run)), "wording"), said)
