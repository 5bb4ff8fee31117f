"""What is said of one document in several pools, on several texts, or while it is gone, settles as one."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
import time_machine
from django.utils import timezone

from curation.models import Corpus, OpenDispute, Qrel, Query, User
from judging.actions.candidates import add_candidate
from judging.models import Assignment, Judgment, Pool
from judging.reports.disputes import opinions_on
from tests.judging import stage
from tests.judging.judges import another, corpus_of, finish_with, held_by, marek
from tests.judging.stage import Judge
from tests.judging.test_departed import ALL, holds
from tests.judging.test_judging_again import rewrite, send

pytestmark = pytest.mark.django_db

Leaving = Callable[[Judge, Assignment], object]


def stands(name: str) -> tuple[int, str, int | None] | None:
    qrel = Qrel.objects.filter(canonical_id=name).first()
    return (qrel.grade, qrel.source, qrel.opinions) if qrel else None


def disputed() -> list[str]:
    return sorted(OpenDispute.objects.values_list("canonical_id", flat=True))


def judged_alone(judge: Judge, name: str, grade: int) -> Assignment:
    """Judge what was sent alone."""
    held = held_by(judge)
    assert held.pool.kind == Pool.Kind.SENT
    judge.mark(held, name, grade)
    assert "next" in judge.finish(held, name).json()
    return held


def open_again(held: Assignment) -> None:
    Assignment.objects.filter(pk=held.pk).update(
        reopened_at=timezone.now(), lease_until=timezone.now() + timedelta(minutes=15)
    )


def skipped(judge: Judge, held: Assignment) -> None:
    judge.post("skip", held)


def ran_out(_: Judge, held: Assignment) -> None:
    with time_machine.travel(timezone.now() + timedelta(minutes=16)):
        another(held.pool.query.corpus, "defne").next()


def corrected(judge: Judge, held: Assignment) -> None:
    judge.mark(held, "d002", 2)
    judge.finish(held, "d002", "d003")


@pytest.mark.parametrize("leave", [skipped, ran_out, corrected])
def test_a_query_opened_again_and_left_undoes_nobodys_later_judgment(leave: Leaving) -> None:
    corpus = corpus_of(1)
    judge = marek(corpus)
    finished = finish_with(judge, {"d001": 3})
    present = rewrite(corpus, "d001")
    send(corpus)
    judged_alone(another(corpus), "d001", 0)
    stage.in_stratum(corpus.strata.get(), 1)
    stage.call("draw_pools", corpus)
    judge.post("undo", held_by(judge), token="undo-1")
    assert Assignment.objects.get(pk=finished.pk).reopened_at is not None
    leave(judge, finished)
    assert Assignment.objects.get(pk=finished.pk).reopened_at is None
    assert (stands("d001"), disputed()) == ((0, "agreed", 1), [])
    assert Qrel.objects.get(canonical_id="d001").text_sha256 == present


def test_two_who_judge_the_present_text_in_two_pools_differ() -> None:
    corpus = corpus_of(3)
    first, second = marek(corpus), another(corpus)
    for judge in (first, another(corpus, "defne")):
        finish_with(judge, {"d001": 3})
    drawn = finish_with(second, {"d001": 3})
    rewrite(corpus, "d001")
    send(corpus)
    judged_alone(first, "d001", 3)
    open_again(drawn)
    second.mark(drawn, "d001", 1)
    second.finish(drawn, "d001", "d002", "d003", nothing_because="none_answers")
    assert (stands("d001"), disputed()) == (None, ["d001"])
    told = {each.assessor_id: each.grade for each in opinions_on(Query.objects.get(), "d001")}
    assert told == {first.user.pk: 3, second.user.pk: 1}  # and nothing of the earlier text


def sent_alone(corpus: Corpus, name: str) -> None:
    document = corpus.documents.get(external_id=name)
    add_candidate(query=Query.objects.get(), document=document, origin="hard_negative", now=timezone.now())


def test_one_who_judges_what_was_sent_alone_overrules_nobody() -> None:
    corpus = corpus_of(2)
    first, second = marek(corpus), another(corpus)
    for judge in (first, second):
        finish_with(judge, {"d001": 3, "d003": 0})
    sent_alone(corpus, "d003")
    held = judged_alone(first, "d003", 3)
    assert (stands("d003"), disputed()) == (None, ["d003"])
    open_again(held)
    first.mark(held, "d003", "cant_tell")
    first.finish(held, "d003")
    assert (stands("d003"), disputed(), Query.objects.get().status) == ((0, "agreed", 1), [], "judged")


@pytest.mark.parametrize(
    ("others", "settles", "differ"), [([], (3, "agreed", 1), []), ([0], None, ["d003"])], ids=["one", "two"]
)
def test_what_was_judged_counts_when_its_document_comes_back(
    others: list[int], settles: tuple[int, str, int] | None, differ: list[str], tmp_path: Path
) -> None:
    corpus = corpus_of(1 + len(others))
    for grade in others:
        finish_with(another(corpus), {"d001": 2, "d003": grade})
    judge = marek(corpus)
    held = held_by(judge)
    judge.mark(held, "d001", 2)
    judge.mark(held, "d003", 3)
    holds(tmp_path, *(name for name in ALL if name != "d003"))
    assert "next" in judge.finish(held, "d001", "d002").json()
    assert (Query.objects.get().status, Query.objects.get().gold_canonical_id) == ("judged", "d001")
    holds(tmp_path, *ALL)
    assert (stands("d003"), disputed()) == (settles, differ)


def begun_again(corpus: Corpus, first: Judge, second: Judge, grade: int) -> tuple[Assignment, Assignment]:
    """The first judge gave d001 a 3 and marks it 1 where it was sent alone; the second one finished with `grade`."""
    finish_with(first, {"d001": 3})
    drawn = finish_with(second, {"d001": grade, "d002": 3})
    sent_alone(corpus, "d001")
    held = held_by(first)
    assert held.pool.kind == Pool.Kind.SENT
    first.mark(held, "d001", 1)
    return held, drawn


def finish_alike(judge: Judge, drawn: Assignment) -> None:
    """Open a finished query again and finish it with the same marks: it is settled anew."""
    open_again(drawn)
    assert "next" in judge.finish(drawn, "d001", "d002", "d003").json()


def voices() -> dict[str, int]:
    return {each.judgment.assessor.username: each.grade for each in opinions_on(Query.objects.get(), "d001")}


@pytest.mark.parametrize("leave", [skipped, ran_out])
def test_a_mark_begun_where_a_document_was_sent_and_left_leaves_what_was_said_before(leave: Leaving) -> None:
    corpus = corpus_of(2)
    first, second = marek(corpus), another(corpus)
    held, drawn = begun_again(corpus, first, second, 3)
    leave(first, held)
    assert voices() == {"marek": 3, "bora": 3}
    finish_alike(second, drawn)
    assert (stands("d001"), disputed()) == ((3, "agreed", 2), ["d002"])


def test_a_mark_that_is_only_begun_closes_no_dispute_and_finished_it_does() -> None:
    corpus = corpus_of(2)
    first, second = marek(corpus), another(corpus)
    held, drawn = begun_again(corpus, first, second, 1)
    finish_alike(second, drawn)
    assert disputed() == ["d001", "d002"]
    first.finish(held, "d001")
    assert (stands("d001"), disputed(), voices()) == ((1, "agreed", 2), ["d002"], {"marek": 1, "bora": 1})
    [said] = Judgment.with_begun.filter(document__external_id="d001", assessor=first.user)
    assert list(said.events.order_by("pk").values_list("grade", flat=True)) == [3, 1]


def test_a_begun_mark_that_is_taken_back_shows_the_one_before_and_finishes_as_that() -> None:
    corpus = corpus_of(2)
    first, second = marek(corpus), another(corpus)
    held, _ = begun_again(corpus, first, second, 3)
    page = f"/c/claims/judge/{held.pk}/"
    key = stage.candidate(held.pool, "d001").pk
    assert f'name="grade-{key}" value="1" checked' in first.client.get(page).content.decode()
    assert first.post("undo", held, token="undo-1").json()["words"] == "d001: 1 is taken back, 3 stands."
    assert f'name="grade-{key}" value="3" checked' in first.client.get(page).content.decode()
    first.finish(held, "d001")
    assert (stands("d001"), voices()) == ((3, "agreed", 2), {"marek": 3, "bora": 3})


def test_a_begun_mark_that_came_too_late_to_count_takes_no_voice_along() -> None:
    corpus = corpus_of(2)
    first, second = marek(corpus), another(corpus)
    held, _ = begun_again(corpus, first, second, 3)
    ran_out(first, held)
    judged_alone(Judge(User.objects.get(username="defne")), "d001", 3)  # who was given it then
    first.mark(held, "d001", 0)
    assert "next" in first.finish(held, "d001").json()
    assert Assignment.objects.get(pk=held.pk).surplus
    assert voices() == {"marek": 3, "bora": 3, "defne": 3}


def test_a_query_opened_again_and_left_counts_as_it_stands_beside_what_was_sent() -> None:
    corpus = corpus_of(1)
    judge = marek(corpus)
    drawn = finish_with(judge, {"d001": 3, "d002": 2})
    sent_alone(corpus, "d001")
    judged_alone(judge, "d001", 1)
    open_again(drawn)
    judge.mark(drawn, "d001", 2)
    assert voices() == {"marek": 1}
    judge.post("skip", drawn)
    assert (stands("d001"), voices()) == ((2, "agreed", 1), {"marek": 2})


@pytest.mark.parametrize("value", [0, "clear", "cant_tell"])
def test_a_begun_mark_that_leaves_no_answer_lets_nobody_leave_before_they_say_why(value: object) -> None:
    judge, drawn = opened_again_beside_what_was_sent()
    judge.mark(drawn, "d001", value)
    answer = judge.post("skip", drawn)
    assert (answer.status_code, stands("d001"), voices()) == (409, (2, "agreed", 1), {"marek": 2})
    assert "is marked relevant any more" in answer.json()["refused"]


def test_a_begun_mark_whose_lease_ran_out_settles_nothing() -> None:
    judge, drawn = opened_again_beside_what_was_sent()
    judge.mark(drawn, "d001", 0)
    ran_out(judge, drawn)
    assert (stands("d001"), voices()) == ((2, "agreed", 1), {"marek": 2})


def opened_again_beside_what_was_sent() -> tuple[Judge, Assignment]:
    """The only answer, 3 in the drawn pool, became 2 where it was sent alone; then the drawn query was opened again."""
    corpus = corpus_of(1)
    judge = marek(corpus)
    drawn = finish_with(judge, {"d001": 3})
    sent_alone(corpus, "d001")
    judged_alone(judge, "d001", 2)
    open_again(drawn)
    return judge, drawn
