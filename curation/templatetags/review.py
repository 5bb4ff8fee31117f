"""Words and figures of the review screens."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from django import template

from curation.miners.differences import Column, Passage
from curation.miners.facts import ASKED_FOR, Difference
from curation.models import HardNegative, Miner, Proposal
from curation.reports import review as reports
from curation.reports.review_evidence import KINDS, place_of
from curation.reports.review_evidence import heading as heading_of
from curation.retrieval.locales import UNDETERMINED

register = template.Library()

FIGURES = {Miner.NEAR_DUPLICATE: "versions", Miner.RARE_ENTITY: "articles", Miner.SHORT_KEYWORD: "searches"}

CLOSING = tuple(".,;:!?)]}%。、，；：！？）」")


@register.filter
def family_name(miner: str) -> str:
    """A family as its tab names it."""
    return str(Miner(miner).label)


@register.filter
def figure_name(miner: str) -> str:
    """What the figure of a queue's row counts."""
    return FIGURES[Miner(miner)]


@register.filter
def title_of(proposal: Proposal) -> str:
    """What a proposal is called in the queue."""
    return reports.title_of(proposal)


@register.filter
def is_known(locale: str) -> bool:
    """Whether a locale names a language."""
    return locale not in {"", UNDETERMINED}


@register.filter
def kind_in_words(kind: Difference) -> str:
    """A kind of fact in words."""
    return KINDS[kind]


@register.filter
def kinds_in_words(kinds: Sequence[Difference]) -> str:
    """Those of the kinds that people ask for, in words: "date, amount, territory"."""
    return ", ".join(KINDS[kind] for kind in kinds if kind in ASKED_FOR)


@register.filter
def words_and(words: Sequence[str]) -> str:
    """Words in a row: "date, amount and territory"."""
    return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


@register.filter
def heading(column: Column) -> str:
    """The name of a fact column."""
    return heading_of(column)


@register.filter
def place(column: Column) -> str:
    """Where the fact of a column stands."""
    return place_of(column)


@register.filter
def is_figure(column: Column) -> bool:
    """Whether a column's values are figures, which stand right-aligned."""
    return column.kind in {"amount", "percent", "count"}


@register.filter
def at(columns: Sequence[Column], place: int) -> Column:
    """The column at a place, from 0."""
    return columns[place]


@register.filter
def sticks(passage: Passage) -> bool:
    """Whether a passage goes on without a space: it opens with a sign that closes something."""
    return passage.text[:1] in CLOSING


@register.filter
def pair_in(negative: HardNegative, waiting: Collection[tuple[int, str]]) -> bool:
    """Whether a mined document waits in its query's pool."""
    return (negative.query_id, negative.canonical_id) in waiting


@register.filter
def unlocalised(number: float) -> str:
    """A number as a field of a form takes it, whatever the language of the page."""
    return f"{number:g}"
