"""A corpus whose exact baseline finds everything, a set over it, and runs that find as much as a test says.

Forty documents stand on eight axes, five an axis; a query lies on one of them, and its axis's five documents are its
relevant ones. So recall@5 of the baseline is 1 for every query, and a run that holds j of the five scores j / 5.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from django.conf import settings
from django.core.management import CommandError, call_command

from curation.models import (
    Corpus,
    Document,
    DocumentText,
    EmbeddingSpace,
    Qrel,
    Query,
    QueryScore,
    QueryVector,
    RankedRun,
    SetVersion,
)
from curation.reports.embeddings import current_documents_sha256
from curation.retrieval.vectors import Vectors, write_vectors
from tests import factories

NOW = datetime(2026, 7, 13, 14, 4, tzinfo=UTC)
AXES, EACH = 8, 5
DOCUMENTS = [f"d{axis}{place}" for axis in range(AXES) for place in range(EACH)]


class Said(NamedTuple):
    """What a command ended with: its code, and what it printed or refused with."""

    code: int
    text: str

    @property
    def json(self) -> dict[str, Any]:
        told: dict[str, Any] = json.loads(self.text)
        return told


def say(command: str, *words: object) -> Said:
    """Run a command as a shell would."""
    out = StringIO()
    try:
        call_command(command, *map(str, words), stdout=out, stderr=StringIO())
    except SystemExit as ended:
        return Said(int(ended.code or 0), out.getvalue())
    except CommandError as refusal:
        return Said(refusal.returncode, str(refusal))
    return Said(0, out.getvalue())


def searchable() -> Corpus:
    """The corpus, with vectors of its own at full width."""
    corpus = factories.a_corpus()
    Document.objects.bulk_create(
        Document(corpus=corpus, external_id=name, canonical_id=f"a{name}") for name in DOCUMENTS
    )
    DocumentText.objects.bulk_create(
        DocumentText(
            document=document, sha256=f"{place:064x}", folded_sha256=f"{place:064x}", text=document.external_id
        )
        for place, document in enumerate(corpus.documents.order_by("external_id"))
    )
    DocumentText.objects.update(created_at=NOW - timedelta(days=1))
    rows = np.repeat(np.eye(AXES, dtype=np.float32), EACH, axis=0)
    digest = write_vectors(Path(settings.DATA_DIR) / "vectors.npy", Vectors(ids=tuple(DOCUMENTS), rows=rows))
    EmbeddingSpace.objects.create(
        corpus=corpus,
        encoder="our-encoder",
        revision="3",
        native_dims=AXES,
        dims=AXES,
        vectors_file="vectors.npy",
        sha256=digest,
        documents_sha256=current_documents_sha256(corpus),
        rows=len(DOCUMENTS),
    )
    return corpus


def queries_in(corpus: Corpus, slices: Mapping[str, int], *, locale: str = "tr", planned: int = 0) -> list[Query]:
    """So many judged queries in each slice, each with its five relevant documents and its vector."""
    made: list[Query] = []
    for name, count in slices.items():
        stratum = factories.a_stratum(corpus, f"{locale} en Latn question {name}", planned=planned)
        made += [factories.a_query(stratum, status="judged") for _ in range(count)]
    for place, query in enumerate(made):
        query.gold_canonical_id = f"ad{place % AXES}0"
    Query.objects.bulk_update(made, ["gold_canonical_id"])
    Qrel.objects.bulk_create(
        Qrel(query=query, canonical_id=f"ad{axis_of(query)}{place}", grade=3 if place == 0 else 2, source="agreed")
        for query in made
        for place in range(EACH)
    )
    space = corpus.embedding_spaces.get()
    units = np.eye(AXES, dtype="<f4")
    QueryVector.objects.bulk_create(
        QueryVector(space=space, query=query, vector=units[axis_of(query)].tobytes()) for query in made
    )
    return made


def axis_of(query: Query) -> int:
    return int(query.gold_canonical_id[2])


def answers(query: Query, found: int) -> list[str]:
    """Ten documents, of which the first `found` are relevant: recall@5 is found / 5, and the gold leads where any is."""
    axis = axis_of(query)
    own = [f"d{axis}{place}" for place in range(EACH)]
    others = [name for name in DOCUMENTS if name not in own]
    return (own[:found] + others)[:10]


def a_run(corpus: Corpus, found: Mapping[Query, int], *, name: str = "int8", k: int = 10) -> RankedRun:
    """A stored run that finds so many of each query's five documents."""
    run = RankedRun.objects.create(corpus=corpus, name=name, k=k, sha256="ab" * 32, measured_at=NOW)
    QueryScore.objects.bulk_create(
        QueryScore(run=run, query=query, k=k, hits=answers(query, count)) for query, count in found.items()
    )
    return run


def spread(queries: Sequence[Query], *, lost: int) -> dict[Query, int]:
    """All five of every query, but four of the first `lost`."""
    return {query: EACH - (place < lost) for place, query in enumerate(queries)}


def whole(corpus: Corpus, each: int = 100) -> tuple[SetVersion, list[Query]]:
    """A set of `each` queries a slice, which a faultless run passes."""
    names = ("distinctive", "near_duplicate", "rare_entity", "keyword")
    made = queries_in(corpus, dict.fromkeys(names, each))
    return factories.frozen_set(corpus), made
