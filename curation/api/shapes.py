"""The shapes of answers, for OpenAPI: what is typed here is always there, and more may stand beside it.

Endpoints answer with what the reports give, as the command line prints it; the tests hold it to these shapes.
"""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict

from curation.api.answers import Problem


class Shape(BaseModel):
    """An answer; fields that this version does not name may be there too."""

    model_config = ConfigDict(extra="allow")


class Health(Shape):
    """The server answers. `workers` says since when none does the background work; "" while one does."""

    status: str
    workers: str


class Token(Shape):
    """The token of the request."""

    name: str
    person: str
    corpora: list[str]
    scopes: list[str]
    expires_at: str


class Cell(Shape):
    """A roll-up of strata: its dimensions by name, its counts, and its score where it holds enough queries."""

    n: int
    spellings: int
    ready: int
    coming: int
    no_answer: int
    score: float | None
    ci: list[float] | None
    ci_kind: str | None
    status: str


class Coverage(Shape):
    """What `manage.py coverage --json` prints."""

    use: str
    target: int
    measure: str
    run: str | None
    beside: str | None
    by: list[str]
    facets: dict[str, str]
    cells: list[Cell]
    worst: Cell | None
    unmeasured_locales: list[str]
    missing: list[str]
    error_strings: list[dict[str, Any]]
    headline: dict[str, Any]


class TrafficReading(Shape):
    """Shares by locale, the largest first; `remark` names locales that are asked in without a share, "" for none."""

    as_of: str
    source: str
    note: str
    since: str | None
    until: str | None
    stated_by: str | None
    stated_at: str
    in_use: bool
    shares: dict[str, float]
    remark: str


class Traffic(Shape):
    """What `manage.py traffic --json` prints, the reading in use first."""

    readings: list[TrafficReading]


class FrozenSet(Shape):
    """A frozen set with its certificate."""

    set: str
    sha256: str
    generation: int | None
    frozen_at: str
    queries: int
    judgments: int
    slices: dict[str, int]
    cells: list[dict[str, Any]]
    holes: list[str]


class FrozenSets(Shape):
    """The set versions of a corpus, the newest first; `next` is the address of the page behind, null on the last."""

    sets: list[FrozenSet]
    next: str | None


class RefusedRow(Shape):
    """A row that was not stored; line 0 speaks of the whole file."""

    line: int
    id: str
    reason: str


class Receipt(Shape):
    """What became of a file: read = stored + merged + refused."""

    read: int
    stored: int
    merged: int
    refused: int
    errors: list[RefusedRow]
    notices: list[dict[str, Any]]


class RefusedRun(Problem):
    """A run of which nothing was stored, with its receipt where the file could be read."""

    receipt: Receipt | None


class Job(Shape):
    """Background work, asked after at `address`. `state` is queued, running, done, failed or cancelled.

    `error` says why it failed. `result` is there once it is done: a receipt of a run, a gate report, or what else was
    asked for. `exit_code` is what the command would end with: of a gate 0 passed, 1 rejected, 3 a warning, 2 could not
    run, of a manifest 0 agrees, 1 differs; None until it ends.
    """

    job: int
    address: str
    kind: str
    state: str
    progress: str
    error: str
    exit_code: int | None
    result: dict[str, Any] | None


class Run(Shape):
    """A ranked run that is stored; `provenance` is empty but for an exact one, which may be a baseline."""

    name: str
    k: int
    sha256: str
    provenance: dict[str, Any]
    measured_at: str


class Runs(Shape):
    """The runs of a corpus, the newest first."""

    runs: list[Run]
    next: str | None


class ManifestVerified(Shape):
    """What `manage.py manifest verify --json` prints."""

    agrees: bool
    reasons: list[str]
    manifest: dict[str, Any] | None


class ManifestWritten(Shape):
    """What `manage.py manifest write --json` prints."""

    written: bool
    changes: list[str]
    evaluation: str
    manifest: dict[str, Any]


class Gate(Shape):
    """A gate report, in short."""

    report: int
    set: str
    run: str
    verdict: str
    measured_at: str


class Gates(Shape):
    """The gate reports of a corpus, the newest first."""

    gates: list[Gate]
    next: str | None


class GateReport(Shape):
    """What `manage.py gate --json` prints."""

    verdict: str
    exit_code: int


class Taken(Shape):
    """How many live queries were new, and how many were there already."""

    stored: int
    known: int
