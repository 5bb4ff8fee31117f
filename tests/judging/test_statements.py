"""How often judging asks the database: each press of a key the same few statements, whatever waits beside it."""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from curation.models import Corpus
from judging.models import Assignment
from tests.judging import stage
from tests.judging.stage import Judge

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("module_rows")]

WHO = 2  # the session, the person with their memberships: asked by every page
OURS = 1  # the candidate's key, which the test itself looks up


def stage_rows() -> None:
    stage.a_judged_corpus(4, queries=3)


@pytest.fixture
def corpus() -> Corpus:
    return Corpus.objects.get(slug="claims")


class Asked(CaptureQueriesContext):
    """Statements that read or write; savepoints and the like are left out."""

    def __init__(self) -> None:
        super().__init__(connection)

    def __len__(self) -> int:
        return sum(str(each["sql"]).startswith(("SELECT", "INSERT", "UPDATE", "DELETE")) for each in self)


def test_a_mark_is_three_reads_and_three_writes_and_a_changed_one_reads_the_mark_before(
    judge: Judge, held: Assignment
) -> None:
    judge.mark(held, "d001", 1)
    with Asked() as first:
        judge.mark(held, "d002", 3)
    with Asked() as changed:
        judge.mark(held, "d002", 2)
    assert len(first) == WHO + 3 + 3 + OURS
    assert len(changed) == WHO + 4 + 3 + OURS


def test_a_mark_that_is_sent_again_writes_nothing(judge: Judge, held: Assignment) -> None:
    judge.mark(held, "d001", 1, token="same")
    with Asked() as again:
        judge.mark(held, "d001", 1, token="same")
    assert len(again) == WHO + 4 + OURS
    assert not [each for each in again if str(each["sql"]).startswith(("INSERT", "UPDATE"))]


def test_the_document_of_a_mark_is_looked_up_before_anybody_waits_for_its_lock(judge: Judge, held: Assignment) -> None:
    with CaptureQueriesContext(connection) as asked:
        judge.mark(held, "d001", 1)
    tables = [table for each in asked if (table := re.search(r'FROM "(\w+)"', str(each["sql"])))]
    names = [table[1] for table in tables]
    assert names.index("judging_candidate", 1) < names.index("judging_assignment")


def test_a_skip_that_brings_no_marks_reads_no_more_than_the_next_query(judge: Judge, held: Assignment) -> None:
    with CaptureQueriesContext(connection) as asked:
        assert judge.post("skip", held).status_code == 200
    assert sum('FROM "judging_candidate"' in str(each["sql"]) for each in asked) == 1


def test_finishing_asks_as_often_for_four_candidates_as_for_eight(judge: Judge, held: Assignment) -> None:
    with Asked() as four:
        judge.finish(held, nothing_because="none_answers")
    corpus = stage.a_judged_corpus(8, queries=1, slug="longer")
    longer = Judge(judge.user, "longer")
    assignment = longer.next()
    assert assignment is not None
    with Asked() as eight:
        longer.finish(assignment, nothing_because="none_answers")
    assert assignment.pool.candidates.count() == 2 * held.pool.candidates.count()
    assert len(eight) == len(four)
    assert corpus.queries.filter(status="judged").count() == 1


def test_leasing_asks_as_often_for_three_pools_as_for_forty(judge: Judge, corpus: Corpus) -> None:
    with Asked() as of_three:
        judge.client.get("/c/claims/judge/")
    many = stage.a_judged_corpus(4, queries=40, slug="many")
    assert many.queries.count() == 40
    with Asked() as of_forty:
        judge.client.get("/c/many/judge/")
    assert len(of_forty) == len(of_three)
