"""The board over 20,000 queries, in a database that is left as it was."""

from __future__ import annotations

import itertools

from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from curation.models import Corpus, Qrel, Query, QueryScore, QueryType, RankedRun, Slice, Stratum
from curation.reports.board import board
from curation.reports.coverage import Question

from . import Row, seconds

LOCALES = ["en", "de", "fr", "ja", "es", "tr", "it", "nl", "pl", "ar", "pt", "th", "sr-Latn", "et"]
DOCUMENT_LANGUAGES = LOCALES[:5]
QUERIES = 20_000


def coverage() -> list[Row]:
    """14 x 5 languages x 3 types x 4 slices, 20,000 judged queries and a run: time and number of SQL queries."""
    with transaction.atomic():
        run = planted()
        question = Question(run=run)
        taken = seconds(lambda: board(run.corpus, question))
        with CaptureQueriesContext(
            connection,
        ) as asked:
            board(run.corpus, question)
        transaction.set_rollback(True)
    return [
        {"what": f"board of {QUERIES:,} queries", "ours_s": taken, "sql": len(asked), "database": connection.vendor}
    ]


def planted() -> RankedRun:
    """A corpus with its strata, queries, qrels and one run."""
    corpus = Corpus.objects.create(slug="bench-board", name="Bench")
    crossing = itertools.product(LOCALES, DOCUMENT_LANGUAGES, QueryType.values, Slice.values)
    strata = Stratum.objects.bulk_create(
        Stratum(corpus=corpus, query_language=a, corpus_language=b, script="Latn", query_type=c, slice=d)
        for a, b, c, d in crossing
    )
    queries = Query.objects.bulk_create(
        (
            Query(
                corpus=corpus,
                external_id=f"q{n}",
                stratum=strata[n % len(strata)],
                text=f"q {n}",
                original_text=f"q {n}",
                folded_hash=f"{n:064x}",
                origin="imported",
                status="judged",
                gold_canonical_id=f"d{n}",
            )
            for n in range(QUERIES)
        ),
        batch_size=2000,
    )
    Qrel.objects.bulk_create(
        (Qrel(query=q, canonical_id=q.gold_canonical_id, grade=3, source="imported") for q in queries), batch_size=2000
    )
    run = RankedRun.objects.create(corpus=corpus, name="bench", k=10, measured_at=timezone.now())
    scores = (QueryScore(run=run, query=q, k=10, gold_rank=1 if q.pk % 5 else None) for q in queries)
    QueryScore.objects.bulk_create(scores, batch_size=2000)
    return run
