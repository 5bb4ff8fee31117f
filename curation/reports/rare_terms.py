"""What a lead and a reviewer see of rare terms: what the newest run found, and what else is known of one term."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from django.db.models import Max, Min, Q, Sum

from curation.models import Corpus, Miner, MiningRun, Proposal
from curation.reports.review import newest_run

KINDS: Mapping[str, str] = {
    "name": "names",
    "abbreviation": "abbreviations",
    "code": "codes and numbers",
    "compound": "compounds",
    "word": "words of the trade",
}


@dataclass(frozen=True, slots=True)
class MinedTerms:
    """The newest run of rare terms; `kinds` are the terms proposed by what they look like, in words."""

    run: MiningRun
    kinds: tuple[tuple[str, int], ...]
    pending: int


def mined_terms(corpus: Corpus) -> MinedTerms | None:
    """The newest finished run; None where no terms were mined yet."""
    run = newest_run(corpus, Miner.RARE_ENTITY)
    if run is None:
        return None
    counts: Mapping[str, int] = run.summary.get("by_kind", {})
    return MinedTerms(
        run=run,
        kinds=tuple((words, counts[kind]) for kind, words in KINDS.items() if kind in counts),
        pending=run.proposals.filter(status=Proposal.Status.PENDING).count(),
    )


@dataclass(frozen=True, slots=True)
class Searched:
    """How many searches of the log hold a term, of how many in all; the days are None where the log names none."""

    count: int
    total: int
    first_day: date | None
    last_day: date | None


@dataclass(frozen=True, slots=True)
class Exact:
    """Where exact search ranked the draft's article when it was mined; `rank` is None beyond the first 50."""

    rank: int | None
    lead: float | None

    @property
    def ahead(self) -> float:
        """How much higher the best other article scores, where one is ahead."""
        return -(self.lead or 0)


@dataclass(frozen=True, slots=True)
class Term:
    """What is known of a rare term besides its chunk; `exact` is None where nobody could ask."""

    searched: Searched
    exact: Exact | None


def term_of(corpus: Corpus, proposal: Proposal) -> Term | None:
    """The evidence of a rare term; None for a proposal of another family."""
    if proposal.run.miner != Miner.RARE_ENTITY:
        return None
    exact = proposal.evidence.get("exact")
    return Term(searched_for(corpus, proposal.evidence["term"]), Exact(**exact) if exact else None)


def searched_for(corpus: Corpus, term: str) -> Searched:
    """How often the log of `corpus` holds `term`, in any case, also inside a word; one SQL query."""
    told = corpus.log_queries.aggregate(
        holding=Sum("count", filter=Q(text__icontains=term)),
        total=Sum("count"),
        first_day=Min("date"),
        last_day=Max("date"),
    )
    return Searched(told["holding"] or 0, told["total"] or 0, told["first_day"], told["last_day"])
