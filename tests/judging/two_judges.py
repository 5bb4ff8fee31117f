"""Queries that several people have judged already, planted as rows: many opinions in little time."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone

from curation.actions.texts import text_sha256
from curation.models import (
    Corpus,
    Document,
    DocumentText,
    EmbeddingSpace,
    Generation,
    MiningRun,
    Qrel,
    Query,
    TargetIndex,
    User,
)
from judging.models import Assignment, Candidate, Judgment, Pool, State
from judging.reports.pool_page import pool_page
from tests import factories

SWEPT, UNSEEN, CANT_TELL = "swept", "unseen", "cant_tell"
Said = int | str  # a grade, or one of the three above
_seeds = itertools.count(1)


def documents(corpus: Corpus, count: int) -> list[Document]:
    """Documents d0 … with a text each."""
    made = Document.objects.bulk_create(
        Document(corpus=corpus, external_id=f"d{n}", canonical_id=f"d{n}", language="en") for n in range(count)
    )
    DocumentText.objects.bulk_create(
        DocumentText(document=each, title="", text=each.external_id, sha256=sha(each)) for each in made
    )
    EmbeddingSpace.objects.create(
        corpus=corpus, encoder="lsa", revision="1", native_dims=4, dims=4, vectors_file="v.npy", rows=0
    )
    return made


def sha(document: Document) -> str:
    """The fingerprint of a document's text."""
    return text_sha256("", document.external_id)


def a_query_of(
    corpus: Corpus, opinions: Mapping[User, Sequence[Said]], *, at: datetime | None = None, **fields: Any
) -> Query:
    """A query of `corpus` on which each judge says of d0, d1 … what the sequence holds; both orders are blind."""
    stratum = factories.a_stratum(corpus, fields.pop("stratum", "tr en Latn question distinctive"))
    query = factories.a_query(stratum, **fields)
    shown = list(corpus.documents.order_by("pk")[: max(map(len, opinions.values()))])
    space, at = corpus.embedding_spaces.get(), at or timezone.now()
    pool = Pool.objects.create(query=query, embedding_space=space, depth=50, drawn_at=at, opinions=len(opinions))
    Candidate.objects.bulk_create(Candidate(pool=pool, document=each, canonical_id=each.canonical_id) for each in shown)
    for place, (judge, said) in enumerate(opinions.items(), 1):
        an_opinion(pool, judge, said, at=at, place=place)
    return query


def an_opinion(pool: Pool, judge: User, said: Sequence[Said], *, at: datetime, **fields: Any) -> Assignment:
    """What `judge` says of the candidates of `pool`, finished."""
    held = Assignment.objects.create(
        pool=pool, assessor=judge, order_seed=next(_seeds), opened_at=at, lease_until=at + timedelta(minutes=30),
        finished_at=at, **{"blind": True, **fields},
    )  # fmt: skip
    candidates = pool.candidates.order_by("pk").select_related("document")
    Judgment.objects.bulk_create(
        a_judgment(candidate, judge, word, at) for candidate, word in zip(candidates, said, strict=False)
    )
    return held


def a_judgment(candidate: Candidate, judge: User, word: Said, at: datetime) -> Judgment:
    """One opinion of the present text."""
    grade = word if isinstance(word, int) else None
    return Judgment(
        query_id=candidate.pool.query_id, document=candidate.document, canonical_id=candidate.canonical_id,
        assessor=judge, candidate=candidate, grade=grade, state=State.GRADED if grade is not None else word,
        text_sha256=sha(candidate.document), judged_at=at,
    )  # fmt: skip


def settled(query: Query, grades: dict[str, int], **fields: Any) -> None:
    """Settled grades of a query."""
    Qrel.objects.bulk_create(
        Qrel(query=query, canonical_id=name, grade=grade, **{"source": "agreed", **fields})
        for name, grade in grades.items()
    )


def on_screen(query: Query, judge: User) -> list[str]:
    """The documents in the order in which the judge's page shows them now."""
    held = Assignment.objects.get(pool__query=query, assessor=judge)
    return [row.code for row in pool_page(held, now=timezone.now()).rows]


def near_duplicates(corpus: Corpus, *names: str, at: datetime) -> None:
    """A run that ended at a moment and found these documents to be one group."""
    index, _ = TargetIndex.objects.get_or_create(corpus=corpus, name="exact", defaults={"kind": "exact"})
    number = index.generations.count() + 1
    generation = Generation.objects.create(index=index, number=number, due_on=at.date(), opened_at=at, closed_at=at)
    run = MiningRun.objects.create(
        generation=generation, miner="near_duplicate", state="done", created_at=at, finished_at=at
    )
    group = run.groups.create(key="k", min_cosine=0.9)
    for document in corpus.documents.filter(external_id__in=names):
        group.members.create(document=document, min_cosine=0.9)
