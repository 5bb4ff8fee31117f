"""A query in another spelling is judged on its own, from where its original stands."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.utils import timezone

from curation.models import Corpus, OpenDispute, Qrel, Query
from curation.reports.counts import counted
from judging.actions.adjudicating import Decision, adjudicate
from judging.models import Adjudication, Assignment, Pool
from judging.reports.judging_order import judging_order
from tests import factories
from tests.judging import stage
from tests.judging.judges import another, finish_with, held_by, marek
from tests.judging.stage import Judge

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("module_rows")]

NOW = datetime(2026, 11, 30, tzinfo=UTC)
PLAIN = "tr en Latn-plain question distinctive"


def stage_rows() -> None:
    """A Turkish query and the same without its letters, with pools of six documents."""
    corpus = stage.a_judged_corpus(6, queries=0)
    [original] = stage.in_stratum(factories.a_stratum(corpus), 1)
    [variant] = stage.in_stratum(factories.a_stratum(corpus, PLAIN), 1)
    Query.objects.filter(pk=variant.pk).update(variant_of=original, origin="variant")
    stage.call("draw_pools", corpus)


@pytest.fixture
def corpus() -> Corpus:
    return Corpus.objects.get(slug="claims")


def original() -> Query:
    return Query.objects.get(variant_of=None)


def variant() -> Query:
    return Query.objects.get(variant_of__isnull=False)


def pool_of(query: Query) -> Pool:
    return Pool.objects.get(query=query)


def settled(query: Query) -> dict[str, tuple[int, str]]:
    return {qrel.canonical_id: (qrel.grade, qrel.source) for qrel in query.qrels.all()}


def cells_that_count(corpus: Corpus) -> list[str]:
    judged = Query.objects.filter(counted(corpus), status="judged")
    return sorted(str(query.stratum.script) for query in judged.select_related("stratum"))


def judge_original(judge: Judge) -> None:
    held = finish_with(judge, {"d001": 3, "d002": 1})
    assert held.pool.query == original()


def test_finished_with_nothing_changed_both_cells_count_and_the_source_is_the_original(corpus: Corpus) -> None:
    judge = marek(corpus)
    judge_original(judge)
    assert cells_that_count(corpus) == ["Latn"]
    held = held_by(judge)
    assert held.pool.query == variant()
    assert "next" in judge.finish(held, "d001", "d002", "d003").json()
    assert settled(variant()) == {"d001": (3, "variant"), "d002": (1, "variant"), "d003": (0, "agreed")}
    assert variant().gold_canonical_id == "d001"
    assert cells_that_count(corpus) == ["Latn", "Latn-plain"]


def test_a_grade_that_is_changed_is_agreed_and_what_was_swept_before_is_judged_anew(corpus: Corpus) -> None:
    judge = marek(corpus)
    judge_original(judge)
    held = held_by(judge)
    judge.mark(held, "d002", 2)
    judge.mark(held, "d003", 2)
    judge.finish(held, "d001", "d002", "d003")
    assert settled(variant()) == {"d001": (3, "variant"), "d002": (2, "agreed"), "d003": (2, "agreed")}
    assert settled(original())["d002"] == (1, "agreed")


def test_a_grade_that_two_judges_leave_alone_says_so_and_a_dispute_withdraws_it(corpus: Corpus) -> None:
    judge = marek(corpus)
    judge_original(judge)
    held = held_by(judge)
    held.pool.opinions = 2
    held.pool.save()
    judge.finish(held, "d001", "d002")
    assert settled(variant()) == {}
    finish_with(another(corpus), {"d002": 3})
    assert settled(variant()) == {"d001": (3, "variant"), "d003": (0, "agreed")}
    assert Qrel.objects.get(query=variant(), canonical_id="d001").opinions == 2


def test_what_its_own_pool_misses_is_taken_over_so_that_the_spelling_that_finds_nothing_counts(corpus: Corpus) -> None:
    judge = marek(corpus)
    judge_original(judge)
    held = held_by(judge)
    held.pool.candidates.filter(canonical_id="d001").delete()
    judge.finish(held, "d002", "d003", nothing_because="none_answers")
    assert settled(variant())["d001"] == (3, "variant")
    assert variant().gold_canonical_id == "d001"
    assert cells_that_count(corpus) == ["Latn", "Latn-plain"]


def test_a_variant_finished_first_takes_over_what_its_original_settles_later(corpus: Corpus) -> None:
    judge = marek(corpus)
    pool_of(variant()).candidates.filter(canonical_id="d001").delete()
    Query.objects.filter(pk=original().pk).update(status="draft")
    held = held_by(judge)
    assert held.pool.query == variant()
    judge.mark(held, "d002", 2)
    judge.finish(held, "d002")
    Query.objects.filter(pk=original().pk).update(status="ready")
    judge_original(judge)
    assert settled(variant()) == {"d001": (3, "variant"), "d002": (2, "agreed")}


def test_what_the_original_settles_otherwise_moves_what_was_inherited_and_nothing_else(corpus: Corpus) -> None:
    judge, lena = marek(corpus), factories.lena(corpus)
    judge_original(judge)
    held = held_by(judge)
    judge.mark(held, "d002", 2)
    judge.finish(held, "d001", "d002", "d003")
    for name, grade in (("d001", 2), ("d002", 3)):
        OpenDispute.objects.create(query=original(), canonical_id=name, opened_at=NOW)
        decision = Decision(grade, Adjudication.Cause.MISSED, token=name)
        adjudicate(corpus=corpus, person=lena, query_id=original().pk, canonical_id=name, decision=decision, now=NOW)
    assert settled(original())["d001"] == (2, "adjudicated")
    assert settled(variant()) == {"d001": (2, "variant"), "d002": (2, "agreed"), "d003": (0, "agreed")}


def judge_variant(judge: Judge) -> None:
    """Finish the variant with what it opens with."""
    held = held_by(judge)
    assert held.pool.query == variant()
    judge.finish(held, *stage.ids(held.pool.candidates.all()), nothing_because="none_answers")


def two_differ_on_the_original(corpus: Corpus) -> None:
    Pool.objects.filter(query=original()).update(opinions=2)
    finish_with(marek(corpus), {"d001": 3, "d003": 2})
    finish_with(another(corpus), {"d001": 1, "d003": 2})


def decide_and_take_back(corpus: Corpus, *, grade: int, meanwhile: dict[str, tuple[int, str]]) -> None:
    """A lead decides d001 of the original, which gives the variant `meanwhile`, and takes the decision back."""
    lena = factories.lena(corpus)
    decision = Decision(grade, Adjudication.Cause.MISSED, token="press-1")
    made = adjudicate(
        corpus=corpus, person=lena, query_id=original().pk, canonical_id="d001", decision=decision, now=timezone.now()
    )
    assert settled(variant()) == meanwhile
    where = "/c/claims/disagreements/undo"
    assert stage.signed_in(lena).post(where, {"adjudication": made.pk}).status_code == 302


def test_a_decision_that_is_taken_back_is_taken_from_the_spelling_that_took_it_over(corpus: Corpus) -> None:
    pool_of(variant()).candidates.filter(canonical_id="d001").delete()
    two_differ_on_the_original(corpus)
    judge_variant(marek(corpus))
    before = settled(variant())
    decide_and_take_back(corpus, grade=3, meanwhile={**before, "d001": (3, "variant")})
    assert (settled(variant()), variant().gold_canonical_id) == (before, "d003")


def test_a_decision_that_is_taken_back_leaves_a_spelling_what_its_own_judge_left_as_it_was(corpus: Corpus) -> None:
    Pool.objects.filter(query=original()).update(opinions=2)
    first, second = marek(corpus), another(corpus)
    finish_with(first, {"d001": 3})
    drawn = finish_with(second, {"d001": 3})
    judge_variant(first)
    before = settled(variant())
    assert before["d001"] == (3, "variant")
    Assignment.objects.filter(pk=drawn.pk).update(reopened_at=timezone.now())
    second.mark(drawn, "d001", 1)
    second.finish(drawn, "d001", "d002", "d003", nothing_because="none_answers")
    decide_and_take_back(corpus, grade=2, meanwhile={**before, "d001": (2, "variant")})
    assert (settled(variant()), variant().gold_canonical_id) == (before, "d001")


def test_what_judges_agree_on_once_a_decision_is_taken_back_moves_the_spelling_too(corpus: Corpus) -> None:
    judge_original(marek(corpus))
    judge_variant(marek(corpus))
    before = settled(variant())
    OpenDispute.objects.create(query=original(), canonical_id="d001", opened_at=timezone.now())
    decide_and_take_back(corpus, grade=2, meanwhile={**before, "d001": (2, "variant")})
    assert (settled(original())["d001"], settled(variant())) == ((3, "agreed"), before)


def test_a_variant_waits_for_its_original_and_is_offered_where_nothing_else_is(corpus: Corpus) -> None:
    person = marek(corpus).user
    corpus.strata.filter(script="Latn-plain").update(planned=100)
    assert list(judging_order(corpus, person)) == [pool_of(original()).pk, pool_of(variant()).pk]


def test_the_writer_of_a_query_judges_none_of_its_spellings_whoever_added_them(corpus: Corpus) -> None:
    judge = marek(corpus)
    Query.objects.filter(pk=original().pk).update(author=judge.user)
    Query.objects.filter(pk=variant().pk).update(author=factories.lena(corpus))
    assert judge.next() is None
    assert Assignment.objects.count() == 0
