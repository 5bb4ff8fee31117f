"""Each press of a key is saved once, in the order it was pressed."""

from __future__ import annotations

import shutil
import socket
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.conf import LazySettings
from django.utils import timezone

from curation.actions.retiring import retire_query
from curation.management import broker
from curation.models import Corpus, Document, Qrel, Query, Role
from judging.models import Assignment, Judgment, JudgmentEvent
from tests import factories
from tests.judging import stage
from tests.judging.stage import Judge

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("module_rows")]

NOON = datetime(2026, 7, 14, 12, tzinfo=UTC)


def stage_rows() -> None:
    stage.a_judged_corpus(queries=2)


@pytest.fixture
def corpus() -> Corpus:
    return Corpus.objects.get()


def history(external_id: str) -> list[int | None]:
    events = JudgmentEvent.objects.filter(judgment__document__external_id=external_id)
    return list(events.order_by("number", "pk").values_list("grade", flat=True))


def stands(external_id: str) -> tuple[str, int | None]:
    judgment = Judgment.objects.get(document__external_id=external_id)
    return judgment.state, judgment.grade


def test_a_mark_is_saved_with_who_when_and_the_text_that_was_seen(judge: Judge, held: Assignment) -> None:
    answer = judge.mark(held, "d002", 3, number=1, seconds=7)
    key = stage.candidate(held.pool, "d002").pk
    assert answer.json() == {
        "candidate": key,
        "value": "3",
        "number": 1,
        "note": "",
        "for_twins": False,
        "stands": True,
        "when": "",
        "words": "",
    }
    judgment = Judgment.objects.get()
    text = judgment.document.texts.get()
    assert (judgment.assessor, judgment.state, judgment.grade) == (judge.user, "graded", 3)
    assert (judgment.canonical_id, judgment.text_sha256, judgment.seconds_active) == ("d002", text.sha256, 7)
    held.refresh_from_db()
    assert held.seconds_active == 7


def test_c19_a_mark_keeps_the_fingerprint_of_the_text_on_screen(judge: Judge, held: Assignment) -> None:
    document = stage.candidate(held.pool, "d002").document
    shown = document.texts.get()
    stage.a_text(document, "Another text that came meanwhile.")
    judge.mark(held, "d002", 1, text=shown.sha256[:16])
    assert Judgment.objects.get().text_sha256 == shown.sha256


@pytest.mark.parametrize(
    ("value", "state", "grade"), [("0", "graded", 0), ("cant_tell", "cant_tell", None), ("clear", "cleared", None)]
)
def test_each_key_has_its_state(judge: Judge, held: Assignment, value: str, state: str, grade: int | None) -> None:
    judge.mark(held, "d001", value)
    assert stands("d001") == (state, grade)


def test_c64_the_same_press_sent_again_gets_the_same_answer(judge: Judge, held: Assignment) -> None:
    answers = [judge.mark(held, "d001", 2, token="one-time-1", number=1).json() for _ in range(5)]
    assert answers == [answers[0]] * 5
    assert (Judgment.objects.count(), JudgmentEvent.objects.count()) == (1, 1)


def test_c65_numbers_decide_and_not_arrival(judge: Judge, held: Assignment) -> None:
    judge.mark(held, "d001", 3, number=2)
    judge.mark(held, "d001", 3, number=3, note="abc")
    judge.mark(held, "d001", 3, number=4, note="abcdef")
    late = judge.mark(held, "d001", 1, number=1).json()
    assert (late["stands"], late["value"], late["number"]) == (False, "3", 4)
    judgment = Judgment.objects.get()
    assert (judgment.grade, judgment.note) == (3, "abcdef")
    assert list(dict.fromkeys(history("d001"))) == [1, 3]


def test_note_without_a_grade_is_kept(judge: Judge, held: Assignment) -> None:
    judge.mark(held, "d001", "clear", note="  <b>odd</b>\n")
    assert Judgment.objects.get().note == "  <b>odd</b>\n"


def test_undo_takes_back_the_last_mark_and_then_the_one_before(judge: Judge, held: Assignment) -> None:
    judge.mark(held, "d001", 1)
    judge.mark(held, "d002", 2)
    judge.mark(held, "d001", 3)
    answer = judge.post("undo", held, token="u1")
    told = answer.json()
    assert (told["next"], told["words"]) == (f"/c/claims/judge/{held.pk}/", "d001: 3 is taken back, 1 stands.")
    assert told["candidate"] == stage.candidate(held.pool, "d001").pk
    assert stands("d001") == ("graded", 1)
    assert judge.post("undo", held, token="u1").json()["words"] == ""  # the same press again
    assert stands("d002") == ("graded", 2)
    judge.post("undo", held, token="u2")
    assert stands("d002") == ("cleared", None)
    assert judge.post("undo", held, token="u3").json()["words"] == "d001: 1 is taken back, no mark stands."
    assert stands("d001") == ("cleared", None)
    assert JudgmentEvent.objects.count() == 6
    assert judge.post("undo", held, token="u4").json()["words"] == "There is nothing to take back."


def test_an_undo_by_the_page_counts_as_one_for_the_server(judge: Judge, held: Assignment) -> None:
    judge.mark(held, "d001", 1, token="first")
    judge.mark(held, "d001", 2, token="second")
    judge.mark(held, "d001", 1, token="back", undoes="second")
    judge.post("undo", held, token="u1")
    assert stands("d001") == ("cleared", None)


@pytest.mark.parametrize("number", [2, 5], ids=["late", "newest"])
def test_a_mark_that_another_window_took_back_is_taken_back_once(judge: Judge, held: Assignment, number: int) -> None:
    judge.mark(held, "d001", 3, number=1, token="T1")
    judge.post("undo", held, token="u1")
    judge.mark(held, "d002", 1)
    again = judge.mark(held, "d001", "clear", number=number, token="back", undoes="T1")
    assert (again.status_code, again.json()["stands"], again.json()["value"]) == (200, False, "")
    assert judge.post("undo", held, token="u2").json()["words"] == "d002: 1 is taken back, no mark stands."


def test_undo_on_a_fresh_query_opens_the_finished_one_again(judge: Judge, held: Assignment) -> None:
    judge.mark(held, "d001", 3)
    judge.finish(held, "d001", "d002")
    assert judge.mark(held, "d001", 1).status_code == 409
    second = judge.next()
    assert second is not None
    assert judge.post("undo", second, token="u1").json()["next"] == f"/c/claims/judge/{held.pk}/"
    assert judge.next() == held
    assert judge.mark(held, "d001", 1).status_code == 200
    judge.finish(held, nothing_because="none_answers")
    assert judge.next() == second


def test_undo_after_a_skip_opens_the_skipped_query_and_then_what_was_marked_there(
    judge: Judge, held: Assignment
) -> None:
    judge.mark(held, "d001", 3)
    judge.finish(held, "d001")
    skipped = judge.next()
    assert skipped is not None
    judge.mark(skipped, "d002", 2)
    stage.in_stratum(held.pool.query.stratum, 1)
    stage.call("draw_pools", held.pool.query.corpus)
    judge.post("skip", skipped)
    third = judge.next()
    assert third is not None
    told = judge.post("undo", third, token="u1").json()
    assert told["next"] == f"/c/claims/judge/{skipped.pk}/"
    assert told["words"] == f"Query {skipped.pool.query.external_id}, which you skipped, is open again."
    skipped.refresh_from_db()
    assert (skipped.skipped_at, skipped.place) == (None, 1)
    assert judge.post("undo", skipped, token="u2").json()["words"] == "d002: 2 is taken back, no mark stands."
    told = judge.post("undo", skipped, token="u3").json()
    assert told["words"] == f"Query {held.pool.query.external_id}, which you finished, is open again."


def test_undo_passes_over_a_skipped_query_that_someone_else_took(
    judge: Judge, held: Assignment, corpus: Corpus
) -> None:
    judge.post("skip", held)
    second = judge.next()
    assert second is not None
    other = Judge(factories.member(corpus, factories.person("bora"), Role.ADJUSTER))
    assert other.next() is not None
    assert judge.post("undo", second, token="u1").json()["words"] == "There is nothing to take back."


def test_marks_of_a_finished_or_withdrawn_query_are_refused_in_words(judge: Judge, held: Assignment) -> None:
    Query.objects.update(status="retired", retired_reason="it asks two things")
    answer = judge.mark(held, "d001", 2)
    assert answer.status_code == 409
    told = "was withdrawn: it asks two things."
    assert answer.json()["refused"].endswith(f"{told} Finish leads to the next query.")
    finished = judge.finish(held)
    assert (finished.status_code, finished.json()["next"]) == (200, "/c/claims/judge/")
    assert told in judge.client.get(finished.json()["next"]).content.decode()
    without_script = judge.client.post(f"/c/claims/judge/{held.pk}/finish", {}, follow=True)
    assert told in without_script.content.decode()
    assert "Finish leads" not in without_script.content.decode()


def test_a_refused_mark_says_who_withdrew_the_query_and_when(judge: Judge, held: Assignment) -> None:
    lena = factories.lena(held.pool.query.corpus)
    retire_query(query=held.pool.query, reason="It asks two things.", by=lena, now=NOON)
    told = f"Query {held.pool.query.external_id} was withdrawn"
    with time_machine.travel(NOON + timedelta(hours=1)):
        said = judge.mark(held, "d001", 2).json()["refused"]
        assert said.startswith(f"{told} at 12:00 by Lena: It asks two things. ")
    assert judge.mark(held, "d001", 2).json()["refused"].startswith(f"{told} on 14 Jul 2026 at 12:00 by Lena")
    opened = judge.client.get(f"/c/claims/judge/{held.pk}/", follow=True).content.decode()
    assert f"{told} on 14 Jul 2026 at 12:00 by Lena" in opened


def test_a_mark_on_what_one_finished_says_when_that_was(judge: Judge, held: Assignment) -> None:
    judge.finish(held, nothing_because="none_answers")
    Assignment.objects.filter(pk=held.pk).update(finished_at=NOON)
    said = judge.mark(held, "d001", 2).json()["refused"]
    assert said == "You finished this query on 14 Jul 2026 at 12:00. Undo on the next one opens it again."


def test_an_assignment_of_a_number_larger_than_any_key_is_nobodys(judge: Judge) -> None:
    none = f"/c/claims/judge/{2**63}/"
    fields = {"candidate": str(2**63), "value": "2", "token": "t", "number": "1"}
    assert judge.client.get(none).status_code == 404
    for what in ("mark", "mismatch", "undo", "skip", "finish"):
        assert judge.client.post(f"{none}{what}", fields).status_code in {400, 404}, what


def test_c67_a_page_of_someone_else_saves_nothing_under_the_new_name(judge: Judge, held: Assignment) -> None:
    answer = judge.mark(held, "d001", 2, assessor=judge.user.pk + 1)
    assert answer.status_code == 409
    assert answer.json()["refused"] == "You are signed in as Marek here now. Nothing was saved under that name."
    assert Judgment.objects.count() == 0


@pytest.mark.parametrize("what", ["finish", "skip", "undo", "mismatch"])
def test_c67_no_key_on_the_page_of_someone_else_does_anything(judge: Judge, held: Assignment, what: str) -> None:
    judge.mark(held, "d001", 3)
    answer = judge.post(what, held, assessor=judge.user.pk + 1, token="t")
    assert (answer.status_code, answer.json()["someone_else"]) == (409, True)
    held.refresh_from_db()
    assert (held.finished_at, held.skipped_at, JudgmentEvent.objects.count()) == (None, None, 1)


@pytest.mark.parametrize(
    "broken",
    [
        {"value": "4"},
        {"value": ""},
        {"token": ""},
        {"token": "x" * 65},
        {"number": "0"},
        {"number": "x"},
        {"text": "zz"},
    ],
)
def test_unreadable_marks_are_refused(judge: Judge, held: Assignment, broken: dict[str, Any]) -> None:
    given = {"value": "1", **broken}
    assert judge.mark(held, "d001", given.pop("value"), **given).status_code == 400
    assert Judgment.objects.count() == 0


def test_a_candidate_of_another_pool_is_not_there(judge: Judge, held: Assignment, corpus: Corpus) -> None:
    other = corpus.queries.exclude(pk=held.pool.query_id).get().pools.get().candidates.first()
    assert other is not None
    assert judge.post("mark", held, candidate=other.pk, value="1", token="t").status_code == 404


def test_a_token_names_one_press_only(judge: Judge, held: Assignment, corpus: Corpus) -> None:
    judge.mark(held, "d001", 2, token="t")
    assert judge.mark(held, "d002", 3, token="t").status_code == 409
    other = Judge(factories.member(corpus, factories.person("bora"), Role.ADJUSTER))
    theirs = other.next()
    assert theirs is not None
    assert other.mark(theirs, "d001", 3, token="t").status_code == 409
    assert Judgment.objects.count() == 1


def test_an_undo_with_the_token_of_anothers_mark_is_refused(judge: Judge, held: Assignment, corpus: Corpus) -> None:
    judge.mark(held, "d001", 2, token="t")
    other = Judge(factories.member(corpus, factories.person("bora"), Role.ADJUSTER))
    theirs = other.next()
    assert theirs is not None
    other.mark(theirs, "d002", 3)
    assert other.post("undo", theirs, token="t").status_code == 409


def test_undo_counts_on_from_the_highest_number_that_a_page_may_give(judge: Judge, held: Assignment) -> None:
    judge.mark(held, "d001", 3, number=2**30)
    assert judge.mark(held, "d001", 2, number=2**31 - 1).status_code == 400
    assert judge.post("undo", held, token="u").status_code == 200
    assert Judgment.objects.get().state == "cleared"


def test_undo_passes_over_the_marks_of_a_document_that_is_gone(judge: Judge, held: Assignment, corpus: Corpus) -> None:
    judge.mark(held, "d001", 3)
    judge.mark(held, "d002", 2)
    corpus.documents.filter(external_id="d002").update(gone_at=timezone.now())
    assert judge.post("undo", held, token="u").status_code == 200
    states = dict(Judgment.objects.values_list("document__external_id", "state"))
    assert states == {"d001": "cleared", "d002": "graded"}


def test_a_page_posted_again_without_script_says_what_it_says_now(judge: Judge, held: Assignment) -> None:
    key = stage.candidate(held.pool, "d001").pk
    for grade in ("3", "1", "1", "3"):
        page = {"token": "of-the-page", f"grade-{key}": grade}
        judge.client.post(f"/c/claims/judge/{held.pk}/finish", page)
        assert Judgment.objects.get().grade == int(grade)
    assert JudgmentEvent.objects.count() == 3


def test_a_page_without_script_that_nobody_here_made_is_no_error(judge: Judge, held: Assignment) -> None:
    key = stage.candidate(held.pool, "d001").pk
    page = {"token": "\0", f"grade-{key}": "3", f"text-{key}": "\0", "grade-x": "3", f"grade-{'9' * 30}": "3"}
    assert judge.client.post(f"/c/claims/judge/{held.pk}/finish", page).status_code == 200
    assert Judgment.objects.get().grade == 3


def test_a_form_without_script_comes_back_to_the_page(judge: Judge, held: Assignment) -> None:
    given = {"candidate": stage.candidate(held.pool, "d001").pk, "value": "2", "token": "t"}
    response = judge.client.post(f"/c/claims/judge/{held.pk}/mark", given)
    assert (response.status_code, response["Location"]) == (302, f"/c/claims/judge/{held.pk}/")


@pytest.fixture
def frozen(settings: LazySettings) -> Iterator[socket.socket]:
    """A broker that takes connections and never says a word."""
    folder = Path(tempfile.mkdtemp(prefix="hs-"))  # pytest's own folders are too deep for a socket
    with socket.socket(socket.AF_UNIX) as silent:
        silent.bind(str(folder / "b.sock"))
        silent.listen()
        silent.settimeout(0)
        settings.CELERY_BROKER_URL = f"redis+socket://{folder}/b.sock"
        yield silent
    shutil.rmtree(folder)


def judged_by(judge: Judge, held: Assignment) -> None:
    assert judge.mark(held, "d001", 3).status_code == 200
    assert judge.post("undo", held, token="u").status_code == 200
    assert judge.mark(held, "d001", 3).status_code == 200
    assert judge.finish(held, "d001").status_code == 200
    assert judge.next() is not None


def test_a_document_that_is_gone_takes_no_mark_and_is_not_swept(judge: Judge, held: Assignment) -> None:
    judge.mark(held, "d001", 3)
    Document.objects.filter(external_id__in=["d001", "d002"]).update(gone_at=NOON)
    refused = judge.mark(held, "d002", 2)
    assert refused.status_code == 409
    assert refused.json()["refused"].startswith("Document d002 left the corpus on 14 Jul 2026 at 12:00, so it")
    judge.finish(held, "d001", "d002", "d003", nothing_because="none_answers")
    kept = Judgment.objects.filter(document__external_id__in=["d001", "d002"])
    assert [(each.document.external_id, each.grade) for each in kept] == [("d001", 3)]
    settled = Qrel.objects.filter(canonical_id__in=["d001", "d002"])
    assert list(settled.values_list("canonical_id", "grade")) == [("d001", 3)]  # it may come back


def test_a_pool_whose_documents_are_all_gone_is_finished_without_a_question(judge: Judge, held: Assignment) -> None:
    Document.objects.update(gone_at=timezone.now())
    asked = judge.client.post(f"/c/claims/judge/{held.pk}/finish").content.decode()
    assert "Every document is gone from the corpus" in asked
    assert "Why?" not in asked
    assert "next" in judge.finish(held).json()
    held.refresh_from_db()
    assert (held.finished_at is None, held.nothing_because) == (False, "")
    assert not Judgment.objects.exists()


def test_c40_judging_asks_nothing_of_a_frozen_broker(judge: Judge, held: Assignment, frozen: socket.socket) -> None:
    judged_by(judge, held)
    with pytest.raises(BlockingIOError):  # nobody has so much as connected
        frozen.accept()


def test_c40_a_frozen_broker_is_noticed_by_what_does_ask_it(settings: LazySettings, frozen: socket.socket) -> None:
    assert not broker.answers(Path(settings.CELERY_BROKER_URL.removeprefix("redis+socket://")))
    frozen.accept()[0].close()


def test_c40_judging_goes_on_without_a_broker(judge: Judge, held: Assignment, settings: LazySettings) -> None:
    assert not Path(settings.CELERY_BROKER_URL.removeprefix("redis+socket://")).exists()
    judged_by(judge, held)
