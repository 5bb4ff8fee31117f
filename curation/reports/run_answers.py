"""The answers of a run to the queries of a set: of one that is stored, or of a file that nobody imported."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from curation.formats.faults import Fault, FileRefused
from curation.formats.runs import Ranking, fingerprint, read_rankings
from curation.formats.tables import Reading
from curation.measures.hit import DEPTH as CELLS_AT
from curation.models import Corpus, RankedRun

from .set_content import Content


class AnswersRefused(ValueError):
    """The answers of a run cannot be read or do not belong to the set; the text is one plain sentence."""


@dataclass(frozen=True, slots=True)
class Answers:
    """Query id → external ids of documents, best first, of the queries that a set holds; at most `depth` of each.

    `dated` is when the run was stored, or its file made; None where nobody says.
    """

    name: str
    sha256: str
    depth: int
    documents: Mapping[str, Sequence[str]]
    run: RankedRun | None = None
    dated: datetime | None = None

    def require_depth(self, k: int, *, documents: int, measure: str = "") -> None:
        """Refuse answers that were cut before the depth at which they are to be measured (by recall@k, or `measure`).

        Raises:
            AnswersRefused: they hold fewer than the first `k` of the corpus's `documents`.
        """
        if why_not := too_shallow(self.name, self.depth, k=min(k, documents), measure=measure or f"recall@{k}"):
            raise AnswersRefused(why_not)


def too_shallow(name: str, depth: int, *, k: int, measure: str) -> str:
    """Why a run of `depth` documents a query cannot be measured at `k`; "" where it can."""
    if depth >= k:
        return ""
    rest = "" if depth < CELLS_AT else f", or measure at k = {depth:,}"
    return (
        f"{name} holds the first {depth:,} documents of a query, too few for {measure}; bring a run of {k:,} "
        f"documents{rest}."
    )


def answers_of_run(run: RankedRun, content: Content) -> Answers:
    """What a stored run answers to the members of a set.

    Raises:
        AnswersRefused: it answers none of them, or another one took its place while it was read.
    """
    members = content.members
    rows = run.scores.filter(k=run.k).values_list("query_id", "hits").iterator()
    held = {members[query].external_id: hits for query, hits in rows if query in members}
    if not held:
        raise AnswersRefused(f"The run {run.name} answers none of the {len(members):,} queries of the set.")
    same = RankedRun.objects.filter(pk=run.pk, k=run.k, sha256=run.sha256, measured_at=run.measured_at)
    if not same.exists():
        raise AnswersRefused(f"Another run took the place of {run.name} while it was read; gate or measure it again.")
    return Answers(run.name, run.sha256, run.k, held, run, run.measured_at)


def answers_of_file(path: Path, content: Content, *, reading: Reading, dated: datetime | None = None) -> Answers:
    """What a run in a file, made at `dated`, answers to the members of a set; every row of it must be sound.

    Raises:
        AnswersRefused: it cannot be read as a run, a row is refused, or it answers no query of the set.
    """
    found = _read(path, reading)
    names = {member.external_id for member in content.members.values()}
    held = {ranking.query_id: ranking.document_ids for ranking in found if ranking.query_id in names}
    if not held:
        raise AnswersRefused(f"{path.name} answers none of the {len(names):,} queries of the set.")
    depth = max(len(ranking.document_ids) for ranking in found)
    return Answers(path.name, fingerprint(found, depth), depth, held, dated=dated)


def _read(path: Path, reading: Reading) -> list[Ranking]:
    found = []
    try:
        for each in read_rankings(path, reading):
            if isinstance(each, Fault):
                raise AnswersRefused(f"{path.name}, line {each.line:,}: {each.reason}")
            if isinstance(each, Ranking):
                found.append(each)
    except FileRefused as refusal:
        raise AnswersRefused(f"{path.name}: {refusal}") from refusal
    return found


def no_run_called(corpus: Corpus, name: str) -> str:
    """That a corpus has no run of that name, and which it has."""
    known = ", ".join(corpus.ranked_runs.order_by("name").values_list("name", flat=True)) or "none yet"
    return f"Corpus {corpus.slug} has no run called {name[:60]}. Its runs: {known}."
