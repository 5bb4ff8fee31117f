"""What each app adds to curation, which imports none of them: jobs, benches and demo steps, and judging's pools."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from curation.actions.holds import Held
from curation.models import Corpus, Document, Query, User

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


class Sending(Protocol):
    """Offers a document for judging as an answer to a query; raises `Refused` where nobody can judge it."""

    def __call__(self, *, query: Query, document: Document, origin: str, now: datetime, first: bool = False) -> object:
        """Done again, it changes nothing. With `first`, it is judged before all else that waits."""


@dataclass(frozen=True, slots=True)
class Undecided:
    """A judge who could not decide a query: `why` in a few words, and when they finished it."""

    judge: str
    why: str
    at: datetime | None


@dataclass(frozen=True)
class Pools:
    """Judging's pools as curation sees them.

    `waiting` tells which (query, canonical id) of the queries with these keys wait in a pool to be judged; `judged_by`
    which of them the person has judged, so that others' grades on them are no secret any more. `candidates` tells how
    many articles the pools of each of the queries hold; a query without a pool is left out. `undecided` tells a reader
    who could not decide a query; nothing while they are judging it.
    """

    send: Sending
    waiting: Callable[[Collection[int]], set[tuple[int, str]]]
    judged_by: Callable[[User, Collection[int]], set[int]]
    candidates: Callable[[Collection[int]], Mapping[int, int]]
    undecided: Callable[[Query, User], Sequence[Undecided]] = lambda *_: ()


_pools: list[Pools] = []


def add_pools(pools: Pools) -> None:
    """Let curation send documents to `pools`; judging says so when it starts."""
    _pools[:] = [pools]


def pools() -> Pools | None:
    """The pools, None where no app has any."""
    return _pools[0] if _pools else None


@dataclass(frozen=True)
class DemoStep:
    """A step that an app adds to loading the demo, when its people are there. `act` tells in words what there is now.

    Done again, it adds only what was never there.
    """

    title: str
    act: Callable[[Corpus, datetime], str]


_demo_steps: list[DemoStep] = []


def add_demo_step(step: DemoStep) -> None:
    """Let `manage.py demo` take `step`; each app says so when it starts."""
    _demo_steps.append(step)


def demo_steps() -> list[DemoStep]:
    """The steps that apps added."""
    return list(_demo_steps)


class Figures(Protocol):
    """What a bench measured: `row` is what `--json` prints, `in_words` the lines for a reader."""

    @property
    def row(self) -> dict[str, Any]:
        """Figures by name."""

    def in_words(self) -> list[str]:
        """One fact a line."""


@dataclass(frozen=True)
class Crowd:
    """How many people a bench lets work at once, for how many seconds, on how many queries.

    `per_second` is the pace of all together, None for no time to think. With `opens` they open that many queries and
    put them off instead.
    """

    people: int = 20
    seconds: float = 30.0
    queries: int = 1000
    per_second: float | None = None
    opens: int | None = None


Bench = Callable[[Crowd], Figures]
_benches: dict[str, Bench] = {}


def add_bench(name: str, bench: Bench) -> None:
    """Let `manage.py bench NAME` measure an app's pages under load; the app says so when it starts."""
    _benches[name] = bench


def benches() -> dict[str, Bench]:
    """The benches of a crowd, by name."""
    return dict(_benches)
