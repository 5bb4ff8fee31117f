"""A corpus small enough to know by heart: documents on a line of angles, queries that point at one of them."""

from __future__ import annotations

import math
from collections.abc import Iterable
from io import StringIO
from typing import Any

import numpy as np
from django.core.management import call_command
from django.test import Client

from curation.actions.embeddings import Brought, store_vectors
from curation.actions.texts import text_sha256, twin_sha256
from curation.models import Corpus, Document, DocumentText, EmbeddingSpace, Query, QueryVector, Role, Stratum, User
from curation.retrieval.vectors import Vectors
from judging.models import Assignment, Candidate, Pool
from tests import factories


def a_document(corpus: Corpus, external_id: str, text: str = "", **fields: Any) -> Document:
    """A document with a text of its own; its canonical id is its id unless given."""
    title, body = fields.pop("title", ""), text or f"Text of {external_id}."
    document = Document.objects.create(
        corpus=corpus, external_id=external_id, **{"canonical_id": external_id, "language": "en", **fields}
    )
    a_text(document, body, title=title)
    return document


def a_text(document: Document, text: str, *, title: str = "") -> DocumentText:
    """`text` as the current version of `document`."""
    document.texts.update(current=False)
    hashes = {"sha256": text_sha256(title, text), "folded_sha256": twin_sha256(title, text)}
    return DocumentText.objects.create(document=document, title=title, text=text, **hashes)


def pointing(degrees: float) -> np.ndarray[Any, np.dtype[np.float32]]:
    """A unit vector."""
    angle = math.radians(degrees)
    return np.array([math.cos(angle), math.sin(angle)], np.float32)


def a_space(corpus: Corpus, degrees: dict[str, float]) -> EmbeddingSpace:
    """The corpus's documents, each at its angle."""
    ids = tuple(sorted(degrees))
    rows = np.stack([pointing(degrees[external_id]) for external_id in ids])
    return store_vectors(corpus=corpus, vectors=Vectors(ids=ids, rows=rows), brought=Brought("compass", "1"))


def aims(query: Query, degrees: float = 0.0) -> Query:
    """`query`, with a vector: documents come in the order of their distance from `degrees`."""
    space = query.corpus.embedding_spaces.get(current=True)
    QueryVector.objects.create(space=space, query=query, vector=pointing(degrees).astype("<f4").tobytes())
    return query


def call(command: str, corpus: Corpus) -> None:
    """One command on a corpus."""
    call_command(command, corpus.slug, verbosity=0, stdout=StringIO())


def a_judged_corpus(
    count: int = 5, *, queries: int = 1, stratum: str = "tr en Latn question distinctive", slug: str = "claims"
) -> Corpus:
    """Documents d001 … in rank order for READY queries with their pools drawn; marek adjusts."""
    corpus = factories.a_corpus(slug)
    names = [f"d{number:03d}" for number in range(1, count + 1)]
    for name in names:
        a_document(corpus, name, title=f"Title of {name}")
    a_space(corpus, {name: float(place) for place, name in enumerate(names)})
    in_stratum(factories.a_stratum(corpus, stratum), queries)
    call("draw_pools", corpus)
    factories.member(corpus, User.objects.filter(username="marek").first() or factories.person("marek"), Role.ADJUSTER)
    return corpus


def in_stratum(stratum: Stratum, count: int) -> list[Query]:
    """READY queries that point at the first document."""
    return [aims(factories.a_query(stratum)) for _ in range(count)]


def signed_in(user: User) -> Client:
    """A browser of `user`."""
    client = Client()
    client.force_login(user)
    return client


def judging(client: Client, slug: str = "claims") -> Assignment:
    """What the person is given to judge."""
    response = client.get(f"/c/{slug}/judge/")
    assert response.status_code == 302, response.content.decode()
    return Assignment.objects.get(pk=int(response["Location"].rstrip("/").rsplit("/", 1)[-1]))


def candidate(pool: Pool, external_id: str) -> Candidate:
    """The candidate that shows a document."""
    return pool.candidates.get(document__external_id=external_id)


class Judge:
    """A person at work, by the addresses the page posts to."""

    def __init__(self, user: User, slug: str = "claims") -> None:
        self.user, self.client, self.slug, self.presses = user, signed_in(user), slug, 0

    def next(self) -> Assignment | None:
        """What the person is given, None for nothing."""
        response = self.client.get(f"/c/{self.slug}/judge/")
        return judging(self.client, self.slug) if response.status_code == 302 else None

    def post(self, what: str, assignment: Assignment, **fields: Any) -> Any:
        """One request of the page's script."""
        address = f"/c/{self.slug}/judge/{assignment.pk}/{what}"
        return self.client.post(address, fields, headers={"Accept": "application/json"})

    def mark(self, assignment: Assignment, external_id: str, value: object, **fields: Any) -> Any:
        """One press of a grade key, and its answer."""
        self.presses += 1
        given = {"token": f"{self.user.username}-{self.presses}", "value": str(value), **fields}
        return self.post("mark", assignment, candidate=candidate(assignment.pool, external_id).pk, **given)

    def finish(self, assignment: Assignment, *seen: str, **fields: Any) -> Any:
        """Finish, having seen the documents named."""
        keys = [str(candidate(assignment.pool, external_id).pk) for external_id in seen]
        return self.post("finish", assignment, seen=" ".join(keys), **fields)


def ids(candidates: Iterable[Candidate]) -> list[str]:
    """The documents of candidates."""
    return [each.document.external_id for each in candidates]
