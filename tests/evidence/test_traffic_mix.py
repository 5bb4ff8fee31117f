"""The mix of a real query log, beside a set that asks other things; and how long the report takes."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from curation.models import Corpus, CorpusLocale, LogQuery
from tests import factories

from .conftest import Ask, Record

pytestmark = pytest.mark.django_db
LOCALES = ("en", "es", "fr", "de", "ja", "tr")


def test_covid_log_against_a_set_of_english_questions(ask: Ask, record: Record, corpora: Path) -> None:
    """The log names no language, so each search stands under a guess; nothing is judged, so the set is staged."""
    folder = corpora / "covid-query-log"
    ask("import_corpus", "covid", folder / "corpus.jsonl")
    corpus = Corpus.objects.get(slug="covid")
    CorpusLocale.objects.bulk_create(
        (CorpusLocale(corpus=corpus, locale=locale) for locale in LOCALES), ignore_conflicts=True
    )
    began = time.monotonic()
    ask("import_log", "covid", folder / "querylog.csv")
    brought = time.monotonic() - began
    assert LogQuery.objects.filter(words=None).count() == 0
    stage_questions(corpus)
    began = time.monotonic()
    told = ask("log_mix", "covid")
    took = time.monotonic() - began
    assert told["period"] == {"since": "2020-01-01", "until": "2020-03-31"}
    by_locale = {each["locale"]: each for each in told["locales"]}
    assert sum(each["searches"] for each in told["locales"]) == sum(LogQuery.objects.values_list("count", flat=True))
    english = by_locale["en"]
    assert english["queries"] == 88
    rows = [row_of(each) for each in english["strata"]]
    head = ["script", "type", "words", "searches", "traffic", "counted", "set", "standing"]
    record("covid-query-log, English searches of Q1 2020 beside the 88 questions of its corpus", head, rows)
    record(
        "covid-query-log, searches by guessed locale",
        ["locale", "searches", "navigational", "question", "code or error"],
        [[name, each["searches"], *types(each)] for name, each in by_locale.items()],
    )
    record(
        "covid-query-log, seconds for its 33,871 lines",
        ["imported and read", "report"],
        [[f"{brought:.1f}", f"{took:.2f}"]],
    )


def row_of(stratum: dict[str, Any]) -> list[Any]:
    """A stratum of the mix as a row of the table."""
    return [
        stratum["script"],
        stratum["query_type"],
        stratum["words"],
        stratum["searches"],
        percent(stratum["traffic_share"]),
        stratum["queries"],
        percent(stratum["set_share"]),
        stratum["standing"],
    ]


def stage_questions(corpus: Corpus) -> None:
    """The 88 questions of the corpus as counted English queries."""
    titles = corpus.documents.order_by("external_id").values_list("texts__title", flat=True)
    stratum = factories.a_stratum(corpus, "en en Latn question distinctive")
    for query, title in zip(factories.judged_queries(stratum, len(titles)), titles, strict=True):
        query.text = title
        query.save(update_fields=["text"])


def percent(share: float | None) -> str:
    """A share of 0 to 1 in words."""
    return "" if share is None else f"{100 * share:.1f} %"


def types(mix: dict[str, object]) -> list[str]:
    """The shares of the three types."""
    found: dict[str, dict[str, float | None]] = mix["dimensions"]["query_type"]["classes"]  # type: ignore[index]  # JSON
    return [percent(each["traffic_share"]) for each in found.values()]
