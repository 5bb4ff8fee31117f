"""The board over 20,000 queries, in a database that is left as it was."""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from statistics import median

from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.management import call_command
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext

from curation.models import (
    Corpus,
    Membership,
    Qrel,
    Query,
    QueryScore,
    RankedRun,
    Role,
    Stratum,
    TrafficReading,
    TrafficShare,
    User,
)
from curation.models.strata import QueryType, Slice

from . import Row

LOCALES = ["en", "de", "fr", "ja", "es", "tr", "it", "nl", "pl", "ar", "pt", "th", "sr-Latn", "et"]
DOCUMENT_LANGUAGES = LOCALES[:5]
SCRIPTS = {"ja": ["Jpan-kanji", "Jpan-kana"], "ar": ["Arab", "Arab-plain"], "th": ["Thai"], "en": ["Latn"]}
QUERIES, GRADES, ROUNDS = 20_000, 3, 5
BY_LANGUAGE = ["Latn", "Latn-plain"]
END = datetime(2026, 11, 30, tzinfo=UTC)
ADDRESS = "/c/bench-board/coverage/?run=bench&cell=tr,en"


def coverage() -> list[Row]:
    """14 x 5 languages x scripts x 3 types x 4 slices, 20,000 judged queries and a run: the page as a lead gets it."""
    with transaction.atomic():
        client = lead_of(planted())
        if getattr(staticfiles_storage, "hashed_files", None) == {}:  # pages name styles by their hashes
            call_command("collectstatic", interactive=False, verbosity=0)
        if connection.vendor == "postgresql":
            known_to_postgresql()
        taken = rounds(client)
        with CaptureQueriesContext(connection) as asked:
            opened(client)
        transaction.set_rollback(True)
    what = f"board of {QUERIES:,} queries with {GRADES} grades each"
    wall, own = (median(each) for each in zip(*taken, strict=True))
    return [{"what": what, "ours_s": wall, "cpu_s": own, "sql": len(asked), "database": connection.vendor}]


def known_to_postgresql() -> None:
    """Let PostgreSQL look at the new rows, as its autovacuum does within a minute of an import."""
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def rounds(client: Client) -> list[tuple[float, float]]:
    """Seconds by the clock, and of this process alone, of some rounds after one that warms up."""
    opened(client)
    taken = []
    for _ in range(ROUNDS):
        clock, own = time.perf_counter(), time.process_time()
        opened(client)
        taken.append((time.perf_counter() - clock, time.process_time() - own))
    return taken


def opened(client: Client) -> None:
    """Get the page whole, through every layer of the product."""
    answer = client.get(ADDRESS, secure=True)
    if answer.status_code != 200:
        raise AssertionError(f"The board answered {answer.status_code}: no speed counts.")


def lead_of(run: RankedRun) -> Client:
    """A browser of a lead of the run's corpus."""
    lead = User.objects.create_user("bench-board-lead")
    Membership.objects.create(corpus=run.corpus, user=lead, role=Role.LEAD)
    host = next((name for name in settings.ALLOWED_HOSTS if name not in {"", "*"}), "localhost").lstrip(".")
    client = Client(headers={"host": host})
    client.force_login(lead)
    return client


def planted() -> RankedRun:
    """A corpus with its strata, queries, qrels and one run."""
    corpus = Corpus.objects.create(slug="bench-board", name="Bench")
    reading = TrafficReading.objects.create(
        corpus=corpus, as_of=END.date(), source=TrafficReading.Source.TYPED, stated_at=END
    )
    shares = (TrafficShare(reading=reading, locale=locale, share=1 / len(LOCALES)) for locale in LOCALES)
    TrafficShare.objects.bulk_create(shares)
    strata = Stratum.objects.bulk_create(strata_of(corpus))
    queries = Query.objects.bulk_create(queries_in(strata), batch_size=2000)
    Qrel.objects.bulk_create(grades_of(queries), batch_size=2000)
    run = RankedRun.objects.create(corpus=corpus, name="bench", k=10, measured_at=END)
    scores = (QueryScore(run=run, query=q, k=10, gold_rank=1 if q.pk % 5 else None) for q in queries)
    QueryScore.objects.bulk_create(scores, batch_size=2000)
    return run


def strata_of(corpus: Corpus) -> Iterator[Stratum]:
    """Every crossing, each locale in the scripts it is written in."""
    for locale, language, kind, family in itertools.product(
        LOCALES, DOCUMENT_LANGUAGES, QueryType.values, Slice.values
    ):
        for script in SCRIPTS.get(locale, BY_LANGUAGE):
            yield Stratum(
                corpus=corpus,
                query_language=locale,
                corpus_language=language,
                script=script,
                query_type=kind,
                slice=family,
                planned=30,
            )


def queries_in(strata: Sequence[Stratum]) -> Iterator[Query]:
    """Judged queries, dealt out to the strata, judged over a year."""
    for n in range(QUERIES):
        stratum = strata[n % len(strata)]
        yield Query(
            corpus=stratum.corpus,
            external_id=f"q{n}",
            stratum=stratum,
            text=f"q {n}",
            original_text=f"q {n}",
            folded_hash=f"{n:064x}",
            origin="imported",
            status="judged",
            gold_canonical_id=f"d{n}",
            judged_at=END - timedelta(days=n % 365),
        )


def grades_of(queries: Sequence[Query]) -> Iterator[Qrel]:
    """Of each query the gold, and articles that do not answer it."""
    for query in queries:
        yield Qrel(query=query, canonical_id=query.gold_canonical_id, grade=3, source="imported")
        for place in range(1, GRADES):
            yield Qrel(query=query, canonical_id=f"other-{place}", grade=0, source="imported")
