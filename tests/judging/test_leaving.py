"""A finished query that was opened again and left counts with no less than finishing it would have asked for."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from curation.models import Corpus, Qrel, Query
from judging.models import Assignment
from tests.bringing import run
from tests.judging.judges import another, corpus_of, finish_with, held_by, marek
from tests.judging.stage import Judge

pytestmark = pytest.mark.django_db


def exported(corpus: Corpus) -> dict[str, int | str]:
    """What stands of each document: its grade, else what is said instead."""
    rows = [json.loads(line) for line in run("export_judgments", corpus.slug)[1].splitlines()]
    return {row["doc_id"]: row["state"] if row["grade"] is None else row["grade"] for row in rows}


def opened_again(judge: Judge, grades: dict[str, int]) -> Assignment:
    """Finish a query, and open it again with undo on the next one."""
    finished = finish_with(judge, grades)
    told = judge.post("undo", held_by(judge), token="undo-1").json()
    assert told["next"] == f"/c/claims/judge/{finished.pk}/"
    return finished


def stands(held: Assignment) -> tuple[str, dict[str, int]]:
    query = Query.objects.get(pk=held.pool.query_id)
    return query.status, dict(Qrel.objects.filter(query=query).values_list("canonical_id", "grade"))


def is_open(held: Assignment) -> bool:
    return Assignment.objects.get(pk=held.pk).reopened_at is not None


@pytest.fixture
def judge() -> Judge:
    return marek(corpus_of(1, queries=2))


SENT = ("judged", {"d001": 3, "d002": 0, "d003": 0})


def test_a_query_whose_answer_was_taken_back_is_not_left_without_saying_why(judge: Judge) -> None:
    held = opened_again(judge, {"d001": 3})
    judge.post("undo", held, token="undo-2")
    told = judge.post("skip", held)
    assert (told.status_code, told.json()["refused"]) == (
        409,
        f"No document of query {held.pool.query.external_id} is marked relevant any more, so it stays open: "
        "finish it and say why, or mark the document that answers it.",
    )
    assert (is_open(held), stands(held)) == (True, SENT)


def test_without_script_the_refusal_leads_back_to_the_query(judge: Judge) -> None:
    held = opened_again(judge, {"d001": 3})
    judge.mark(held, "d001", 1)
    page = judge.client.post(f"/c/claims/judge/{held.pk}/skip", {"token": "page-1"}, follow=True)
    assert page.request["PATH_INFO"] == f"/c/claims/judge/{held.pk}/"
    assert "is marked relevant any more, so it stays open" in page.content.decode()


def test_a_mark_that_was_taken_back_is_swept_when_the_query_is_left(judge: Judge) -> None:
    corpus = Corpus.objects.get()
    held = opened_again(judge, {"d001": 3, "d002": 2})
    judge.mark(held, "d002", "clear")
    assert exported(corpus)["d002"] == "unseen"  # while it is open nobody says anything of it
    told = judge.post("skip", held).json()
    assert "next" in told
    assert f"Query {held.pool.query.external_id} is finished, with what you marked since." in told["page"]
    assert stands(held) == SENT
    assert exported(corpus) == {
        "d001": 3, "d002": "swept", "d003": "swept", "d004": "unseen", "d005": "unseen", "d006": "unseen",
    }  # fmt: skip


def test_what_was_not_touched_is_finished_as_before(judge: Judge) -> None:
    held = opened_again(judge, {"d001": 3})
    assert f"Query {held.pool.query.external_id} is finished as before." in judge.post("skip", held).json()["page"]
    assert (is_open(held), stands(held)) == (False, SENT)


def test_what_runs_out_without_an_answer_counts_as_it_was_sent(judge: Judge) -> None:
    held = opened_again(judge, {"d001": 3})
    judge.mark(held, "d001", "clear")
    with time_machine.travel(timezone.now() + timedelta(minutes=16)):
        another(Corpus.objects.get(), "defne").next()
    assert (is_open(held), stands(held)) == (False, SENT)
    assert exported(Corpus.objects.get())["d001"] == 3


def test_what_could_not_be_told_before_does_not_count_by_being_left(judge: Judge) -> None:
    held = held_by(judge)
    judge.finish(held, "d001", nothing_because="unclear")
    judge.post("undo", held_by(judge), token="undo-1")
    judge.mark(held, "d001", 3)
    refused = judge.post("skip", held).json()["refused"]
    name = held.pool.query.external_id
    assert refused == f"What you marked in query {name} since changes whether it counts: finish it."
    assert is_open(held)


def test_nothing_relevant_stays_said_of_a_query_that_is_left_again(judge: Judge) -> None:
    held = held_by(judge)
    judge.finish(held, "d001", nothing_because="none_answers")
    judge.post("undo", held_by(judge), token="undo-1")
    judge.mark(held, "d001", 1)
    assert "next" in judge.post("skip", held).json()
    assert Assignment.objects.get(pk=held.pk).nothing_because == "none_answers"
    assert stands(held) == ("judged", {"d001": 1})
