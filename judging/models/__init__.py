"""Pools, leases and opinions."""

from .disputes import Adjudication
from .mismatches import Mismatch
from .opinions import Judgment, JudgmentEvent, State
from .pools import COUNTS, HOLDS, REOPENED, Assignment, Candidate, Pool, Retriever

__all__ = [
    "COUNTS",
    "HOLDS",
    "REOPENED",
    "Adjudication",
    "Assignment",
    "Candidate",
    "Judgment",
    "JudgmentEvent",
    "Mismatch",
    "Pool",
    "Retriever",
    "State",
]
