"""Who gets which query, and for how long."""

from __future__ import annotations

from datetime import timedelta
from unittest import mock

import pytest
import time_machine
from django.utils import timezone
from pytest_django.fixtures import DjangoAssertNumQueries

from curation.models import Corpus, Query, Role, User
from judging.actions.candidates import add_candidate
from judging.models import Assignment, Pool
from judging.reports.judging_order import judging_order
from tests import factories
from tests.judging import stage
from tests.judging.stage import Judge

pytestmark = pytest.mark.django_db


def marek(corpus: Corpus) -> Judge:
    return Judge(corpus.memberships.get(role=Role.ADJUSTER).user)


def bora(corpus: Corpus) -> Judge:
    return Judge(factories.member(corpus, factories.person("bora"), Role.ADJUSTER))


def test_two_judges_never_hold_one_query() -> None:
    corpus = stage.a_judged_corpus(queries=1)
    assert marek(corpus).next() is not None
    assert bora(corpus).next() is None


def test_nothing_to_judge_is_said_in_words_with_a_way_out() -> None:
    corpus = stage.a_judged_corpus(queries=0)
    page = marek(corpus).client.get("/c/claims/judge/").content.decode()
    assert "Nothing to judge" in page
    assert "Every query you may judge is judged or lies with someone else" in page
    assert 'href="/c/claims/"' in page


def test_only_a_visit_leases_a_query() -> None:
    client = marek(stage.a_judged_corpus(queries=1)).client
    for how in ("HEAD", "PUT", "OPTIONS"):
        client.generic(how, "/c/claims/judge/")
    assert not Assignment.objects.exists()


def test_ones_own_lease_comes_first_also_when_a_better_query_has_come() -> None:
    corpus = stage.a_judged_corpus(queries=2)
    judge = marek(corpus)
    first = judge.next()
    assert judge.next() == first
    assert Assignment.objects.count() == 1


def test_c01_a_lease_that_is_not_renewed_is_free_again() -> None:
    corpus = stage.a_judged_corpus(queries=1)
    first, second = marek(corpus), bora(corpus)
    with time_machine.travel("2026-07-14 12:00Z", tick=False) as clock:
        held = first.next()
        assert held is not None
        clock.shift(timedelta(minutes=14))
        first.mark(held, "d001", 2)
        clock.shift(timedelta(minutes=14))
        assert second.next() is None
        clock.shift(timedelta(minutes=2))
        taken = second.next()
    assert taken is not None
    held.refresh_from_db()
    assert taken.pool == held.pool
    assert held.released_at is not None


def test_a_released_query_that_is_still_free_is_taken_back_by_the_next_mark() -> None:
    corpus = stage.a_judged_corpus(queries=1)
    judge = marek(corpus)
    held = judge.next()
    assert held is not None
    Assignment.objects.update(released_at=timezone.now(), place=None)
    assert judge.mark(held, "d001", 2).json()["words"] == ""
    held.refresh_from_db()
    assert held.released_at is None
    assert bora(corpus).next() is None


def test_writer_of_a_query_does_not_judge_it() -> None:
    corpus = stage.a_judged_corpus(queries=1)
    judge = marek(corpus)
    Query.objects.update(author=judge.user)
    assert judge.next() is None
    assert bora(corpus).next() is not None


def test_writer_of_a_query_does_not_judge_anothers_variant_of_it() -> None:
    corpus = stage.a_judged_corpus(queries=1)
    judge = marek(corpus)
    original = factories.a_query(factories.a_stratum(corpus), status="judged", author=judge.user)
    Query.objects.filter(status="ready").update(variant_of=original)
    assert judge.next() is None
    assert bora(corpus).next() is not None


def test_a_writer_does_not_judge_at_all() -> None:
    corpus = stage.a_judged_corpus(queries=1)
    assert stage.signed_in(factories.aylin(corpus)).get("/c/claims/judge/").status_code == 403


def test_the_emptiest_planned_stratum_comes_first_then_the_oldest_query() -> None:
    corpus = stage.a_judged_corpus(queries=0, stratum="es en Latn question distinctive")
    fuller = factories.a_stratum(corpus, "tr en Latn question distinctive", planned=100)
    emptier = factories.a_stratum(corpus, "ja en Jpan-kanji question distinctive", planned=100)
    unplanned = factories.a_stratum(corpus, "de en Latn question distinctive")
    factories.judged_queries(fuller, 3)
    factories.judged_queries(emptier, 2)
    wanted = [*stage.in_stratum(unplanned, 1), *stage.in_stratum(fuller, 1), *stage.in_stratum(emptier, 2)]
    stage.call("draw_pools", corpus)
    judge = marek(corpus)
    order = []
    while assignment := judge.next():
        order.append(assignment.pool.query)
        judge.post("skip", assignment)
        if len(order) == 4:
            break
    assert order == [wanted[2], wanted[3], wanted[1], wanted[0]]


def test_what_waits_in_unknown_language_comes_in_the_turn_of_the_plan_that_it_is_on_the_way_to() -> None:
    corpus = stage.a_judged_corpus(queries=0, stratum="es en Latn question distinctive")
    fuller = factories.a_stratum(corpus, planned=100)
    emptier = factories.a_stratum(corpus, "tr ja Latn question distinctive", planned=100)
    factories.judged_queries(fuller, 3)
    factories.judged_queries(emptier, 2)
    unplanned, unknown, for_none = (
        factories.a_stratum(corpus, f"{dimensions} question distinctive")
        for dimensions in ("de en Latn", "tr und Latn", "fr und Latn")
    )
    strata = (for_none, unplanned, fuller, unknown)
    aside, other, second, first = (query for stratum in strata for query in stage.in_stratum(stratum, 1))
    Query.objects.filter(pk=first.pk).update(asked_corpus_language="ja")
    stage.call("draw_pools", corpus)
    judge = marek(corpus)
    for query in (first, second):
        held = judge.next()
        assert held is not None
        assert held.pool.query == query
        judge.post("skip", held)
    ahead = list(judging_order(corpus, judge.user))
    names = dict(Pool.objects.values_list("pk", "query"))
    assert [names[pool] for pool in ahead] == [aside.pk, first.pk, second.pk], "the other one is held now"
    assert names.keys() - set(ahead) == {pool for pool, query in names.items() if query == other.pk}
    assert ahead == ordered_at_once(corpus, judge.user)


def test_what_waits_in_unknown_language_has_the_turn_of_the_only_language_it_can_settle_in() -> None:
    corpus = stage.a_judged_corpus(queries=0, stratum="es en Latn question distinctive")
    factories.a_stratum(corpus, planned=100)  # Turkish, and nothing is there yet
    fuller = factories.a_stratum(corpus, "ja en Jpan-kanji question distinctive", planned=100)
    factories.judged_queries(fuller, 3)
    [second] = stage.in_stratum(fuller, 1)
    [first] = stage.in_stratum(factories.a_stratum(corpus, "tr und Latn question distinctive"), 1)
    stage.call("draw_pools", corpus)
    names = dict(Pool.objects.values_list("pk", "query"))
    [person] = [each.user for each in corpus.memberships.select_related("user")]
    assert [names[pool] for pool in judging_order(corpus, person)] == [first.pk, second.pk]
    assert ordered_at_once(corpus, person) == list(judging_order(corpus, person))


def test_skipped_queries_come_later_with_their_marks() -> None:
    corpus = stage.a_judged_corpus(queries=2)
    judge = marek(corpus)
    first = judge.next()
    assert first is not None
    judge.mark(first, "d002", 3)
    skipped = judge.post("skip", first).json()
    assert skipped["next"] == f"/c/claims/judge/{first.pk + 1}/"
    assert f"Query {first.pool.query.external_id} skipped. It comes back when nothing else waits." in skipped["page"]
    second = judge.next()
    assert second is not None
    assert second.pool != first.pool
    judge.post("skip", second)
    again = judge.next()
    assert again is not None
    assert again.pool == first.pool
    page = judge.client.get(f"/c/claims/judge/{again.pk}/").content.decode()
    key = stage.candidate(again.pool, "d002").pk
    assert f'name="grade-{key}" value="3" checked' in page


def test_the_last_query_that_was_put_off_comes_back_to_the_same_window() -> None:
    corpus = stage.a_judged_corpus(queries=1)
    judge = marek(corpus)
    held = judge.next()
    assert held is not None
    judge.mark(held, "d001", 3)
    assert judge.post("skip", held).json()["next"] == f"/c/claims/judge/{held.pk}/"
    told = judge.mark(held, "d002", 2).json()
    assert (told["stands"], told["words"]) == (True, "")
    assert "next" in judge.finish(held, "d001", "d002").json()
    assert (Assignment.objects.count(), Query.objects.get().status) == (1, "judged")


def test_a_query_whose_lease_ran_out_is_given_to_its_judge_as_the_same_one() -> None:
    corpus = stage.a_judged_corpus(queries=1)
    judge = marek(corpus)
    held = judge.next()
    assert held is not None
    with time_machine.travel(timezone.now() + timedelta(minutes=16)):
        assert judge.next() == held
        assert "next" in judge.finish(held, "d001", nothing_because="none_answers").json()
    assert not Assignment.objects.get().surplus


def test_a_lease_on_a_query_that_was_settled_elsewhere_is_given_back() -> None:
    corpus = stage.a_judged_corpus(queries=2)
    judge = marek(corpus)
    first = judge.next()
    assert first is not None
    Query.objects.filter(pk=first.pool.query_id).update(status="judged")
    second = judge.next()
    assert second is not None
    assert second.pool != first.pool


def test_anothers_assignment_does_not_exist_for_me() -> None:
    corpus = stage.a_judged_corpus(queries=1)
    held = marek(corpus).next()
    assert held is not None
    other = bora(corpus)
    assert other.client.get(f"/c/claims/judge/{held.pk}/").status_code == 404
    assert other.mark(held, "d001", 2).status_code == 404
    for what in ("undo", "skip", "finish"):
        assert other.post(what, held, token="t").status_code == 404


def test_a_suspected_false_negative_is_judged_before_all_that_waits() -> None:
    corpus = stage.a_judged_corpus(queries=2)
    stratum, document = factories.a_stratum(corpus), corpus.documents.get(external_id="d005")
    plain, early, late = (factories.a_query(stratum, status="judged") for _ in range(3))
    now = timezone.now()
    add_candidate(query=plain, document=document, origin="hard_negative", now=now)
    add_candidate(query=late, document=document, origin="hard_negative", now=now + timedelta(minutes=1), first=True)
    add_candidate(query=early, document=document, origin="hard_negative", now=now, first=True)
    judge, given = marek(corpus), list[Query]()
    while (held := judge.next()) is not None and len(given) < 5:
        given.append(held.pool.query)
        judge.finish(held, "d005", nothing_because="none_answers")
    ready = corpus.queries.filter(pools__kind="exact50").order_by("pk")
    assert given == [early, late, *ready, plain]


def test_a_ready_query_comes_first_too_where_a_suspect_joins_its_pool() -> None:
    corpus = stage.a_judged_corpus(queries=3)
    last = corpus.queries.order_by("pk").last()
    assert last is not None
    document = corpus.documents.get(external_id="d005")
    add_candidate(query=last, document=document, origin="hard_negative", now=timezone.now(), first=True)
    held = marek(corpus).next()
    assert held is not None
    assert held.pool.query == last


def test_the_next_pool_is_found_by_as_many_database_queries_however_many_wait(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    corpus = stage.a_judged_corpus(1, queries=2)
    [person] = [each.user for each in corpus.memberships.select_related("user")]
    for waiting in (2, 22):
        # What was sent, twice; unknown languages, the strata; one's pools; all that wait; unknown languages, all strata.
        with django_assert_num_queries(8):
            assert len(list(judging_order(corpus, person))) == waiting
        stage.in_stratum(factories.a_stratum(corpus, "de en Latn question distinctive"), 20)
        stage.call("draw_pools", corpus)


def test_the_pools_offered_first_are_those_that_all_that_wait_begin_with() -> None:
    corpus = stage.a_judged_corpus(queries=4)
    for label, count in (
        ("tr en Latn question", 7),
        ("tr en Latn-plain question", 2),
        ("ja en Jpan-kanji question", 3),
    ):
        stage.in_stratum(factories.a_stratum(corpus, f"{label} distinctive"), count)
    stage.call("draw_pools", corpus)
    judge, now = marek(corpus), timezone.now()
    for _ in range(2):
        skipped = judge.next()
        assert skipped is not None
        judge.post("skip", skipped)
    Pool.objects.filter(pk__in=judging_ahead(corpus, judge)[3:5]).update(first_at=now)
    ahead = judging_ahead(corpus, judge)
    assert ahead == ordered_at_once(corpus, judge.user)
    assert len(ahead) == len(set(ahead)) == 15  # of 16, and one is held since the last was skipped
    assert set(ahead[:2]) == set(Pool.objects.filter(first_at=now).values_list("pk", flat=True))
    assert ahead[-2:] == [held.pool_id for held in Assignment.objects.exclude(skipped_at=None).order_by("skipped_at")]


def test_what_is_sent_to_a_judged_query_comes_in_the_turn_of_its_stratum() -> None:
    corpus = stage.a_judged_corpus(queries=3)
    judge, now = marek(corpus), timezone.now()
    oldest = corpus.queries.order_by("pk")[0]
    Pool.objects.filter(query=oldest).update(closed_at=now)
    Query.objects.filter(pk=oldest.pk).update(status=Query.Status.JUDGED)
    add_candidate(
        query=oldest, document=corpus.documents.get(external_id="d005"), origin="hard_negative", now=now, first=False
    )
    ahead = judging_ahead(corpus, judge)
    assert len(ahead) == 3
    assert Pool.objects.get(pk=ahead[0]).query == oldest


def judging_ahead(corpus: Corpus, judge: Judge) -> list[int]:
    return list(judging_order(corpus, judge.user))


def ordered_at_once(corpus: Corpus, person: User) -> list[int]:
    """What `judging_order` yields where no stratum is asked for alone."""
    with mock.patch("judging.reports.judging_order.STRATA_ASKED", 0):
        return list(judging_order(corpus, person))
