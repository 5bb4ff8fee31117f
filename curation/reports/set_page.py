"""The draft of a set: what counts now beside the newest version of its name, and what stands before the freeze."""

from __future__ import annotations

from dataclasses import dataclass

from curation.models import Corpus, SetVersion

from .freeze_checks import Checks, freeze_checks
from .set_content import Content, content_frozen, content_of
from .set_diff import SetDiff, diff


@dataclass(frozen=True, slots=True)
class Draft:
    """What a freeze would make of the corpus now; `newest` is None before the first version."""

    newest: SetVersion | None
    content: Content
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
        if not self.content.members:
            return "No query counts yet; judge some first."
        if self.newest and self.newest.sha256 == self.content.sha256:
            return f"Nothing has changed since {self.newest}."
        return ""


def draft_of(corpus: Corpus, newest: SetVersion | None) -> Draft:
    """The draft of the set whose newest version is given; the number of SQL queries is fixed."""
    content = content_of(corpus)
    before = content_frozen(newest) if newest else Content(content.rules, {})
    return Draft(newest, content, freeze_checks(corpus), diff(before, content))
