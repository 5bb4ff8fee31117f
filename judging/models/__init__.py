"""Pools, leases and opinions."""

from .opinions import Judgment, JudgmentEvent, State
from .pools import HOLDS, Assignment, Candidate, Pool

__all__ = ["HOLDS", "Assignment", "Candidate", "Judgment", "JudgmentEvent", "Pool", "State"]
