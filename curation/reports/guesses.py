"""How often a type was detected and kept, or corrected: by its writer, a lead, or the file that brought the query."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Count
from django.db.models.fields.json import KeyTextTransform

from curation.models import Corpus, QueryType

from .checks import live


@dataclass(frozen=True, slots=True)
class GuessRow:
    """One detected type: how many queries of each type it was detected in, in the order of `QueryType`."""

    guessed: str
    kept: Sequence[tuple[str, int]]

    @property
    def total(self) -> int:
        """How often it was detected."""
        return sum(count for _, count in self.kept)

    @property
    def corrected(self) -> int:
        """How often another type stands now."""
        return sum(count for query_type, count in self.kept if query_type != self.guessed)


def guesses(corpus: Corpus) -> tuple[list[GuessRow], int]:
    """Detected types against present ones of queries that stand, and how many keep no guess; in one SQL query."""
    guess = KeyTextTransform("guessed_type", "metadata")
    pairs = live(corpus).order_by().annotate(guess=guess).values("guess", "stratum__query_type").annotate(n=Count("pk"))
    counts: Counter[tuple[str | None, str]] = Counter()
    for guessed, query_type, count in pairs.values_list("guess", "stratum__query_type", "n"):
        counts[guessed if guessed in QueryType.values else None, query_type] += count
    rows = [
        GuessRow(guessed, [(kept, counts[guessed, kept]) for kept in QueryType.values]) for guessed in QueryType.values
    ]
    return rows, sum(count for (guessed, _), count in counts.items() if guessed is None)
