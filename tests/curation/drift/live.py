"""A corpus whose index in production is exact search, and live queries that aim at its documents."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from curation.actions.live_queries import take
from curation.formats.live_queries import read_object
from curation.models import Corpus, TargetIndex
from tests import factories
from tests.judging import stage

DOCUMENTS = [f"d{number:02}" for number in range(30)]
TEN = DOCUMENTS[:10]
NOW = datetime(2026, 7, 14, 3, 0, tzinfo=UTC)  # when the tick comes: it reads the 13th
DAY = NOW.date() - timedelta(days=1)


def a_served_corpus(slug: str = "claims", **fields: Any) -> TargetIndex:
    """Thirty documents a degree apart; "storm" points at the first, so its exact ten are d00 … d09."""
    corpus = factories.a_corpus(slug, **fields)
    for name in DOCUMENTS:
        stage.a_document(corpus, name)
    stage.a_space(corpus, {name: float(place) for place, name in enumerate(DOCUMENTS)})
    stage.aims(factories.a_query(factories.a_stratum(corpus), "storm"))
    return corpus.indexes.create(name="r3", kind="exact", is_production=True)


def told(
    index: TargetIndex, *served: list[str] | None, at: datetime = NOW - timedelta(hours=9), text: str = "storm"
) -> None:
    """One live query for each list of served documents, at different moments."""
    queries = [
        read_object(
            {"text": text, "locale": "en", "asked_at": (at + timedelta(seconds=place)).isoformat(), "served": each}
        )
        for place, each in enumerate(served)
    ]
    take(index=index, queries=queries, now=at)


def a_rollback_target(corpus: Corpus) -> TargetIndex:
    """An index before `r3` to which a rollback could lead."""
    return corpus.indexes.create(name="old", kind="exact")
