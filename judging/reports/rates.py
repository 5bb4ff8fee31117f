"""How often pairs of opinions agree, and beyond chance: the figures of one group of answers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from curation.measures.cohen_kappa import cohen_kappa, crossed
from curation.measures.fleiss_kappa import fleiss_kappa
from curation.measures.krippendorff_alpha import krippendorff_alpha
from curation.measures.percent_agreement import percent_agreement
from curation.measures.ratings import Counts
from curation.measures.resampling import Estimate
from curation.measures.targets import COUNT_TARGETS
from judging.reports.voices import Voice

PAIRS = COUNT_TARGETS["gate"]
"""Rates and figures of fewer pairs are not shown: the counts are."""
SEED = 20
GRADES = 4


@dataclass(frozen=True, slots=True)
class Rate:
    """Pairs of opinions, and how many of them `agree` on relevant or not; `kappa` is None below 100 pairs.

    In `answers` pairs at least one of the two says relevant; they differ in all the pairs that do not agree.
    """

    pairs: int
    agree: int
    answers: int
    kappa: Estimate | None

    @property
    def differ(self) -> int:
        """The pairs that do not agree."""
        return self.pairs - self.agree

    @property
    def share(self) -> float | None:
        """The share that agree, None below 100 pairs."""
        return self.agree / self.pairs if self.pairs >= PAIRS else None

    @property
    def disagreement(self) -> float | None:
        """The share that differ where at least one says relevant, None below 100 such pairs."""
        return self.differ / self.answers if self.answers >= PAIRS else None

    def as_json(self) -> dict[str, Any]:
        """The figures as the command prints them."""
        return {
            "pairs": self.pairs,
            "agree": self.agree,
            "agree_share": self.share,
            "pairs_with_a_relevant": self.answers,
            "disagreement": self.disagreement,
            **told(self.kappa, "kappa"),
        }


def told(estimate: Estimate | None, name: str) -> dict[str, Any]:
    """An estimate as JSON: its value and its interval, None where there is none to show."""
    return {name: estimate.value if estimate else None, f"{name}_ci": estimate.ci if estimate else None}


def categories(answers: Iterable[Sequence[Voice]], *, relevant_from: int | None = None) -> Counts:
    """How many voices put each answer into each grade, or into not relevant and relevant.

    Shape (answers, 4), or (answers, 2) with `relevant_from`.
    """
    told = list(answers)
    rows = np.repeat(np.arange(len(told)), [len(voices) for voices in told])
    grades = np.fromiter((voice.grade for voices in told for voice in voices), np.int64, len(rows))
    columns = grades if relevant_from is None else (grades >= relevant_from).astype(np.int64)
    counts = np.zeros((len(told), GRADES if relevant_from is None else 2), np.int64)
    np.add.at(counts, (rows, columns), 1)
    return counts


def rate_of(answers: Iterable[Sequence[Voice]], *, relevant_from: int) -> Rate:
    """The rate of a group of answers, whoever judged them; its kappa is Fleiss'."""
    counts = categories(answers, relevant_from=relevant_from)
    found = percent_agreement(counts)
    kappa = fleiss_kappa(counts, seed=SEED) if found.pairs >= PAIRS else None
    return Rate(found.pairs, found.agree, found.pairs - _pairs(counts[:, 0]), kappa)


def alpha_of(answers: Sequence[Sequence[Voice]]) -> Estimate | None:
    """Krippendorff's ordinal alpha of a group of answers on the four grades, None below 100 pairs."""
    if sum(len(voices) * (len(voices) - 1) // 2 for voices in answers) < PAIRS:
        return None
    return krippendorff_alpha(categories(answers), level="ordinal", seed=SEED)


def rate_between(pairs: Sequence[tuple[Voice, Voice]], *, relevant_from: int) -> Rate:
    """The rate of two people, the same first in every pair; its kappa is Cohen's."""
    first, second = ([int(pair[side].grade >= relevant_from) for pair in pairs] for side in (0, 1))
    table = crossed(first, second, categories=2)
    kappa = cohen_kappa(table) if len(pairs) >= PAIRS else None
    return Rate(len(pairs), int(np.trace(table)), len(pairs) - int(table[0, 0]), kappa)


def _pairs(people: Counts) -> int:
    return int((people * (people - 1) // 2).sum())
