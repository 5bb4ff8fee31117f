"""The page of locales: script variants apart, merged codes, bare codes, and how well types are detected."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.test import Client

from curation.models import Corpus
from tests import factories
from tests.bringing import bring

from .scene import a_need, questions_of

pytestmark = pytest.mark.django_db

ADDRESS = "/c/claims/locales/"


def test_c50_list_of_locales_after_the_import(lead: Client, corpus: Corpus, cases: Path) -> None:
    answer = bring("import_queries", "claims", cases / "c50-queries.csv", "--keep-good")
    assert [text for text in answer.notices if "read as" in text] == [
        "iw is read as he (Hebrew).",
        "TR, tr-TR, tr_TR are read as tr (Turkish).",
        "zh-CN, zh_Hans are read as zh-Hans (Chinese (Simplified)).",
    ]
    shown = lead.get(ADDRESS)
    assert {row.locale: row.queries for row in shown.context["rows"]} == {
        "he": 2,
        "sr-Cyrl": 1,
        "sr-Latn": 1,
        "tr": 4,
        "zh-Hans": 2,
    }
    page = shown.content.decode()
    assert "heb, iw" in page
    for asked in (
        "sr</span> alone is refused, and you are asked: Serbian is written in several scripts; write sr-Cyrl (Cyrillic)",
        "zh</span> alone is refused, and you are asked: Chinese is written in several scripts; write zh-Hans (Simplified",
    ):
        assert asked in page


def test_every_count_of_a_locale_links_to_its_list(lead: Client, corpus: Corpus) -> None:
    a_need(corpus)
    factories.a_query(factories.a_stratum(corpus))
    factories.a_query(factories.a_stratum(corpus, "tr en Latn-plain question distinctive"))
    factories.a_query(factories.a_stratum(corpus), status="retired", retired_reason="a test")
    corpus.locales.create(locale="tr")
    [row] = lead.get(ADDRESS).context["rows"]
    assert (row.queries, row.lacking, row.scripts) == (2, 1, [("Latn", 1), ("Latn-plain", 1)])
    page = lead.get(ADDRESS).content.decode()
    for where, count in (
        ("queries/?query_language=tr", 2),
        ("queries/?query_language=tr&script=Latn-plain", 1),
        ("needs/?locale=tr&lacks=1", 1),
    ):
        assert f'href="/c/claims/{where.replace("&", "&amp;")}"' in page
        assert len(lead.get(f"/c/claims/{where}").context["page"]) == count


def test_corrected_types_are_told_beside_what_was_detected(lead: Client, corpus: Corpus) -> None:
    stratum = factories.a_stratum(corpus)
    right, wrong = (factories.a_query(stratum, metadata={"guessed_type": "question"}) for _ in range(2))
    factories.a_query(stratum)
    lead.post(f"/c/claims/queries/{wrong.pk}/type/", {"query_type": "navigational"})
    shown = lead.get(ADDRESS)
    rows = {row.guessed: (dict(row.kept), row.corrected, row.total) for row in shown.context["guesses"]}
    assert rows["question"] == ({"navigational": 1, "question": 1, "error_string": 0}, 1, 2)
    assert shown.context["unknown"] == 1
    assert "1 of 2" in shown.content.decode()
    assert right.stratum.query_type == "question"


def test_page_takes_the_same_number_of_queries_for_one_locale_and_for_many(lead: Client, corpus: Corpus) -> None:
    counts = []
    for locales in (["tr"], ["de", "ja", "ar", "th"]):
        for locale in locales:
            corpus.locales.create(locale=locale)
            factories.a_query(factories.a_stratum(corpus, f"{locale} en Latn question distinctive"))
        counts.append(questions_of(lambda: lead.get(ADDRESS)))
    assert counts[0] == counts[1] <= 16


def test_corpus_without_locales_says_where_they_come_from(lead: Client) -> None:
    assert "No locales yet" in lead.get(ADDRESS).content.decode()
