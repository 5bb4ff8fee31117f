"""A text changes after it was judged: leads send the answer to judges, who read what changed and grade anew."""

from __future__ import annotations

import json
import re
from importlib import import_module
from io import StringIO
from typing import Any

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django.fixtures import DjangoAssertNumQueries

from curation.models import CannotTell, Corpus, OpenDispute, Qrel, Query
from judging.models import Assignment, Candidate, Judgment, Pool
from tests import factories
from tests.judging import stage
from tests.judging.judges import another, corpus_of, finish_with, held_by, marek
from tests.judging.stage import Judge

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("module_rows")]

PAGE = "/c/claims/judge-again/"
LIST_QUERIES = 10  # of the lead's list, whatever it lists
NEW = "Title of d001\nText of d001 without hail."


def stage_rows() -> None:
    """Marek graded d001 (2) and d002 (1) and left d003 unmarked; then d001 changed."""
    corpus = corpus_of(1)
    finish_with(marek(corpus), {"d001": 2, "d002": 1})
    rewrite(corpus, "d001")


@pytest.fixture
def corpus() -> Corpus:
    return Corpus.objects.get(slug="claims")


def rewrite(corpus: Corpus, name: str, text: str = "") -> str:
    """Give a document another text; its fingerprint."""
    document = corpus.documents.get(external_id=name)
    return stage.a_text(document, text or f"Text of {name} without hail.", title=f"Title of {name}").sha256


def send(corpus: Corpus) -> None:
    call_command("judge_again", corpus.slug, "--send", verbosity=0, stdout=StringIO())


def told(corpus: Corpus) -> list[dict[str, Any]]:
    out = StringIO()
    call_command("judge_again", corpus.slug, "--json", stdout=out)
    answers: list[dict[str, Any]] = json.loads(out.getvalue())
    return answers


def marek_again(corpus: Corpus) -> Judge:
    """Marek, some presses later."""
    judge = marek(corpus)
    judge.presses = 50
    return judge


def page_of(judge: Judge, held: Assignment) -> str:
    page: str = judge.client.get(f"/c/claims/judge/{held.pk}/").content.decode()
    return page


def row_of(page: str, name: str) -> str:
    (row,) = [each for each in re.findall(r"<article.*?</article>", page, re.DOTALL) if f">{name}<" in each]
    assert isinstance(row, str)
    return row


def settled(name: str) -> Qrel:
    return Qrel.objects.get(canonical_id=name)


def test_the_lead_lists_the_answer_that_changed_and_sends_it(corpus: Corpus) -> None:
    client = stage.signed_in(factories.lena(corpus))
    page = client.get(PAGE).content.decode()
    assert "1 answer of 1 query was graded on an earlier text; 0 of them wait" in page
    assert ">d001<" in page
    assert ">d002<" not in page
    page = client.post(f"{PAGE}send", {"all": "1"}, follow=True).content.decode()
    assert "1 answer waits to be judged again." in page
    assert "waits for a judge" in page
    candidate = Candidate.objects.get(pool__kind=Pool.Kind.SENT)
    assert (candidate.document.external_id, candidate.origins) == ("d001", {"text_changed": None})
    assert settled("d001").grade == 2


def test_only_what_is_ticked_is_sent_and_nothing_ticked_sends_nothing(corpus: Corpus) -> None:
    rewrite(corpus, "d002")
    client = stage.signed_in(factories.lena(corpus))
    assert "Nothing is ticked" in client.post(f"{PAGE}send", follow=True).content.decode()
    assert not Pool.objects.filter(kind=Pool.Kind.SENT).exists()
    for _ in range(2):
        client.post(f"{PAGE}send", {"answer": [settled("d002").pk, "x"]})
    assert [each["document_id"] for each in told(corpus) if each["sent"]] == ["d002"]
    assert [each["document_id"] for each in told(corpus)] == ["d001", "d002"]


def test_an_answer_of_a_query_that_waits_for_a_decision_is_sent_too(corpus: Corpus) -> None:
    query = Query.objects.get()
    Query.objects.update(status="ready")
    OpenDispute.objects.create(query=query, canonical_id="d002", opened_at=timezone.now())
    page = stage.signed_in(factories.lena(corpus)).post(f"{PAGE}send", {"all": "1"}, follow=True).content.decode()
    assert "not drawn yet" not in page
    assert "1 answer waits to be judged again." in page
    grade_what_was_sent(another(corpus))
    assert (settled("d001").grade, Query.objects.get().status) == (3, "ready")


def test_a_query_whose_dispute_ends_with_what_was_sent_turns_judged(corpus: Corpus) -> None:
    query = Query.objects.get()
    Query.objects.update(status="ready")
    OpenDispute.objects.create(query=query, canonical_id="d001", opened_at=timezone.now())
    send(corpus)
    grade_what_was_sent(another(corpus))
    assert (settled("d001").grade, Query.objects.get().status) == (3, "judged")


def grade_what_was_sent(judge: Judge) -> None:
    held = held_by(judge)
    judge.mark(held, "d001", 3)
    assert "next" in judge.finish(held, "d001").json()


def test_the_list_asks_a_bounded_number_of_database_queries(
    corpus: Corpus, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    client = stage.signed_in(factories.lena(corpus))
    rewrite(corpus, "d002")
    rewrite(corpus, "d003")
    with django_assert_max_num_queries(LIST_QUERIES):
        client.get(PAGE)


def test_the_menu_counts_the_answers_that_nobody_sent(corpus: Corpus) -> None:
    lena = factories.lena(corpus)
    assert beside_text_changed(stage.signed_in(lena)) == "1"
    rewrite(corpus, "d002")
    assert beside_text_changed(stage.signed_in(lena)) == "2"
    send(corpus)
    assert beside_text_changed(stage.signed_in(lena)) == ""


def beside_text_changed(client: Client) -> str:
    """What stands beside the entry in the menu."""
    page = client.get("/c/claims/").content.decode()
    found = re.search(r'href="/c/claims/judge-again/"[^>]*>(.*?)</a>', page, re.DOTALL)
    assert found is not None
    return re.sub(r"<.*?>|Text changed|\s", "", found[1])


def test_answers_of_withdrawn_queries_are_not_listed(corpus: Corpus) -> None:
    Query.objects.update(status="retired", retired_reason="Asked twice.")
    assert told(corpus) == []
    assert (
        "Every settled grade was given to the present text"
        in stage.signed_in(factories.lena(corpus)).get(PAGE).content.decode()
    )


def test_a_judge_reads_both_texts_and_starts_without_a_mark(corpus: Corpus) -> None:
    send(corpus)
    judge = marek_again(corpus)
    page = page_of(judge, held_by(judge))
    assert "Judge again: the text of one document changed since it was graded" in page
    row = row_of(page, "d001")
    assert "You graded it 2 on the earlier text." in row
    assert " checked" not in row
    assert "…" not in row.split("Earlier text</h4>")[1]  # nothing but the title goes before what changed
    earlier, now = row.split("Earlier text</h4>")[1].split("Text now</h4>")
    assert "<mark>" not in earlier
    assert "Text of d001 <mark>without hail</mark>." in now


def test_nobody_reads_what_another_judge_said_of_the_earlier_text(corpus: Corpus) -> None:
    send(corpus)
    judge = another(corpus)
    row = row_of(page_of(judge, held_by(judge)), "d001")
    assert "Earlier text" in row
    assert "graded it" not in row
    assert " checked" not in row


@pytest.mark.parametrize("who", [marek_again, another])
def test_judged_again_the_grade_is_one_of_the_present_text(corpus: Corpus, who: Any) -> None:
    present = rewrite(corpus, "d001", "Nothing of the kind.")
    send(corpus)
    judge = who(corpus)
    held = held_by(judge)
    judge.mark(held, "d001", 3)
    assert "next" in judge.finish(held, "d001").json()
    assert (settled("d001").grade, settled("d001").text_sha256) == (3, present)
    assert told(corpus) == []


def test_the_same_grade_confirmed_is_stale_no_more(corpus: Corpus) -> None:
    send(corpus)
    judge = marek_again(corpus)
    held = held_by(judge)
    judge.mark(held, "d001", 2)
    judge.finish(held, "d001")
    assert settled("d001").grade == 2
    assert told(corpus) == []


def test_what_is_seen_and_left_unmarked_is_not_relevant_on_the_present_text(corpus: Corpus) -> None:
    present = rewrite(corpus, "d001", "Nothing of the kind.")
    send(corpus)
    judge = marek_again(corpus)
    judge.finish(held_by(judge), "d001", nothing_because="none_answers")
    assert (settled("d001").grade, settled("d001").swept, settled("d001").text_sha256) == (0, True, present)


def test_my_work_counts_the_marks_on_what_was_sent_and_none_on_the_earlier_text(corpus: Corpus) -> None:
    send(corpus)
    judge = marek_again(corpus)
    held = held_by(judge)
    assert "nothing marked yet" in judge.client.get("/c/claims/").content.decode()
    for grade in (3, 1):
        judge.mark(held, "d001", grade)
    assert "1 mark kept" in judge.client.get("/c/claims/").content.decode()


def test_what_was_sent_alone_has_no_budget_and_tells_nothing_of_the_time_a_query_takes(corpus: Corpus) -> None:
    Assignment.objects.update(seconds_active=100)
    send(corpus)
    judge = marek_again(corpus)
    held = held_by(judge)
    assert "of 1:48" not in page_of(judge, held)
    judge.mark(held, "d001", 3, seconds=10)
    judge.finish(held, "d001")
    stage.in_stratum(corpus.strata.get(), 1)
    stage.call("draw_pools", corpus)
    page = page_of(judge, held_by(judge))
    assert "Your median 1:40" in page
    assert "of 1:48" in page
    assert "1 query judged" in (home := words_of(judge))
    assert "Median 1:40 each" in home


def test_my_work_tells_whose_grades_are_to_be_looked_at_again(corpus: Corpus) -> None:
    other = another(corpus)
    assert "Look again" not in words_of(marek(corpus))
    send(corpus)
    assert "Look again at 1 of your grades" in words_of(marek(corpus))
    assert "Look again" not in words_of(other)
    grade_what_was_sent(other)
    assert "Look again" not in words_of(marek(corpus))


def words_of(judge: Judge) -> str:
    """My work without tags."""
    return " ".join(re.sub(r"<.*?>", " ", judge.client.get("/c/claims/").content.decode()).split())


def test_nobody_is_asked_why_a_document_sent_alone_is_not_relevant(corpus: Corpus) -> None:
    send(corpus)
    judge = another(corpus)
    held = held_by(judge)
    assert "data-asks" not in page_of(judge, held)
    asked = judge.client.post(f"/c/claims/judge/{held.pk}/finish").content.decode()
    assert "What of the other 1?" in asked
    assert "Why?" not in asked
    assert "next" in judge.finish(held, "d001").json()
    assert (settled("d001").grade, settled("d001").swept) == (0, True)
    assert told(corpus) == []


def doubt(judge: Judge) -> Assignment:
    """Say of the document that was sent alone that nothing can be told."""
    held = held_by(judge)
    judge.mark(held, "d001", "cant_tell")
    assert "next" in judge.finish(held, "d001").json()
    return held


def test_a_document_sent_alone_of_which_nothing_can_be_told_goes_to_someone_else(corpus: Corpus) -> None:
    send(corpus)
    judge = another(corpus)
    held = doubt(judge)
    assert judge.next() is None
    assert (settled("d001").grade, [each["sent"] for each in told(corpus)]) == (2, [True])
    other = marek_again(corpus)
    assert held_by(other).pool_id == held.pool_id
    grade_what_was_sent(other)
    assert (settled("d001").grade, told(corpus)) == (3, [])


def test_what_was_closed_though_nothing_could_be_told_is_offered_again(corpus: Corpus) -> None:
    send(corpus)
    held = doubt(another(corpus))
    Assignment.objects.filter(pk=held.pk).update(nothing_because="", place=1)
    Pool.objects.filter(pk=held.pool_id).update(closed_at=timezone.now())
    judge = marek_again(corpus)
    assert judge.next() is None
    import_module("judging.migrations.0015_sent_undecided").offer_again(apps, None)
    assert held_by(judge).pool_id == held.pool_id


@pytest.mark.parametrize("source", ["agreed", "adjudicated"])
def test_what_cannot_be_told_beside_a_grade_waits_for_no_judge(corpus: Corpus, source: str) -> None:
    Qrel.objects.update(source=source, decided_by=factories.lena(corpus) if source == "adjudicated" else None)
    rewrite(corpus, "d002")
    send(corpus)
    judge = another(corpus)
    held = held_by(judge)
    judge.mark(held, "d001", "cant_tell")
    judge.mark(held, "d002", 1)
    assert "next" in judge.finish(held, "d001", "d002").json()
    assert [each["sent"] for each in told(corpus)] == ([] if source == "agreed" else [False])
    assert CannotTell.objects.filter(canonical_id="d001").exists()
    assert Query.objects.get().status == "judged"


@pytest.mark.parametrize("who", [marek_again, another])
def test_a_row_that_was_not_on_screen_keeps_its_grade_and_stays_listed(corpus: Corpus, who: Any) -> None:
    send(corpus)
    judge = who(corpus)
    judge.finish(held_by(judge), nothing_because="none_answers")
    assert settled("d001").grade == 2
    assert [(each["document_id"], each["sent"]) for each in told(corpus)] == [("d001", False)]
    assert Judgment.objects.get(document__external_id="d001", assessor__username="marek").grade == 2


def test_undo_takes_back_the_new_mark_and_not_into_the_earlier_text(corpus: Corpus) -> None:
    send(corpus)
    judge = marek_again(corpus)
    held = held_by(judge)
    judge.mark(held, "d001", 3)
    assert "Earlier text" in (row := row_of(page_of(judge, held), "d001"))
    assert 'value="3" checked' in row
    judge.post("undo", held, token="undo-1")
    row = row_of(page_of(judge, held), "d001")
    assert " checked" not in row
    assert "Earlier text" in row
    assert settled("d001").grade == 2


def test_a_mark_posted_without_script_is_saved_though_it_is_the_grade_of_before(corpus: Corpus) -> None:
    send(corpus)
    judge = marek_again(corpus)
    held = held_by(judge)
    key = stage.candidate(held.pool, "d001").pk
    form = {"token": "page-1", f"grade-{key}": "2"}
    judge.client.post(f"/c/claims/judge/{held.pk}/finish", form)
    judge.client.post(f"/c/claims/judge/{held.pk}/finish", {"read": "whole", "seen": f"{key}:"})
    assert told(corpus) == []
    assert settled("d001").grade == 2


def test_what_a_lead_decided_on_an_earlier_text_gives_way_to_a_new_opinion(corpus: Corpus) -> None:
    lena = factories.lena(corpus)
    Qrel.objects.filter(canonical_id__in=["d001", "d002"]).update(source="adjudicated", decided_by=lena)
    send(corpus)
    judge = marek_again(corpus)
    held = held_by(judge)
    judge.mark(held, "d001", 1)
    judge.finish(held, "d001", nothing_because="none_answers")
    assert (settled("d001").grade, settled("d001").source) == (1, "agreed")
    assert settled("d002").source == "adjudicated"
    assert told(corpus) == []


def test_a_page_asks_the_same_of_the_database_however_many_texts_changed(corpus: Corpus) -> None:
    send(corpus)
    judge = marek_again(corpus)
    held = held_by(judge)
    one = queries_for(judge, held)
    for name in ("d002", "d003"):
        rewrite(corpus, name)
    send(corpus)
    assert queries_for(judge, held) == one
    assert page_of(judge, held).count("Earlier text</h4>") == 3


def queries_for(judge: Judge, held: Assignment) -> int:
    """How many statements the page takes, once what the query finds in its candidates is kept."""
    page_of(judge, held)
    with CaptureQueriesContext(connection) as asked:
        page_of(judge, held)
    return len(asked)
