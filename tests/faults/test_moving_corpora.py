"""Documents leave or move while somebody settles what was said of them: nobody waits for what is gone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from curation.actions import corpora
from curation.actions.measuring import rank_moved_golds
from curation.models import Corpus, OpenDispute, Query
from judging.actions import adjudicating, finishing
from judging.actions.adjudicating import Decision, adjudicate
from tests import factories
from tests.bringing import bring, written
from tests.faults.threads import beside
from tests.judging.judges import another, corpus_of, finish_with, marek

pytestmark = pytest.mark.django_db(transaction=True)
HERE = [f"d{number:03d}" for number in range(1, 7)]


@contextmanager
def at_the_end_of(action: Any, name: str, happens: Callable[[], int]) -> Iterator[None]:
    """Whoever calls what `action` names `name` has not committed when `happens` begins; it exits with 0 all the same."""
    started: list[Future[int]] = []
    with beside() as start, pytest.MonkeyPatch.context() as patch:
        called = getattr(action, name)

        def and_then(*given: Any, **named: Any) -> Any:
            answer = called(*given, **named)
            if not started:
                started.append(start(happens))
            return answer

        patch.setattr(action, name, and_then)
        yield
        assert [each.result(90) for each in started] == [0]


def bring_whole(folder: Path, *left: str, **moved: str) -> Callable[[], int]:
    """An import of the whole corpus without the documents that `left`; those that `moved` render another article."""
    rows = [
        {"id": name, "canonical_id": moved.get(name, name), "title": f"Title of {name}", "text": f"Text of {name}."}
        for name in HERE
        if name not in left
    ]
    path = written(folder, "documents.jsonl", *rows)
    return lambda: bring("import_corpus", "claims", path, "--whole").code


def asked() -> Query:
    return Query.objects.get()


def disputed() -> list[str]:
    return sorted(OpenDispute.objects.values_list("canonical_id", flat=True))


def test_a_query_on_which_opinions_differ_as_the_document_leaves_is_judged(tmp_path: Path) -> None:
    corpus = corpus_of(2)
    finish_with(marek(corpus), {"d001": 3, "d002": 3})
    with at_the_end_of(finishing, "settle_complete", bring_whole(tmp_path, "d002")):
        finish_with(another(corpus), {"d001": 3, "d002": 0})
    assert (disputed(), asked().status, asked().gold_canonical_id) == (["d002"], "judged", "d001")


def test_a_gold_that_is_settled_as_its_document_leaves_gives_way(tmp_path: Path) -> None:
    corpus = corpus_of(1)
    with at_the_end_of(finishing, "settle_complete", bring_whole(tmp_path, "d002")):
        finish_with(marek(corpus), {"d001": 2, "d002": 3})
    assert (asked().status, asked().gold_canonical_id) == ("judged", "d001")


def test_a_gold_that_is_settled_as_another_document_becomes_its_rendering_is_found_by_it(tmp_path: Path) -> None:
    corpus = corpus_of(1)
    run = factories.a_run(corpus, [], [asked()])
    run.scores.update(hits=["d003", "d001"])
    with at_the_end_of(finishing, "settle_complete", bring_whole(tmp_path, d003="d001")):
        finish_with(marek(corpus), {"d001": 3})
    assert (asked().gold_canonical_id, run.scores.get().gold_rank) == ("d001", 1)


def test_a_lead_who_decides_as_the_other_document_in_dispute_leaves_leaves_nothing_to_decide(tmp_path: Path) -> None:
    corpus = corpus_of(2)
    finish_with(marek(corpus), {"d001": 3, "d002": 3})
    finish_with(another(corpus), {"d001": 2, "d002": 0})
    assert (disputed(), asked().status) == (["d001", "d002"], "ready")
    with at_the_end_of(adjudicating, "hand_down", bring_whole(tmp_path, "d002")):
        decide(corpus, "d001")
    assert (disputed(), asked().status) == (["d002"], "judged")


def decide(corpus: Corpus, canonical_id: str) -> None:
    adjudicate(
        corpus=corpus,
        person=factories.lena(corpus),
        query_id=asked().pk,
        canonical_id=canonical_id,
        decision=Decision(2, "missed", "a-token"),
        now=timezone.now(),
    )


def test_opinions_that_come_in_as_their_document_leaves_open_nothing_to_decide(tmp_path: Path) -> None:
    corpus_of(1)
    Query.objects.update(external_id="q1")
    said = (("ayse", "d001", 3), ("ayse", "d002", 3), ("bora", "d001", 3), ("bora", "d002", 0))
    rows = ({"query_id": "q1", "doc_id": name, "grade": grade, "judge": judge} for judge, name, grade in said)
    opinions = written(tmp_path, "judgments.jsonl", *rows)
    with at_the_end_of(corpora, "rank_moved_golds", lambda: bring("import_judgments", "claims", opinions).code):
        assert bring_whole(tmp_path, "d002")() == 0
    assert (disputed(), asked().status) == (["d002"], "judged")


def test_who_marks_an_answer_while_documents_move_waits_for_nothing_but_sqlite(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge = marek(corpus_of(1))
    held = judge.next()
    assert held is not None
    marking: list[Future[Any]] = []
    marked: list[bool] = []
    with beside() as start:

        def and_mark(**named: Any) -> None:
            rank_moved_golds(**named)
            marking.append(start(lambda: judge.mark(held, "d001", 3)))
            marked.append(marking[0].done())

        monkeypatch.setattr(corpora, "rank_moved_golds", and_mark)
        assert bring_whole(tmp_path, "d002")() == 0
        assert marking[0].result(90).status_code == 200
    assert marked == [connection.vendor == "postgresql"]
