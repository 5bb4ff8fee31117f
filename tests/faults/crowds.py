"""Several judges at the same moment, as the handed cases have them; each says how often."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial

from curation.models import Corpus, Qrel, Query, Role
from judging.models import HOLDS, Assignment, Judgment, JudgmentEvent
from judging.reports.disputes import opinions_on
from tests import factories
from tests.conftest import CASES
from tests.faults.threads import together
from tests.judging import stage
from tests.judging.stage import Judge


def judges(corpus: Corpus, count: int) -> list[Judge]:
    return [
        Judge(factories.member(corpus, factories.person(f"judge-{number}"), Role.ADJUSTER)) for number in range(count)
    ]


def one_by_one(corpus: Corpus) -> Iterator[Query]:
    """The queries of the corpus, of which only the one at hand waits to be judged."""
    waiting = list(corpus.queries.order_by("pk"))
    corpus.queries.update(status=Query.Status.DRAFT)
    for query in waiting:
        corpus.queries.exclude(status=Query.Status.JUDGED).update(status=Query.Status.DRAFT)
        corpus.queries.filter(pk=query.pk).update(status=Query.Status.READY)
        yield query


def two_ask_at_once(*, rounds: int) -> None:
    """C01: one of two gets the last query that waits, and both finish what they hold."""
    corpus = stage.a_judged_corpus(1, queries=rounds)
    two = judges(corpus, 2)
    for _ in range(rounds):
        given = together(*(judge.next for judge in two))
        held = [(judge, assignment) for judge, assignment in zip(two, given, strict=True) if assignment]
        assert len({assignment.pool_id for _, assignment in held}) == len(held)
        for judge, assignment in held:
            judge.mark(assignment, "d001", 2)
            assert judge.finish(assignment).status_code == 200
    assert Qrel.objects.count() == rounds
    assert Assignment.objects.filter(finished_at__isnull=False, surplus=False).count() == rounds
    assert [judge.next() for judge in two] == [None, None]


def one_query_for_two(*, rounds: int) -> None:
    """C01 to the letter: one query waits, two ask for it, one gets it; the other is told that nothing waits."""
    corpus = stage.a_judged_corpus(1, queries=rounds)
    two = judges(corpus, 2)
    for query in one_by_one(corpus):
        held = [(judge, one) for judge, one in zip(two, together(*(each.next for each in two)), strict=True) if one]
        assert len(held) == 1
        [(judge, assignment)] = held
        assert judge.mark(assignment, "d001", 2).status_code == 200
        assert judge.finish(assignment).status_code == 200
        assert query.qrels.get().opinions == 1


def four_grade_at_once(*, rounds: int) -> None:
    """C03: three opinions are wanted, a lease ran out, and a fourth judge took its place."""
    given = json.loads((CASES / "c03-scenario.json").read_text(encoding="utf-8"))
    grades = {step["who"]: step["grade"] for step in given["steps"] if step["do"] == "grade"}
    cap = given["given"]["cap"]
    corpus = stage.a_judged_corpus(1, queries=0)
    stratum = factories.a_stratum(corpus, "de en Latn question distinctive", opinions=cap)
    four = judges(corpus, len(grades))
    for _ in range(rounds):
        [query] = stage.in_stratum(stratum, 1)
        stage.call("draw_pools", corpus)
        held = [four_hold(corpus, judge) for judge in four]
        together(*(partial(graded, *each) for each in zip(four, held, grades.values(), strict=True)))
        opinions = Assignment.objects.filter(pool__query=query, finished_at__isnull=False)
        surplus = opinions.get(surplus=True)
        assert opinions.count() - 1 == opinions.exclude(place=None).count() == given["expect"]["counted"]
        told = next(judge for judge in four if judge.user == surplus.assessor).client.get("/c/claims/judge/")
        assert f"Others gave every opinion that query {query.external_id} wants" in told.content.decode()
        assert Judgment.objects.filter(query=query).count() == len(grades)
        counted = set(opinions.exclude(place=None).values_list("assessor", flat=True))
        assert {each.assessor_id for each in opinions_on(query, "d001")} == counted


def four_hold(corpus: Corpus, judge: Judge) -> Assignment:
    """The query at hand; whoever would be one too many takes a place whose lease ran out."""
    held = judge.next()
    if held is None:
        oldest = Assignment.objects.filter(HOLDS).earliest("pk")
        Assignment.objects.filter(pk=oldest.pk).update(released_at=oldest.opened_at, place=None)
        held = judge.next()
    assert held is not None
    return held


def graded(judge: Judge, held: Assignment, grade: int) -> None:
    judge.mark(held, "d001", grade)
    assert judge.finish(held, "d001", nothing_because="none_answers").status_code == 200


def equal_requests(*, parallel: int, rounds: int) -> None:
    """C43: one press sent many times at once."""
    corpus = stage.a_judged_corpus(1)
    [judge] = judges(corpus, 1)
    held = judge.next()
    assert held is not None
    key = stage.candidate(held.pool, "d001").pk
    for number in range(1, rounds + 1):
        send = partial(send_mark, judge, held, key, number)
        answers = together(*[send] * parallel)
        assert answers == [(200, answers[0][1])] * parallel
        assert (Judgment.objects.count(), JudgmentEvent.objects.count()) == (1, number)


def send_mark(judge: Judge, held: Assignment, key: int, number: int) -> tuple[int, dict[str, object]]:
    window = Judge(judge.user)
    response = window.post("mark", held, candidate=key, value="2", token=f"token-{number}", number=number)
    return response.status_code, response.json()


def shifts(*, clients: int, submissions: int) -> None:
    """C42: next, grade, undo, grade; then finish, so that there is a next one. Three submissions a query."""
    queries = -(-submissions // 3)
    corpus = stage.a_judged_corpus(3, queries=clients * (queries + 1))  # who finishes the last one holds another
    crowd = judges(corpus, clients)
    codes = [code for each in together(*(partial(shift, judge, queries) for judge in crowd)) for code in each]
    assert set(codes) == {200}
    assert len(codes) == clients * queries * 4
    assert JudgmentEvent.objects.count() == clients * queries * 3 >= clients * submissions
    assert Qrel.objects.filter(grade=2).count() == clients * queries


def shift(judge: Judge, queries: int) -> list[int]:
    codes = []
    for _ in range(queries):
        held = judge.next()
        assert held is not None
        codes.append(judge.mark(held, "d001", 1).status_code)
        codes.append(judge.post("undo", held, token=f"{judge.user.username}-undo-{held.pk}").status_code)
        codes.append(judge.mark(held, "d001", 2).status_code)
        codes.append(judge.finish(held, "d002").status_code)
    return codes
