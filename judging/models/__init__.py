"""Pools, leases and opinions."""

from .opinions import Judgment, JudgmentEvent, State
from .pools import Assignment, Candidate, Pool

__all__ = ["Assignment", "Candidate", "Judgment", "JudgmentEvent", "Pool", "State"]
