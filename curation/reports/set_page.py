"""The draft of a set: what counts now beside the newest version of its name, and what stands before the freeze."""

from __future__ import annotations

from dataclasses import dataclass

from curation.models import Corpus, SetVersion

from .freeze_checks import Checks, freeze_checks
from .generations import newest_for_sets
from .set_content import rules_of
from .set_diff import SetDiff
from .set_draft import draft_diff


@dataclass(frozen=True, slots=True)
class Draft:
    """What a freeze would make of the corpus now; `newest` is None before the first version."""

    newest: SetVersion | None
    checks: Checks
    diff: SetDiff

    @property
    def number(self) -> int:
        """The number that the next version gets."""
        return self.newest.number + 1 if self.newest else 1

    @property
    def why_not(self) -> str:
        """Why it cannot be frozen yet, "" where it can."""
        if self.checks.blocks:
            return "What is marked in the list must be put right first."
        if not self.diff.total.now:
            return "No query counts yet; judge some first."
        return ""

    @property
    def is_as_before(self) -> bool:
        """Whether no query, grade or rule has changed since the newest version."""
        return self.newest is not None and self.diff.is_empty


def draft_of(corpus: Corpus, newest: SetVersion | None) -> Draft:
    """The draft of the set whose newest version is given; the number of SQL queries is fixed."""
    rules = rules_of(corpus, newest_for_sets(corpus))
    return Draft(newest, freeze_checks(corpus), draft_diff(corpus, rules, newest))
