"""What each app can do in the background, by name: so curation runs judging's jobs and imports none of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from curation.actions.holds import Held

# Gets the held job, returns what its row keeps as `result` (JSON). Whatever it writes stands inside
# `held.writing()` or `held.closing()`, so that a copy which lost its hold writes nothing.
Work = Callable[[Held], dict[str, Any]]

_kinds: dict[str, Work] = {}


class UnknownKind(LookupError):
    """A job of a kind that no app has added."""


def add_job_kind(kind: str, work: Work) -> None:
    """Let jobs of `kind` be done by `work`; each app's `tasks` module says so when it is imported."""
    if _kinds.setdefault(kind, work) is not work:
        raise ValueError(f"Two apps claim jobs of kind {kind!r}.")


def work_of(kind: str) -> Work:
    """The function that does jobs of `kind`.

    Raises:
        UnknownKind: no app has added it.
    """
    try:
        return _kinds[kind]
    except KeyError:
        raise UnknownKind(f"No app does jobs of kind {kind!r}.") from None
