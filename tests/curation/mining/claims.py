"""A small corpus with something for every miner, brought through the commands with vectors of its own."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
from django.utils import timezone

from curation.actions import generations
from curation.models import Corpus, EmbeddingSpace, Generation, LogQuery, Query, QueryVector
from tests.bringing import bring, run, written

HAIL, THEFT = "Hail deductible, motor fleet", "Tool theft"


def document(name: str, title: str, text: str, vector: list[float], **more: str) -> dict[str, Any]:
    """A row of the corpus file, in English unless it says otherwise."""
    return {"id": name, "locale": "en", "title": title, "text": text, "vector": vector, **more}


# Three editions that differ in amount, date and place, one of them also in German; two that differ in wording alone.
DOCUMENTS = [
    document(
        "hail-a",
        HAIL,
        "The insured bears €500 of each hail loss, from 1 April 2023, for vehicles garaged in Germany.",
        [1.0, 0.02, 0.0, 0.0],
    ),
    document(
        "hail-b",
        HAIL,
        "The insured bears €750 of each hail loss, from 1 April 2024, for vehicles garaged in Germany.",
        [1.0, 0.04, 0.0, 0.0],
    ),
    document(
        "hail-c",
        HAIL,
        "The insured bears €900 of each hail loss, from 1 April 2024, for vehicles garaged in Austria.",
        [1.0, 0.06, 0.0, 0.0],
    ),
    document(
        "hail-a-de",
        "Hagelselbstbehalt, Flotte",
        "Der Versicherte trägt 500 € jedes Hagelschadens, ab 1. April 2023, in Deutschland.",
        [1.0, 0.03, 0.0, 0.0],
        locale="de",
        canonical_id="hail-a",
    ),
    document(
        "theft-1",
        THEFT,
        "Tools stolen from a locked site hut are covered when the lock was forced open.",
        [0.0, 0.0, 1.0, 0.02],
    ),
    document(
        "theft-2",
        THEFT,
        "Tools taken from a locked site hut are insured when the lock has been forced open.",
        [0.0, 0.0, 1.0, 0.04],
    ),
    document(
        "cargo",
        "Cargo clauses",
        "Wilful misconduct of the crew against the shipowner, known as barratry, is insured.",
        [0.0, 0.7, 0.0, 0.7],
    ),
]
QUERIES = [
    {
        "query_id": "q2",
        "locale": "en",
        "text": "hail deductible 2023 Germany",
        "gold_canonical_id": "hail-a",
        "vector": [1.0, 0.0, 0.0, 0.0],
    },
    {"query_id": "q1", "locale": "en", "text": "stolen tools", "vector": [0.0, 0.0, 1.0, 0.0]},
]
LOG = [("hagel sb flotte", "de", 214), ("水濡れ 免責", "ja", 132), ("how do I report a broken window to you", "en", 9)]


def bring_claims(folder: Path) -> Corpus:
    """Import the corpus, its queries with their vectors, and its log."""
    file = written(folder, "claims.jsonl", *DOCUMENTS)
    answer = bring("import_corpus", "claims", file, "--vectors", file, "--encoder-name", "outside")
    assert answer.counts == (7, 7, 0, 0), answer.json
    answer = bring("import_queries", "claims", written(folder, "queries.jsonl", *QUERIES))
    assert answer.counts == (2, 2, 0, 0), answer.json
    corpus = Corpus.objects.get(slug="claims")
    bring_query_vectors(corpus, {str(query["query_id"]): query["vector"] for query in QUERIES})
    LogQuery.objects.bulk_create(
        LogQuery(corpus=corpus, text=text, locale=locale, count=count, sha256=f"{number:064x}")
        for number, (text, locale, count) in enumerate(LOG)
    )
    return corpus


def bring_query_vectors(corpus: Corpus, vectors: dict[str, Any]) -> None:
    """Vectors of queries, made where those of the documents were made."""
    space = EmbeddingSpace.objects.get(corpus=corpus, current=True)
    QueryVector.objects.bulk_create(
        QueryVector(
            space=space,
            query=Query.objects.get(corpus=corpus, external_id=name),
            vector=np.array(vector, dtype="<f4").tobytes(),
        )
        for name, vector in vectors.items()
    )


def lines_in(file: Path) -> list[dict[str, Any]]:
    """The objects of a JSON Lines file."""
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def mine(*miners: str) -> None:
    """Mine the families here and now, in the open generation."""
    for miner in miners:
        assert run("mine", "claims", "--miner", miner, "--wait")[0] == 0


def next_generation(corpus: Corpus, *, year: int = 2030) -> Generation:
    """Open the next generation, due on the first day of a year, with nothing asked for in it."""
    index = generations.production_index(corpus=corpus)
    return generations.open_next(index=index, due_on=date(year, 1, 1), now=timezone.now())
