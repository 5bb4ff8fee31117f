"""Several judges on the same queries, so that their opinions meet."""

from __future__ import annotations

from curation.models import Corpus, Role, Stratum
from judging.models import Assignment
from tests import factories
from tests.judging import stage
from tests.judging.stage import Judge


def corpus_of(opinions: int, *, queries: int = 1, documents: int = 6) -> Corpus:
    """READY queries with pools of `documents` that want so many opinions each."""
    corpus = stage.a_judged_corpus(documents, queries=0)
    stratum = factories.a_stratum(corpus)
    Stratum.objects.update(opinions=opinions)
    stage.in_stratum(stratum, queries)
    stage.call("draw_pools", corpus)
    return corpus


def marek(corpus: Corpus) -> Judge:
    """The adjuster of the corpus."""
    return Judge(corpus.memberships.get(role=Role.ADJUSTER, user__username="marek").user)


def another(corpus: Corpus, name: str = "bora") -> Judge:
    """One more adjuster."""
    return Judge(factories.member(corpus, factories.person(name), Role.ADJUSTER))


def held_by(judge: Judge) -> Assignment:
    """What the judge is given."""
    held = judge.next()
    assert held is not None
    return held


def finish_with(judge: Judge, grades: dict[str, int]) -> Assignment:
    """Finish a query with these grades, having seen the first three documents."""
    held = held_by(judge)
    for name, grade in grades.items():
        judge.mark(held, name, grade)
    assert "next" in judge.finish(held, "d001", "d002", "d003").json()
    return held
