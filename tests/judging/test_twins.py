"""Text twins on the judging page: side by side, one grade for both where the judge says so, listed for leads."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from curation.actions.qrels import settle_golds_again
from curation.models import Corpus, OpenDispute, Qrel, Query, Stratum
from judging.actions.adjudicating import Decision, adjudicate, take_back
from judging.models import Assignment, Judgment, JudgmentEvent
from tests import factories
from tests.bringing import bring, run, written
from tests.judging import stage
from tests.judging.judges import another, held_by
from tests.judging.stage import Judge

pytestmark = pytest.mark.django_db

TEXTS = {"d1": "same", "d2": "other", "d3": "third", "d4": "same", "d5": "fourth"}
FAR = "d9"
"""A twin of d1 that no pool holds."""


@pytest.fixture
def corpus() -> Corpus:
    return twinned()


def twinned(*, opinions: int = 1, queries: int = 1) -> Corpus:
    """As many queries, each with a pool of d1 to d5, of which d1 and d4 are twins, and a third one that is not in the pool."""
    corpus = factories.a_corpus()
    for name, text in TEXTS.items():
        stage.a_document(corpus, name, text)
    stage.a_space(corpus, {name: float(place) for place, name in enumerate(TEXTS)})
    stratum = factories.a_stratum(corpus)
    Stratum.objects.update(opinions=opinions)
    stage.in_stratum(stratum, queries)
    stage.call("draw_pools", corpus)
    stage.a_document(corpus, FAR, "same ")
    return corpus


def page_of(judge: Judge, held: Assignment) -> str:
    text: str = judge.client.get(f"/c/claims/judge/{held.pk}/").content.decode()
    return text


def rows_of(page: str) -> list[str]:
    return re.findall(r"<small><bdi>(\w+)</bdi></small>", page)


def derived() -> dict[str, tuple[int, str]]:
    passed_on = Qrel.objects.filter(source="derived").exclude(twin_of="")
    return {qrel.canonical_id: (qrel.grade, qrel.twin_of) for qrel in passed_on}


def settled() -> dict[str, tuple[int, str]]:
    return {qrel.canonical_id: (qrel.grade, qrel.source) for qrel in Qrel.objects.all()}


def finished(judge: Judge, *marks: tuple[str, object, str]) -> Assignment:
    """Mark (document, value, whether for twins too: "1", "0" or "" for unsaid), having seen all, and finish."""
    held = held_by(judge)
    for name, value, twins in marks:
        judge.mark(held, name, value, **({"for_twins": twins} if twins else {}))
    assert "next" in judge.finish(held, *TEXTS).json()
    return held


def test_c20_one_judgment_is_applied_to_both_twins_and_contradicting_twins_are_listed(
    tmp_path: Path, cases: Path
) -> None:
    bring("import_corpus", "claims", cases / "c20-corpus.jsonl")
    bring("import_queries", "claims", written(tmp_path, "q.jsonl", {"id": "q1", "text": "soru", "locale": "tr"}))
    Corpus.objects.update(double_judged=0)
    corpus = Corpus.objects.get()
    stage.a_space(corpus, {"d1": 0.0, "d3": 1.0, "d2": 2.0, "d4": 3.0})
    stage.aims(Query.objects.get())
    stage.call("draw_pools", corpus)
    judge = another(corpus, "ayse")
    held = held_by(judge)
    page = page_of(judge, held)
    assert rows_of(page) == ["d1", "d2", "d3", "d4"]
    assert "same grade for its text twin <bdi>d2</bdi>" in page
    lines = (cases / "c20-judgments.tsv").read_text(encoding="utf-8").splitlines()
    for row in csv.DictReader(lines, delimiter="\t"):
        twins = {"for_twins": "1"} if row["corpus-id"] == "d1" else {}
        judge.mark(held, row["corpus-id"], row["score"], **twins)
    judge.finish(held, "d1", "d2", "d3", "d4")
    assert settled() == {"d1": (2, "agreed"), "d2": (2, "derived"), "d3": (2, "agreed"), "d4": (0, "agreed")}
    listed = stage.signed_in(factories.lena(corpus)).get("/c/claims/twins/").content.decode()
    differing, passed_on = listed.split("Grades taken from a twin</h2>")
    assert [re.findall(r">(d\d)</bdi>", part) for part in (differing, passed_on)] == [["d3", "d4"], ["d2", "d1"]]
    assert "contradict each other" in differing
    whole = run("export_qrels", "claims", "--format", "trec", "--fold-twins")[1]
    assert whole == "q1 agreed d1 2\nq1 agreed d3 2\n"
    assert [each["query_id"] for each in json.loads(run("twins", "claims", "--json")[1])] == ["q1"]


def test_a_twin_stands_next_to_its_twin_and_names_those_that_are_not_in_the_list(corpus: Corpus) -> None:
    judge = another(corpus)
    page = page_of(judge, held_by(judge))
    assert rows_of(page) == ["d1", "d4", "d2", "d3", "d5"]
    assert re.findall(r"text twin <bdi>(.*?)</bdi>", page) == ["d4, d9", "d1, d9"]
    assert "checkbox" in page
    assert "checked" not in page


def test_twins_cost_the_page_as_many_queries_however_many_there_are(corpus: Corpus) -> None:
    judge = another(corpus)
    held = held_by(judge)
    with CaptureQueriesContext(
        connection,
    ) as few:
        page_of(judge, held)
    for document in corpus.documents.all():
        stage.a_text(document, "all the same")
    page_of(judge, held)  # what the query finds in the new texts is stored now
    with CaptureQueriesContext(connection) as many:
        page_of(judge, held)
    assert len(few) == len(many)


def test_without_the_choice_a_twin_keeps_its_own_word(corpus: Corpus) -> None:
    finished(another(corpus), ("d1", 3, ""))
    assert derived() == {}
    assert settled()["d4"] == (0, "agreed")


def test_a_grade_meant_for_twins_goes_to_those_that_nobody_judged(corpus: Corpus) -> None:
    finished(another(corpus), ("d1", 3, "1"))
    assert derived() == {"d4": (3, "d1"), FAR: (3, "d1")}
    assert Judgment.objects.get(document__external_id="d4").state == "unseen"


def test_the_grade_of_a_twin_itself_wins(corpus: Corpus) -> None:
    finished(another(corpus), ("d1", 3, "1"), ("d4", 1, ""))
    assert settled()["d4"] == (1, "agreed")
    assert derived() == {FAR: (3, "d1")}


def test_who_could_not_tell_about_a_twin_is_not_overruled(corpus: Corpus) -> None:
    finished(another(corpus), ("d1", 3, "1"), ("d4", "cant_tell", ""))
    assert derived() == {FAR: (3, "d1")}


def test_twins_that_differ_pass_nothing_on(corpus: Corpus) -> None:
    finished(another(corpus), ("d1", 3, "1"), ("d4", 0, "1"))
    assert derived() == {}


def test_the_choice_stays_when_a_later_mark_does_not_speak_of_it(corpus: Corpus) -> None:
    finished(another(corpus), ("d1", 3, "1"), ("d1", 2, ""))
    assert derived() == {"d4": (2, "d1"), FAR: (2, "d1")}
    assert list(JudgmentEvent.objects.filter(judgment__document__external_id="d1").values_list("for_twins")) == [
        (True,),
        (True,),
    ]


def test_undo_takes_the_choice_back(corpus: Corpus) -> None:
    judge = another(corpus)
    held = held_by(judge)
    judge.mark(held, "d1", 3)
    assert judge.mark(held, "d1", 3, for_twins="1").json()["for_twins"] is True
    judge.post("undo", held, token="press-u")
    judgment = Judgment.objects.get()
    assert (judgment.grade, judgment.for_twins) == (3, False)


def test_finishing_again_without_the_choice_withdraws_what_was_passed_on(corpus: Corpus) -> None:
    judge = another(corpus)
    held = finished(judge, ("d1", 3, "1"))
    Qrel.objects.create(query=Query.objects.get(), canonical_id="d7", grade=0, source="derived")
    Assignment.objects.update(reopened_at=timezone.now())
    judge.mark(held, "d1", 3, for_twins="0")
    judge.finish(held, *TEXTS)
    assert derived() == {}
    assert settled()["d4"] == (0, "agreed")
    assert settled()["d7"] == (0, "derived")


def test_what_a_review_derived_is_left_alone(corpus: Corpus) -> None:
    Qrel.objects.create(query=Query.objects.get(), canonical_id=FAR, grade=0, source="derived")
    finished(another(corpus), ("d1", 3, "1"))
    assert settled()[FAR] == (0, "derived")
    assert derived() == {"d4": (3, "d1")}


def test_a_grade_in_dispute_is_passed_on_once_it_is_decided_and_taken_back_with_the_decision() -> None:
    corpus = twinned(opinions=2)
    lena = factories.lena(corpus)
    finished(another(corpus, "bora"), ("d1", 3, "1"))
    finished(another(corpus, "defne"), ("d1", 2, "1"))
    assert derived() == {}
    given: dict[str, Any] = {"corpus": corpus, "person": lena, "now": timezone.now()}
    made = adjudicate(
        **given, query_id=Query.objects.get().pk, canonical_id="d1", decision=Decision(2, "missed", "press-1")
    )
    assert derived() == {"d4": (2, "d1"), FAR: (2, "d1")}
    take_back(**given, adjudication_id=made.pk)
    assert derived() == {}


def test_c20_what_one_judge_means_for_a_twin_and_another_sweeps_waits_for_a_lead() -> None:
    corpus = twinned(opinions=2)
    lena = factories.lena(corpus)
    finished(another(corpus, "bora"), ("d1", 3, "1"))
    finished(another(corpus, "defne"), ("d1", 3, ""))
    query = Query.objects.get()
    assert query.status == "ready"
    assert settled() == {
        "d1": (3, "agreed"), "d2": (0, "agreed"), "d3": (0, "agreed"), "d5": (0, "agreed"), FAR: (3, "derived"),
    }  # fmt: skip
    page = stage.signed_in(lena).get("/c/claims/disagreements/", follow=True).content.decode()
    assert "Marked on its text twin <bdi>d1</bdi>" in page
    assert "Seen, left unmarked" in page
    (told,) = json.loads(run("disagreements", "claims", "--json")[1])["open"]
    said = sorted((each["grade"], each["swept"], each["twin_of"]) for each in told["opinions"])
    assert (told["canonical_id"], told["splits"], said) == ("d4", True, [(0, True, ""), (3, False, "d1")])
    assert re.search(r"d4 +Judge . .*3 on its twin d1", run("disagreements", "claims")[1])
    merged = map(json.loads, run("export_judgments", "claims", "--merged")[1].splitlines())
    (line,) = (each for each in merged if each["canonical_id"] == "d4")
    assert (line["grade"], line["how"]) == (None, "not settled: grades 0, 3 disagree, 3 by its text twin")
    given: dict[str, Any] = {"corpus": corpus, "person": lena, "now": timezone.now()}
    adjudicate(**given, query_id=query.pk, canonical_id="d4", decision=Decision(3, "missed", "press-1"))
    assert settled()["d4"] == (3, "adjudicated")
    assert Query.objects.get().status == "judged"


def test_what_one_judge_means_for_a_twin_and_another_grades_alike_is_agreed() -> None:
    corpus = twinned(opinions=2)
    finished(another(corpus, "bora"), ("d1", 3, "1"))
    finished(another(corpus, "defne"), ("d1", 3, ""), ("d4", 3, ""))
    assert settled()["d4"] == (3, "agreed")
    assert Qrel.objects.get(canonical_id="d4").opinions == 1
    assert not OpenDispute.objects.exists()


def test_a_choice_for_twins_taken_back_ends_the_disagreement_that_it_made() -> None:
    corpus = twinned(opinions=2)
    bora = another(corpus, "bora")
    held = finished(bora, ("d1", 3, "1"))
    finished(another(corpus, "defne"), ("d1", 3, ""))
    assert list(OpenDispute.objects.values_list("canonical_id", flat=True)) == ["d4"]
    Assignment.objects.filter(pk=held.pk).update(reopened_at=timezone.now())
    bora.mark(held, "d1", 3, for_twins="0")
    bora.finish(held, *TEXTS)
    assert not OpenDispute.objects.exists()
    assert (settled()["d4"], Query.objects.get().status) == ((0, "agreed"), "judged")


@pytest.mark.parametrize(("score", "is_open"), [(2, True), (3, False)])
def test_an_imported_grade_and_one_meant_for_a_twin_in_the_list_meet_like_any_two(
    corpus: Corpus, tmp_path: Path, score: int, is_open: bool
) -> None:
    finished(another(corpus), ("d1", 3, "1"))
    grade = f"query-id\tcorpus-id\tscore\n{Query.objects.get().external_id}\td4\t{score}"
    assert bring("import_judgments", "claims", written(tmp_path, "j.tsv", grade), "--judge", "cem").code == 0
    assert OpenDispute.objects.filter(canonical_id="d4").exists() is is_open
    assert settled().get("d4") == (None if is_open else (3, "agreed"))


def test_an_imported_grade_takes_the_place_of_a_derived_one(corpus: Corpus, tmp_path: Path) -> None:
    finished(another(corpus), ("d1", 3, "1"))
    name = Query.objects.get().external_id
    grade = f"query-id\tcorpus-id\tscore\n{name}\t{FAR}\t2"
    assert bring("import_judgments", "claims", written(tmp_path, "j.tsv", grade), "--judge", "cem").code == 0
    assert settled()[FAR] == (2, "agreed")
    assert derived() == {"d4": (3, "d1")}


def test_a_derived_grade_is_no_gold(corpus: Corpus) -> None:
    judge = another(corpus)
    finished(judge, ("d4", 3, "1"))
    assert derived() == {"d1": (3, "d4"), FAR: (3, "d4")}
    assert Query.objects.get().gold_canonical_id == "d4"
    corpus.documents.filter(external_id="d4").update(gone_at=timezone.now())
    settle_golds_again(corpus=corpus, now=timezone.now())
    assert Query.objects.get().gold_canonical_id == "d4"


def test_without_script_the_choice_travels_with_the_page(corpus: Corpus) -> None:
    judge = another(corpus)
    held = held_by(judge)
    d1, d4 = (stage.candidate(held.pool, name).pk for name in ("d1", "d4"))
    posted = {"token": "page-1", f"grade-{d1}": "3", f"twins-{d1}": ["0", "1"], f"twins-{d4}": "0"}
    judge.client.post(f"/c/claims/judge/{held.pk}/finish", posted)
    assert Judgment.objects.get().for_twins is True
    assert page_of(judge, held).count(" checked") == 2
    judge.client.post(f"/c/claims/judge/{held.pk}/finish", {**posted, "token": "page-2", f"twins-{d1}": "0"})
    assert Judgment.objects.get().for_twins is False
    judge.client.post(f"/c/claims/judge/{held.pk}/finish", {**posted, "token": "page-3", "read": "whole", "seen": ""})
    assert Judgment.objects.filter(state="graded").count() == 1


def test_the_list_of_twins_costs_the_same_however_long_it_is(corpus: Corpus) -> None:
    lena = stage.signed_in(factories.lena(corpus))
    assert "No text twins are graded" in lena.get("/c/claims/twins/").content.decode()
    finished(another(corpus), ("d1", 3, "1"))
    with CaptureQueriesContext(connection) as one:
        lena.get("/c/claims/twins/")
    query = Query.objects.get()
    Qrel.objects.filter(canonical_id="d2").update(twin_of="d5", source="derived")
    Qrel.objects.create(query=query, canonical_id="d8", grade=1, source="derived", twin_of="d5")
    with CaptureQueriesContext(connection) as more:
        assert "d8" in lena.get("/c/claims/twins/").content.decode()
    assert len(one) == len(more)


def test_leads_find_the_list_beside_disagreements_and_in_the_menu(corpus: Corpus) -> None:
    lena = stage.signed_in(factories.lena(corpus))
    assert lena.get("/c/claims/disagreements/").content.decode().count('href="/c/claims/twins/"') == 2
