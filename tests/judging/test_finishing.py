"""Finishing settles what was seen and marked, and nothing else."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from curation.models import CannotTell, Corpus, Document, Need, OpenDispute, Qrel, Query, Role
from curation.reports.counts import stratum_counts
from judging.actions.candidates import add_candidate
from judging.models import Assignment, Judgment, Pool
from tests import factories
from tests.bringing import bring, run, written
from tests.judging import stage
from tests.judging.stage import Judge

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("module_rows")]

NAMES = [f"d00{number}" for number in range(1, 7)]


def stage_rows() -> None:
    stage.a_judged_corpus(6, queries=1)


@pytest.fixture
def corpus() -> Corpus:
    return Corpus.objects.get(slug="claims")


def qrels() -> dict[str, tuple[int, str, bool, int | None]]:
    return {q.canonical_id: (q.grade, q.source, q.swept, q.judged_depth) for q in Qrel.objects.all()}


def states() -> dict[str, str]:
    return dict(Judgment.objects.values_list("document__external_id", "state"))


def test_seen_unmarked_is_swept_unseen_stays_open_and_doubts_are_no_grades(judge: Judge, held: Assignment) -> None:
    judge.mark(held, "d001", 3)
    judge.mark(held, "d002", 0)
    judge.mark(held, "d003", "cant_tell")
    assert judge.finish(held, "d001", "d002", "d003", "d004").json() == {"next": "/c/claims/judge/"}
    assert states() == {
        "d001": "graded",
        "d002": "graded",
        "d003": "cant_tell",
        "d004": "swept",
        "d005": "unseen",
        "d006": "unseen",
    }
    assert qrels() == {
        "d001": (3, "agreed", False, 4),
        "d002": (0, "agreed", False, 4),
        "d004": (0, "agreed", True, 4),
    }
    assert list(CannotTell.objects.values_list("canonical_id", flat=True)) == ["d003"]


def test_finishing_turns_the_query_judged_with_its_gold_and_n_goes_up_by_one(
    corpus: Corpus, judge: Judge, held: Assignment
) -> None:
    before = sum(count.n for count in stratum_counts(corpus))
    judge.mark(held, "d004", 2)
    judge.mark(held, "d002", 2)
    judge.finish(held, "d001", "d002", "d003", "d004")
    query = Query.objects.get(pk=held.pool.query_id)
    assert (query.status, query.gold_canonical_id) == ("judged", "d002")  # of equal grades the better ranked
    assert sum(count.n for count in stratum_counts(corpus)) == before + 1
    assert Pool.objects.get(pk=held.pool_id).closed_at is not None
    assert judge.next() is None


def test_gold_of_the_need_wins_where_it_is_relevant(corpus: Corpus, judge: Judge, held: Assignment) -> None:
    need = Need.objects.create(corpus=corpus, text="What is paid?", gold_canonical_id="d005")
    Query.objects.filter(pk=held.pool.query_id).update(need=need)
    judge.mark(held, "d001", 3)
    judge.mark(held, "d005", 2)
    judge.finish(held)
    assert Query.objects.get(pk=held.pool.query_id).gold_canonical_id == "d005"


def test_settling_gives_an_undetermined_query_its_corpus_language() -> None:
    corpus = stage.a_judged_corpus(3, queries=1, stratum="tr und Latn question distinctive", slug="mixed")
    corpus.documents.filter(external_id="d002").update(language="de")
    judge = Judge(corpus.memberships.get(role=Role.ADJUSTER).user, "mixed")
    held = judge.next()
    assert held is not None
    judge.mark(held, "d002", 3)
    judge.finish(held)
    assert corpus.queries.get().stratum.corpus_language == "de"


def test_highest_grade_of_an_articles_chunks_is_settled() -> None:
    corpus = factories.a_corpus("articles")
    for name in ("a#1", "a#2", "b"):
        stage.a_document(corpus, name, canonical_id=name[0])
    stage.a_space(corpus, {"a#1": 0.0, "a#2": 1.0, "b": 2.0})
    stage.in_stratum(factories.a_stratum(corpus), 1)
    stage.call("draw_pools", corpus)
    judge = Judge(factories.member(corpus, factories.person("bora"), Role.ADJUSTER), "articles")
    held = judge.next()
    assert held is not None
    judge.mark(held, "a#1", 1)
    judge.mark(held, "a#2", 3)
    judge.finish(held, "b")
    assert qrels() == {"a": (3, "agreed", False, 3), "b": (0, "agreed", True, 3)}
    assert Qrel.objects.get(canonical_id="a").gold_document == Document.objects.get(external_id="a#2")


def test_finishing_twice_answers_the_same_and_changes_nothing(judge: Judge, held: Assignment) -> None:
    judge.mark(held, "d001", 3)
    first = judge.finish(held, "d001", "d002")
    before = qrels()
    again = judge.finish(held, "d001", "d002", "d003")
    assert (again.status_code, again.json()) == (200, first.json())
    assert qrels() == before


def test_nothing_relevant_asks_why_and_stores_the_answer(corpus: Corpus, judge: Judge, held: Assignment) -> None:
    judge.mark(held, "d001", 1)  # below relevant_from
    answer = judge.finish(held, "d001", "d002")
    assert answer.status_code == 422
    assert answer.json()["refused"] == "No document is marked relevant: say why before you finish."
    assert Qrel.objects.count() == 0
    judge.finish(held, "d001", "d002", nothing_because="none_answers")
    held.refresh_from_db()
    assert held.nothing_because == "none_answers"
    assert Query.objects.get(pk=held.pool.query_id).status == "judged"
    [count] = stratum_counts(corpus)
    assert (count.n, count.no_answer) == (0, 1)


@pytest.mark.parametrize("because", ["unclear", "cannot_tell"])
def test_an_undecided_opinion_settles_nothing_and_the_query_goes_on(
    corpus: Corpus, judge: Judge, held: Assignment, because: str
) -> None:
    judge.finish(held, "d001", "d002", nothing_because=because)
    assert (states()["d001"], states()["d003"]) == ("cant_tell", "unseen")
    assert Qrel.objects.count() == 0
    assert Query.objects.get(pk=held.pool.query_id).status == "ready"
    assert judge.next() is None
    other = Judge(factories.member(corpus, factories.person("bora"), Role.ADJUSTER))
    theirs = other.next()
    assert theirs is not None
    other.mark(theirs, "d001", 3)
    other.finish(theirs)
    assert Query.objects.get(pk=held.pool.query_id).status == "judged"


def test_c03_an_opinion_beyond_the_one_wanted_is_kept_and_never_counts(
    corpus: Corpus, judge: Judge, held: Assignment
) -> None:
    judge.mark(held, "d001", 3)
    Assignment.objects.update(released_at=held.opened_at, place=None)  # its lease ran out
    other = Judge(factories.member(corpus, factories.person("bora"), Role.ADJUSTER))
    theirs = other.next()
    assert theirs is not None
    assert "someone else judges this query" in judge.mark(held, "d002", 3).json()["words"]
    other.mark(theirs, "d001", 1)
    other.mark(theirs, "d004", 2)
    assert other.finish(theirs).status_code == 200
    assert judge.finish(held, "d001").status_code == 200
    held.refresh_from_db()
    theirs.refresh_from_db()
    assert (held.surplus, theirs.surplus) == (True, False)
    assert {name: grade for name, (grade, *_) in qrels().items()} == {"d001": 1, "d004": 2}
    assert Judgment.objects.get(assessor=judge.user, document__external_id="d001").grade == 3
    assert [count.n for count in stratum_counts(corpus)] == [1]
    merged = [json.loads(line) for line in run("export_judgments", "claims", "--merged")[1].splitlines()]
    assert (merged[0]["grade"], merged[0]["how"]) == (1, "one judge")
    exported = [json.loads(line) for line in run("export_judgments", "claims")[1].splitlines()]
    assert {line["judge"] for line in exported if line.get("kept_apart")} == {judge.user.username}


def test_finishing_anew_replaces_what_was_settled(judge: Judge, held: Assignment) -> None:
    judge.mark(held, "d001", 3)
    judge.mark(held, "d002", 2)
    judge.mark(held, "d003", "cant_tell")
    judge.finish(held, "d004")
    Assignment.objects.update(reopened_at=held.opened_at)
    judge.mark(held, "d001", "cant_tell")
    judge.mark(held, "d002", "clear")
    judge.mark(held, "d003", 3)
    judge.finish(held)
    assert {name: grade for name, (grade, *_) in qrels().items()} == {"d002": 0, "d003": 3, "d004": 0}
    assert list(CannotTell.objects.values_list("canonical_id", flat=True)) == ["d001"]
    query = Query.objects.get(pk=held.pool.query_id)
    assert (query.status, query.gold_canonical_id) == ("judged", "d003")


def test_who_could_not_tell_and_then_can_has_the_place_again(judge: Judge, held: Assignment) -> None:
    judge.mark(held, "d001", 3)
    judge.finish(held, "d002")
    Assignment.objects.update(reopened_at=held.opened_at)
    judge.mark(held, "d001", "clear")
    judge.finish(held, "d002", nothing_because="cannot_tell")
    Assignment.objects.update(reopened_at=held.opened_at)
    judge.mark(held, "d001", 2)
    judge.finish(held, "d002")
    held.refresh_from_db()
    assert (held.surplus, held.place) == (False, 1)
    assert {name: grade for name, (grade, *_) in qrels().items()}["d001"] == 2


def test_a_variant_opens_with_its_originals_grades_and_keeps_those_that_were_seen(corpus: Corpus) -> None:
    original = factories.a_query(factories.a_stratum(corpus), status="judged")
    for name, grade in (("d001", 3), ("d002", 2), ("d003", 1)):
        Qrel.objects.create(query=original, canonical_id=name, grade=grade, source="agreed")
    Query.objects.filter(status="ready").update(variant_of=original)
    judge = Judge(corpus.memberships.get(role=Role.ADJUSTER).user)
    held = judge.next()
    assert held is not None
    page = judge.client.get(f"/c/claims/judge/{held.pk}/").content.decode()
    assert page.count(" checked>") == 3
    judge.mark(held, "d002", "clear")
    judge.finish(held, "d001", "d002")
    settled = Qrel.objects.filter(query=held.pool.query).values_list("canonical_id", "grade")
    assert dict(settled) == {"d001": 3, "d002": 0}
    assert states()["d003"] == "unseen"


def test_a_sent_candidate_is_settled_alone_and_the_gold_stays(corpus: Corpus, judge: Judge, held: Assignment) -> None:
    judge.mark(held, "d001", 3)
    judge.finish(held, "d002")
    query = Query.objects.get(pk=held.pool.query_id)
    suspicious = Document.objects.get(external_id="d006")
    add_candidate(query=query, document=suspicious, origin="hard_negative", now=held.opened_at)
    other = Judge(factories.member(corpus, factories.person("bora"), Role.ADJUSTER))
    sent = other.next()
    assert sent is not None
    other.mark(sent, "d006", 3)
    other.finish(sent)
    query.refresh_from_db()
    assert (query.status, query.gold_canonical_id) == ("judged", "d001")
    assert {name: grade for name, (grade, *_) in qrels().items()} == {"d001": 3, "d002": 0, "d006": 3}
    assert other.next() is None


def shown(judge: Judge, held: Assignment) -> dict[str, str]:
    """What the form of the list carries of its rows: the beginning of the fingerprint of each text."""
    page = judge.client.get(f"/c/claims/judge/{held.pk}/").content.decode()
    return dict(re.findall(r'name="(text-\d+)" value="(\w*)"', page))


def asked(page: Any) -> dict[str, str]:
    """What the question after a list carries of it."""
    return {"seen": re.findall(r'name="seen" value="([^"]*)"', page.content.decode())[0]}


def without_script(judge: Judge, held: Assignment, what: str = "finish", **fields: Any) -> Any:
    marks = {name: value for name, value in fields.items() if name.startswith("d")}
    given = {name: value for name, value in fields.items() if name not in marks}
    for name, value in marks.items():
        given[f"grade-{stage.candidate(held.pool, name).pk}"] = value
    return judge.client.post(f"/c/claims/judge/{held.pk}/{what}", {"token": "page-1", **given})


def test_without_script_finish_saves_the_marks_and_asks_what_the_rest_means(judge: Judge, held: Assignment) -> None:
    answer = without_script(judge, held, d001="3", d002="cant_tell", **shown(judge, held))
    page = answer.content.decode()
    assert "2 of 6 documents are marked. What of the other 4?" in page
    assert "No document is marked relevant" not in page
    assert states() == {"d001": "graded", "d002": "cant_tell"}
    response = without_script(judge, held, read="whole", **asked(answer))
    assert (response.status_code, response["Location"]) == (302, "/c/claims/judge/")
    assert states()["d006"] == "swept"


def test_without_script_what_was_not_read_is_not_seen(judge: Judge, held: Assignment) -> None:
    answer = without_script(judge, held, d001="3", **shown(judge, held))
    without_script(judge, held, read="part", **asked(answer))
    assert states()["d006"] == "unseen"


def test_without_script_the_reason_is_asked_for_too(judge: Judge, held: Assignment) -> None:
    answer = without_script(judge, held, d001="0", **shown(judge, held))
    assert "No document is marked relevant. Why?" in answer.content.decode()
    again = without_script(judge, held, read="whole", **asked(answer))
    assert "No document is marked relevant. Why?" in again.content.decode()
    assert asked(again) == asked(answer)
    without_script(judge, held, read="whole", nothing_because="none_answers", **asked(again))
    assert set(states().values()) == {"graded", "swept"}
    assert Query.objects.get(pk=held.pool.query_id).status == "judged"


def clearable(judge: Judge, held: Assignment) -> list[str]:
    """The documents whose row offers to let its mark go."""
    page = judge.client.get(f"/c/claims/judge/{held.pk}/").content.decode()
    keys = re.findall(r'<noscript><label class="unmark"><input type="radio" name="grade-(\d+)" value="clear">', page)
    return sorted(held.pool.candidates.get(pk=key).document.external_id for key in keys)


def test_without_script_a_stored_mark_is_cleared_and_swept_as_what_was_seen_and_left(
    judge: Judge, held: Assignment
) -> None:
    assert clearable(judge, held) == []
    without_script(judge, held, d001="3", d002="cant_tell", **shown(judge, held))
    assert clearable(judge, held) == ["d001", "d002"]
    answer = without_script(judge, held, d001="3", d002="clear", **shown(judge, held))
    assert "1 of 6 documents are marked. What of the other 5?" in answer.content.decode()
    assert clearable(judge, held) == ["d001"]
    without_script(judge, held, read="part", **asked(answer))
    assert states() == {"d001": "graded", "d002": "swept", **dict.fromkeys(NAMES[2:], "unseen")}
    events = Judgment.objects.get(document__external_id="d002").events.order_by("pk")
    assert list(events.values_list("state", flat=True)) == ["cant_tell", "cleared"]


def test_without_script_a_grade_that_a_variant_opens_with_is_cleared_too(
    corpus: Corpus, judge: Judge, held: Assignment
) -> None:
    original = factories.a_query(factories.a_stratum(corpus), status="judged")
    Qrel.objects.create(query=original, canonical_id="d001", grade=3, source="agreed")
    Query.objects.filter(pk=held.pool.query_id).update(variant_of=original)
    assert clearable(judge, held) == ["d001"]
    answer = without_script(judge, held, d001="clear", d002="3", **shown(judge, held))
    without_script(judge, held, read="whole", **asked(answer))
    settled = Qrel.objects.filter(query=held.pool.query_id)
    assert dict(settled.values_list("canonical_id", "grade")) == {name: 3 * (name == "d002") for name in NAMES}


def test_without_script_skip_keeps_the_marks(judge: Judge, held: Assignment) -> None:
    without_script(judge, held, "skip", d001="3")
    assert states() == {"d001": "graded"}


def test_without_script_undo_takes_back_what_was_chosen_last_and_keeps_the_rest(
    corpus: Corpus, judge: Judge, held: Assignment
) -> None:
    stage.in_stratum(corpus.strata.get(), 1)
    stage.call("draw_pools", corpus)
    judge.mark(held, "d001", 3)
    judge.finish(held, "d002")
    second = judge.next()
    assert second is not None
    answer = without_script(judge, second, "undo", d001="2", d003="1")
    assert answer["Location"] == f"/c/claims/judge/{second.pk}/"
    assert "d003: 1 is taken back, no mark stands." in judge.client.get(answer["Location"]).content.decode()
    here = Judgment.objects.filter(candidate__pool=second.pool_id)
    assert dict(here.values_list("canonical_id", "grade")) == {"d001": 2, "d003": None}
    without_script(judge, second, "undo", d001="2", d003="1")  # the same press again
    assert dict(here.values_list("canonical_id", "grade")) == {"d001": 2, "d003": None}
    held.refresh_from_db()
    assert held.reopened_at is None


def test_without_script_the_whole_list_is_the_one_that_was_posted(judge: Judge, held: Assignment) -> None:
    listed = shown(judge, held)
    late = stage.a_document(held.pool.query.corpus, "late1")
    add_candidate(query=held.pool.query, document=late, origin="hard_negative", now=held.opened_at)
    answer = without_script(judge, held, d001="3", **listed)
    without_script(judge, held, read="whole", **asked(answer))
    assert (states()["d006"], states()["late1"]) == ("swept", "unseen")


def test_without_script_who_says_what_was_read_and_not_of_which_list_is_asked(judge: Judge, held: Assignment) -> None:
    judge.mark(held, "d001", 3)
    assert "What of the other 5?" in without_script(judge, held, read="whole").content.decode()
    assert not Assignment.objects.filter(finished_at__isnull=False).exists()


@pytest.mark.parametrize("with_script", [True, False])
def test_what_is_swept_is_swept_on_the_text_that_was_on_screen(
    judge: Judge, held: Assignment, *, with_script: bool
) -> None:
    listed = shown(judge, held)
    judge.mark(held, "d001", 3)
    before = retold("d002", "d003")
    if with_script:
        seen = [f"{key.removeprefix('text-')}:{text}" for key, text in listed.items()]
        judge.post("finish", held, seen=" ".join(seen[:2]))
    else:
        without_script(judge, held, read="whole", **asked(without_script(judge, held, **listed)))
    assert (states()["d002"], states()["d003"]) == ("swept", "unseen" if with_script else "swept")
    assert Judgment.objects.get(document__external_id="d002").text_sha256 == before
    moved = [each["document_id"] for each in json.loads(run("judge_again", "claims", "--json")[1])]
    assert moved == (["d002"] if with_script else ["d002", "d003"])


def test_a_row_that_was_swept_on_an_earlier_text_and_not_seen_again_keeps_it(judge: Judge, held: Assignment) -> None:
    judge.mark(held, "d001", 3)
    judge.finish(held, "d001", "d002")
    before = retold("d002")
    Assignment.objects.update(reopened_at=held.opened_at)
    page = judge.client.get(f"/c/claims/judge/{held.pk}/").content.decode()
    assert page.count(" data-seen") == 1  # d001
    judge.finish(held)
    assert states()["d002"] == "swept"
    assert Judgment.objects.get(document__external_id="d002").text_sha256 == before
    Assignment.objects.update(reopened_at=held.opened_at)
    judge.finish(held, "d002")
    assert Judgment.objects.get(document__external_id="d002").text_sha256 != before


def retold(*external_ids: str) -> str:
    """Another text for each of these documents; the fingerprint that the first one had."""
    documents = list(Document.objects.filter(external_id__in=external_ids).order_by("pk"))
    before = documents[0].texts.get().sha256
    for document in documents:
        stage.a_text(document, f"New text of {document}.")
    return before


def test_a_key_of_thousands_of_digits_names_no_candidate(judge: Judge, held: Assignment) -> None:
    judge.mark(held, "d001", 3)
    assert judge.post("finish", held, seen="9" * 5000).status_code == 200
    assert set(states().values()) == {"graded", "unseen"}


def test_a_radio_of_thousands_of_digits_names_no_candidate(judge: Judge, held: Assignment) -> None:
    body = f"token=t&grade-{'9' * 5000}=2"
    answer = judge.client.post(
        f"/c/claims/judge/{held.pk}/skip", body, content_type="application/x-www-form-urlencoded"
    )
    assert answer.status_code == 302
    assert not Judgment.objects.exists()


def test_what_imported_judges_agreed_on_outlives_a_finish_that_did_not_see_it(
    judge: Judge, held: Assignment, tmp_path: Path
) -> None:
    query = {"query_id": held.pool.query.external_id}
    opinions = (("d001", "ayse", 3), ("d001", "bora", 3), ("d002", "ayse", 0), ("d002", "bora", 2))
    rows = [{**query, "doc_id": document, "judge": name, "grade": grade} for document, name, grade in opinions]
    assert bring("import_judgments", "claims", written(tmp_path, "j.jsonl", *rows)).code == 0
    assert qrels() == {"d001": (3, "agreed", False, None)}
    judge.mark(held, "d002", 2)
    assert judge.finish(held, "d002").status_code == 200
    assert {name: grade for name, (grade, *_) in qrels().items()} == {"d001": 3}
    assert list(OpenDispute.objects.values_list("canonical_id", flat=True)) == ["d002"]


def test_a_sweep_does_not_replace_what_imported_judges_agreed_on_but_opens_a_dispute(
    judge: Judge, held: Assignment, tmp_path: Path
) -> None:
    query = {"query_id": held.pool.query.external_id}
    rows = [{**query, "doc_id": "d002", "judge": name, "grade": 3} for name in ("ayse", "bora")]
    assert bring("import_judgments", "claims", written(tmp_path, "j.jsonl", *rows)).code == 0
    Query.objects.update(status="ready")
    judge.mark(held, "d001", 3)
    assert judge.finish(held, "d001", "d002").status_code == 200
    assert qrels() == {"d001": (3, "agreed", False, 2)}
    assert list(OpenDispute.objects.values_list("canonical_id", flat=True)) == ["d002"]


@pytest.mark.parametrize("because", ["unclear", "cannot_tell"])
def test_a_row_without_a_mark_is_no_doubt_of_its_own_when_the_query_opens_again(
    judge: Judge, held: Assignment, because: str
) -> None:
    judge.mark(held, "d002", 2)
    judge.mark(held, "d002", "clear")
    judge.mark(held, "d003", "clear", note="odd")
    judge.finish(held, "d001", "d002", "d003", nothing_because=because)
    Assignment.objects.update(reopened_at=held.opened_at)
    page = judge.client.get(f"/c/claims/judge/{held.pk}/").content.decode()
    assert " checked>" not in page
    judge.mark(held, "d001", 3)
    judge.finish(held, "d001", "d002")
    assert {name: states()[name] for name in ("d001", "d002", "d003")} == {
        "d001": "graded",
        "d002": "swept",
        "d003": "swept",
    }
    assert not CannotTell.objects.exists()


@pytest.mark.parametrize("what", ["finish", "skip"])
def test_without_script_one_document_that_is_gone_leaves_the_other_marks_of_the_page(
    judge: Judge, held: Assignment, what: str
) -> None:
    Document.objects.filter(external_id="d002").update(gone_at=held.opened_at)
    key = stage.candidate(held.pool, "d002").pk
    posted = {f"grade-{key}": "2", f"grade-{stage.candidate(held.pool, 'd001').pk}": "3"}
    answer = judge.client.post(f"/c/claims/judge/{held.pk}/{what}", posted, follow=True).content.decode()
    assert states() == {"d001": "graded"}
    assert "Document d002 left the corpus" in answer
