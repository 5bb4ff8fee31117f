"""The judging page of one assignment, by a number of database queries that does not grow with its pool."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from hashlib import sha256
from statistics import median
from uuid import uuid4

from django.db.models import Case, Count, When, Window

from curation.measures.cost import JUDGING_SECONDS
from curation.models import Corpus, Query
from curation.reports.prepared import CORPUS, KEY, PERSON, Prepared
from curation.reports.twins_as_read import Twins, twins_as_read
from judging.models import Assignment, Candidate, Judgment, Mismatch, Pool
from judging.models.pools import best_place
from judging.reports.findings import Finder, Kept, texts_of
from judging.reports.folds import renderings_of
from judging.reports.groups import groups_of, with_twins
from judging.reports.meant import is_for_twins, spoken_for, texts_read
from judging.reports.mismatches import beside_their_row, candidates_of, own_flags
from judging.reports.opinions import inherited_grades, own_judgments, value_of
from judging.reports.pool_rows import Group, Known, Row, rows_of
from judging.reports.pools import count_within_reach
from judging.reports.rereading import rereads

SENT_ALONE = Case(When(pool__kind=Pool.Kind.SENT, then=True), default=False)
LATELY = 50  # finished queries that the person's median speaks of


@dataclass(frozen=True, slots=True)
class Pace:
    """How far the person is in this corpus; the queries that wait for them include the one at hand.

    `median_seconds` of active work speaks of the last whole lists they finished, not of documents that were sent alone.
    """

    finished: int
    waiting: int
    median_seconds: float | None

    @property
    def place(self) -> int:
        """The number of the query at hand."""
        return self.finished + 1

    @property
    def total(self) -> int:
        """Finished and waiting."""
        return self.finished + self.waiting


@dataclass(frozen=True, slots=True)
class PoolPage:
    """Everything the page shows. `token` names this showing of it, for a form that is posted without script.

    `documents` counts each chunk of an article, and what was unfolded too: it is not the same document. `fresh` are
    findings that no candidate keeps yet, by candidate.
    """

    grades = ("0", "1", "2", "3")
    mismatches = tuple(Mismatch.Reason.choices)
    of_translations = Mismatch.OF_TRANSLATIONS
    grades_down = ("3", "2", "1", "0")
    reasons = tuple(Assignment.NothingBecause.choices)
    budget_seconds = JUDGING_SECONDS

    assignment: Assignment
    entries: tuple[Row | Group, ...]
    documents: int
    pace: Pace
    token: str
    fresh: Mapping[int, Kept]

    @property
    def query(self) -> Query:
        """The query that is judged."""
        return self.assignment.pool.query

    @property
    def relevant_from(self) -> int:
        """The lowest grade that counts as an answer."""
        return self.query.corpus.relevant_from

    @property
    def rows(self) -> list[Row]:
        """Every candidate that takes a grade, in the order of the page."""
        rows = (row for entry in self.entries for row in (entry.rows if isinstance(entry, Group) else (entry,)))
        return [row for row in rows if not row.is_gone]

    @property
    def folded(self) -> int:
        """Languages folded into the candidates, counted for each."""
        return sum(len(row.translations) for row in self.rows)

    @property
    def reread(self) -> int:
        """How many rows are judged again because their text changed."""
        return sum(row.reread is not None for row in self.rows)

    @property
    def has_facts(self) -> bool:
        """Whether any candidate declares a fact; without, the columns would only take room."""
        return any(cell.words for row in self.rows for cell in row.facts)

    @property
    def unmarked(self) -> list[Row]:
        """Rows without a mark."""
        return [row for row in self.rows if not row.value]

    @property
    def marked(self) -> int:
        """Rows with a mark."""
        return sum(bool(row.value) for row in self.rows)

    @property
    def is_sent(self) -> bool:
        """Whether these documents were sent alone, to a query that was judged already."""
        return self.assignment.pool.kind == Pool.Kind.SENT

    @property
    def may_lack_answers(self) -> bool:
        """Whether a reason is asked for where no document is marked relevant."""
        return bool(self.rows) and not self.is_sent

    @property
    def has_relevant(self) -> bool:
        """Whether a row is marked relevant."""
        return any(row.value.isdigit() and int(row.value) >= self.relevant_from for row in self.rows)


def pool_page(assignment: Assignment, *, now: datetime) -> PoolPage:
    """The page for `assignment`, its candidates in the order they are shown in; ranks and scores are not shown."""
    query = assignment.pool.query
    candidates = shown_order(assignment)
    known = _known(assignment, candidates)
    finder = Finder(query)
    entries = rows_of(beside_their_twin(candidates, known.twins), known, finder)
    pace = _pace(assignment, now)
    return PoolPage(assignment, tuple(entries), len(candidates), pace, token=uuid4().hex, fresh=finder.fresh)


def shown_order(assignment: Assignment) -> list[Candidate]:
    """The candidates by the best rank that a retriever gives; where the assignment is blind, shuffled by its own seed.

    Neither order tells which retriever found a candidate. The place of a candidate in a shuffled one does not move
    when another one joins the pool: each is sorted by a hash of its own.
    """
    candidates = candidates_of(assignment, to_show=True)
    if assignment.blind:
        return blind_order(candidates, order_seed=assignment.order_seed)
    return beside_their_row(sorted(candidates, key=lambda one: (best_place(one.origins), one.pk)))


def blind_order(candidates: Iterable[Candidate], *, order_seed: int) -> list[Candidate]:
    """The candidates shuffled by a seed, each unfolded one right behind the row that it was folded into."""
    return beside_their_row(sorted(candidates, key=lambda one: blind_place(order_seed, one.pk)))


def beside_their_twin(candidates: Sequence[Candidate], twins: Mapping[str, tuple[str, ...]]) -> list[Candidate]:
    """`candidates` with those that are text twins of each other where the first of them stands."""
    sets = [twins.get(candidate.canonical_id, ()) for candidate in candidates]
    first = {names: place for place, names in reversed(list(enumerate(sets))) if names}
    order = sorted(range(len(candidates)), key=lambda place: first.get(sets[place], place))
    return [candidates[place] for place in order]


def blind_place(order_seed: int, candidate: int) -> bytes:
    """What the candidates of a blind assignment are sorted by; `candidate` is a primary key."""
    return sha256(f"{order_seed}:{candidate}".encode()).digest()


def _known(assignment: Assignment, candidates: Sequence[Candidate]) -> Known:
    folded = {pk for candidate in candidates for pk in candidate.folded}
    corpus = assignment.pool.query.corpus
    articles = {candidate.canonical_id for candidate in candidates}
    present = texts_of(candidates)
    judgments = own_judgments(assignment)
    twins, meant = _twins(corpus, candidates, judgments.values())
    return Known(
        texts=present,
        judgments=judgments,
        inherited=inherited_grades(assignment.pool.query),
        groups=with_twins(groups_of(corpus.pk, articles), twins),
        twins=twins,
        meant=meant,
        renderings=renderings_of(folded),
        flags=own_flags(assignment),
        rereads=rereads(candidates, present, judgments),
    )


def _twins(
    corpus: Corpus, candidates: Sequence[Candidate], judgments: Iterable[Judgment]
) -> tuple[Twins, dict[str, str]]:
    """Text twins of the candidates, by the texts that the assessor graded, and what each takes from marks elsewhere.

    That is a grade, or "" where such marks differ and it takes none. A document that is gone takes no mark, so what was
    marked on it is elsewhere too.
    """
    listed = {each.document_id for each in candidates if each.document.gone_at is None}
    marks, own = [each for each in judgments if is_for_twins(each)], {each.pk for each in candidates}
    elsewhere = [each for each in marks if each.document_id not in listed]
    reads = [texts_read(each for each in marks if each.candidate_id in own), texts_read(elsewhere)]
    articles = {each.canonical_id for each in candidates} | {each.canonical_id for each in elsewhere}
    twins, others = twins_as_read(corpus, reads, articles=articles)
    told = spoken_for(elsewhere, others)
    grades = {name: {value_of(each.state, each.grade) for each in given} for name, given in told.items()}
    meant = {name: given.pop() if len(given) == 1 else "" for name, given in grades.items()}
    return {**twins, **{name: others[name] for name in meant}}, meant


def _pace(assignment: Assignment, now: datetime) -> Pace:
    corpus, person = assignment.pool.query.corpus, assignment.assessor
    lately = _lately_asked().rows({CORPUS: corpus.pk, PERSON: person.pk, KEY: assignment.pk})
    timed = [seconds for seconds, is_sent, _ in lately if seconds and not is_sent]
    return Pace(
        lately[0][2] if lately else 0,
        count_within_reach(corpus, person, now=now) + bool(assignment.finished_at),
        median(timed) if timed else None,
    )


@cache
def _lately_asked() -> Prepared:
    done = Assignment.objects.filter(assessor=PERSON, pool__query__corpus=CORPUS, finished_at__isnull=False)
    done = done.exclude(pk=KEY).annotate(of_all=Window(Count("pk")), is_sent=SENT_ALONE)
    columns = done.order_by("is_sent", "-finished_at").values_list("seconds_active", "is_sent", "of_all")
    return Prepared.of(columns[:LATELY])
