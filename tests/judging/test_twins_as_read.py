"""What a judge means by `t` holds for the text that was graded, whatever becomes of the documents before the end."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from curation.models import Corpus, OpenDispute, Query
from judging.actions.candidates import add_candidate
from judging.models import Assignment, Judgment
from tests import factories
from tests.bringing import bring, run, written
from tests.judging import stage
from tests.judging.judges import another, held_by
from tests.judging.stage import Judge
from tests.judging.test_twins import FAR, TEXTS, derived, finished, page_of, settled, twinned

pytestmark = pytest.mark.django_db


def on_screen(judge: Judge, held: Assignment) -> dict[str, str]:
    """Which text of each document the page shows now, as the page sends it."""
    shown = dict(re.findall(r'name="text-(\d+)" value="([0-9a-f]*)"', page_of(judge, held)))
    return {each.document.external_id: f"{each.pk}:{shown[str(each.pk)]}" for each in held.pool.candidates.all()}


def rewritten(corpus: Corpus, name: str, text: str = "another text altogether") -> None:
    stage.a_text(corpus.documents.get(external_id=name), text)


@pytest.mark.parametrize("who", ["d1", "d4"])
def test_a_twin_of_the_text_that_was_graded_is_not_swept_whichever_text_changes_before_finish(who: str) -> None:
    corpus = twinned()
    judge = another(corpus)
    held = held_by(judge)
    shown = on_screen(judge, held)
    judge.mark(held, "d1", 3, for_twins="1", text=shown["d1"].partition(":")[2])
    rewritten(corpus, who)
    judge.post("finish", held, seen=" ".join(shown.values()))
    assert Judgment.objects.get(document__external_id="d4").state == "unseen"
    passed_on = {FAR: (3, "d1")} if who == "d4" else {"d4": (3, "d1"), FAR: (3, "d1")}
    assert derived() == passed_on
    assert set(settled()) == {"d1", "d2", "d3", "d5", *passed_on}
    assert settled()["d1"] == (3, "agreed")


def test_a_twin_that_was_read_with_its_present_text_is_no_twin_of_the_text_that_was_graded() -> None:
    corpus = twinned()
    judge = another(corpus)
    held = held_by(judge)
    judge.mark(held, "d1", 3, for_twins="1")
    rewritten(corpus, "d4")
    shown = on_screen(judge, held)
    judge.post("finish", held, seen=" ".join(shown.values()))
    assert settled()["d4"] == (0, "agreed")
    assert derived() == {FAR: (3, "d1")}


def test_a_choice_tells_nothing_of_the_twins_of_a_later_text() -> None:
    corpus = twinned()
    judge = another(corpus)
    held = held_by(judge)
    judge.mark(held, "d1", 3, for_twins="1")
    rewritten(corpus, "d1", "other")  # d2 has that text, too
    judge.finish(held, *TEXTS)
    assert settled()["d2"] == (0, "agreed")
    assert derived() == {"d4": (3, "d1"), FAR: (3, "d1")}


@pytest.mark.parametrize("is_gone", [False, True])
def test_an_opinion_on_a_twin_stays_in_its_dispute_when_the_document_that_was_graded_changes_or_goes(
    is_gone: bool,
) -> None:
    corpus = twinned(opinions=2)
    finished(another(corpus, "bora"), ("d1", 3, "1"))
    finished(another(corpus, "defne"), ("d1", 3, ""), ("d4", 0, ""))
    if is_gone:
        corpus.documents.filter(external_id="d1").update(gone_at=timezone.now())
    else:
        rewritten(corpus, "d1")
    (told,) = json.loads(run("disagreements", "claims", "--json")[1])["open"]
    said = sorted((each["grade"], each["twin_of"]) for each in told["opinions"])
    assert (told["canonical_id"], said) == ("d4", [(0, ""), (3, "d1")])
    merged = map(json.loads, run("export_judgments", "claims", "--merged")[1].splitlines())
    assert [each["grade"] for each in merged if each["canonical_id"] == "d4"] == [None]


def test_an_opinion_on_the_earlier_text_of_a_twin_is_none_beside_one_on_its_present_text() -> None:
    corpus = twinned(opinions=2)
    bora, defne = another(corpus, "bora"), another(corpus, "defne")
    finished(bora, ("d1", 3, "1"))
    rewritten(corpus, "d4")
    finished(defne, ("d1", 3, ""), ("d4", 0, ""))
    assert not OpenDispute.objects.exists()
    assert settled()["d4"] == (0, "agreed")
    merged = map(json.loads, run("export_judgments", "claims", "--merged")[1].splitlines())
    assert [each["grade"] for each in merged if each["canonical_id"] == "d4"] == [0]


def test_a_grade_that_was_given_to_a_later_text_is_not_passed_on_to_twins_of_the_earlier_one() -> None:
    corpus = twinned(opinions=2)
    finished(another(corpus, "bora"), ("d1", 3, "1"))
    rewritten(corpus, "d1")
    finished(another(corpus, "defne"), ("d1", 1, ""), ("d4", 3, ""))
    assert settled()["d1"] == (1, "agreed")
    assert settled()["d4"] == (3, "agreed")
    assert derived() == {}


def test_the_page_shows_for_whom_a_grade_is_meant_after_the_graded_text_changed() -> None:
    corpus = twinned()
    judge = another(corpus)
    held = held_by(judge)
    judge.mark(held, "d1", 3, for_twins="1")
    rewritten(corpus, "d1")
    assert re.findall(r"text twin <bdi>(.*?)</bdi>", page_of(judge, held)) == ["d4, d9", "d1, d9"]


def test_a_mark_on_a_later_text_is_meant_for_no_twin_until_it_says_so() -> None:
    corpus = twinned()
    judge = another(corpus)
    held = held_by(judge)
    judge.mark(held, "d1", 3, for_twins="1")
    rewritten(corpus, "d1", "other")
    assert judge.mark(held, "d1", 2).json()["for_twins"] is False
    judge.finish(held, *TEXTS)
    assert (settled()["d2"], settled()["d4"], derived()) == ((0, "agreed"), (0, "agreed"), {})


def test_many_lists_with_an_earlier_text_cost_the_disagreements_as_many_queries_as_one() -> None:
    corpus = twinned(opinions=2, queries=3)
    bora, defne, lead = another(corpus, "bora"), another(corpus, "defne"), stage.signed_in(factories.lena(corpus))

    def differ() -> None:
        finished(bora, ("d1", 3, "1"))
        finished(defne, ("d1", 3, ""))

    def asked() -> int:
        with CaptureQueriesContext(connection) as queries:
            assert lead.get("/c/claims/disagreements/").status_code == 200
        return len(queries)

    for _ in range(3):
        differ()
    rewritten(corpus, "d1")
    asked()  # what is found in the text is stored now
    of_three = asked()
    OpenDispute.objects.exclude(pk=OpenDispute.objects.order_by("pk")[0].pk).delete()
    assert asked() == of_three


@pytest.mark.parametrize("is_rewritten", [False, True])
def test_a_twin_that_is_sent_alone_shows_and_keeps_what_was_meant_for_it_before(is_rewritten: bool) -> None:
    corpus = twinned()
    judge = another(corpus)
    finished(judge, ("d1", 3, "1"))
    if is_rewritten:
        rewritten(corpus, "d1")
    sent = corpus.documents.get(external_id=FAR)
    add_candidate(query=Query.objects.get(), document=sent, origin="hard_negative", now=timezone.now())
    held = held_by(judge)
    assert 'data-meant="3"' in page_of(judge, held)
    judge.finish(held, FAR)
    assert Judgment.objects.get(document=sent).state == "unseen"
    assert derived() == {"d4": (3, "d1"), FAR: (3, "d1")}


def test_what_was_meant_before_for_a_twin_that_is_sent_alone_meets_what_a_file_says_of_it(tmp_path: Path) -> None:
    corpus = twinned()
    judge, query = another(corpus), Query.objects.get()
    finished(judge, ("d1", 3, "1"))
    sent = corpus.documents.get(external_id=FAR)
    add_candidate(query=query, document=sent, origin="hard_negative", now=timezone.now())
    judge.finish(held_by(judge), FAR)
    grade = f"query-id\tcorpus-id\tscore\n{query.external_id}\t{FAR}\t2"
    assert bring("import_judgments", "claims", written(tmp_path, "j.tsv", grade), "--judge", "cem").code == 0
    assert list(OpenDispute.objects.values_list("canonical_id", flat=True)) == [FAR]
