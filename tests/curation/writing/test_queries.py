"""Lists of queries, the page of one, and retiring it."""

from __future__ import annotations

import html
import re
from http import HTTPStatus

import pytest
from django.test import Client

from curation.models import CannotTell, Corpus, Qrel, Query, User
from tests import factories

from .scene import a_need, questions_of

pytestmark = pytest.mark.django_db

ADDRESS = "/c/claims/queries/"


def listed(client: Client, asked: str = "") -> set[str]:
    return {query.text for query in client.get(ADDRESS + asked).context["page"]}


def test_every_dimension_of_the_stratum_filters_the_list(lead: Client, corpus: Corpus) -> None:
    factories.a_query(factories.a_stratum(corpus, "tr en Latn question distinctive"), "bir")
    factories.a_query(factories.a_stratum(corpus, "de und Latn-plain navigational keyword"), "eins")
    assert listed(lead) == {"bir", "eins"}
    for asked in ("query_language=tr", "corpus_language=en", "script=Latn", "query_type=question", "slice=distinctive"):
        assert listed(lead, f"?{asked}") == {"bir"}


def test_an_id_or_words_search_the_list_beside_the_other_filters(lead: Client, corpus: Corpus) -> None:
    stratum = factories.a_stratum(corpus)
    factories.a_query(stratum, "Hail limit for fleets", external_id="O003")
    factories.a_query(stratum, "hail in Bavaria", external_id="O0031", status="judged")
    factories.a_query(factories.a_stratum(corpus, "de und Latn-plain navigational keyword"), "fleet", external_id="X1")
    assert listed(lead, "?words=o003") == {"Hail limit for fleets", "hail in Bavaria"}
    assert listed(lead, "?words=+FLEET++hail") == {"Hail limit for fleets"}
    assert listed(lead, "?words=hail&status=judged") == {"hail in Bavaria"}
    assert listed(lead, "?words=100%25") == set()
    page = lead.get(f"{ADDRESS}?words=fleet&query_language=de").content.decode()
    assert re.search(r'<input type="search" name="words" value="fleet"', page)
    assert "Unknown language</option>" in page


def test_status_filters_the_list_as_the_board_counts(lead: Client, corpus: Corpus) -> None:
    stratum = factories.a_stratum(corpus)
    factories.a_query(stratum, "ready")
    factories.a_query(stratum, "gone", status="retired", retired_reason="a test")
    factories.a_query(stratum, "no answer", status="judged")
    [counted] = factories.judged_queries(stratum, 1)
    [derived] = factories.judged_queries(stratum, 1, source="derived")
    assert listed(lead) == {"ready", "no answer", counted.text, derived.text}
    assert listed(lead, "?status=ready") == {"ready"}
    assert listed(lead, "?status=judged") == {"no answer", counted.text, derived.text}
    assert listed(lead, "?status=counted") == {counted.text}
    assert listed(lead, "?status=no_answer") == {"no answer"}
    assert listed(lead, "?status=have") == {"ready", counted.text}
    assert listed(lead, "?status=retired") == {"gone"}


@pytest.mark.parametrize("asked", ["status=lost", "judged_before=soon", "judged_before=0001-01-01", "written_for=x"])
def test_unknown_filter_is_refused_and_lists_nothing(lead: Client, corpus: Corpus, asked: str) -> None:
    factories.a_query(factories.a_stratum(corpus))
    answer = lead.get(f"{ADDRESS}?{asked}")
    assert answer.status_code == HTTPStatus.BAD_REQUEST
    assert list(answer.context["page"]) == []


def test_writer_sees_their_own_queries_only(client: Client, corpus: Corpus, lena: User) -> None:
    aylin = factories.aylin(corpus)
    stratum = factories.a_stratum(corpus)
    factories.a_query(stratum, "mine", author=aylin)
    other = factories.a_query(stratum, "hers", author=lena)
    client.force_login(aylin)
    assert listed(client) == {"mine"}
    assert client.get(f"{ADDRESS}{other.pk}/").status_code == HTTPStatus.NOT_FOUND


def test_each_query_carries_its_language_and_direction(lead: Client, corpus: Corpus) -> None:
    factories.a_query(factories.a_stratum(corpus, "ar en Arab question distinctive"), "هل تُغطّى السرقة؟")
    assert 'lang="ar" dir="rtl">هل تُغطّى السرقة؟</a>' in lead.get(ADDRESS).content.decode()


def test_list_takes_the_same_number_of_queries_for_one_row_and_for_many(
    lead: Client, corpus: Corpus, lena: User
) -> None:
    counts = []
    for rows in (1, 30):
        for number in range(rows):
            stratum = factories.a_stratum(corpus, f"tr en Latn question {['distinctive', 'keyword'][number % 2]}")
            factories.a_query(stratum, author=lena)
        counts.append(questions_of(lambda: lead.get(ADDRESS)))
    assert counts[0] == counts[1]


def test_long_list_has_pages_that_keep_the_filters(lead: Client, corpus: Corpus) -> None:
    stratum = factories.a_stratum(corpus)
    for _ in range(51):
        factories.a_query(stratum)
    page = lead.get(ADDRESS + "?query_language=tr").content.decode()
    assert "1–50 of 51" in page
    assert "?query_language=tr&amp;page=2" in page


def test_page_of_a_query_shows_its_grades_with_their_sources(lead: Client, corpus: Corpus, lena: User) -> None:
    query = factories.a_query(factories.a_stratum(corpus), "bir", need=a_need(corpus), status="judged")
    Qrel.objects.create(query=query, canonical_id="document-one", grade=3, source="adjudicated", decided_by=lena)
    Qrel.objects.create(query=query, canonical_id="document-two", grade=2, source="derived", original_score="1.0")
    Qrel.objects.create(query=query, canonical_id="document-three", grade=0, source="agreed", swept=True)
    CannotTell.objects.create(query=query, canonical_id="document-four")
    page = " ".join(lead.get(f"{ADDRESS}{query.pk}/").content.decode().split())
    assert (
        page.index("document-one")
        < page.index("document-two")
        < page.index("document-three")
        < page.index("document-four")
    )
    for words in ("Adjudicated", "Derived", "score 1.0 in its file", "seen, unmarked", "Is theft of cargo covered"):
        assert words in page


def test_lead_retires_a_query_with_a_reason_and_its_grades_stay(lead: Client, corpus: Corpus) -> None:
    [query] = factories.judged_queries(factories.a_stratum(corpus), 1)
    page = lead.post(f"{ADDRESS}{query.pk}/retire/", {"reason": "Asks two things"}, follow=True).content.decode()
    query.refresh_from_db()
    assert (query.status, query.retired_reason, query.metadata["retired_by"]) == ("retired", "Asks two things", "lena")
    assert query.qrels.count() == 1
    assert "<b>Retired:</b> Asks two things" in page


def test_first_reason_stays_when_a_query_is_retired_twice(lead: Client, corpus: Corpus) -> None:
    query = factories.a_query(factories.a_stratum(corpus))
    for reason in ("first", "second"):
        lead.post(f"{ADDRESS}{query.pk}/retire/", {"reason": reason})
    assert Query.objects.get().retired_reason == "first"


def test_query_is_not_retired_without_a_reason(lead: Client, corpus: Corpus) -> None:
    query = factories.a_query(factories.a_stratum(corpus))
    answer = lead.post(f"{ADDRESS}{query.pk}/retire/", {"reason": "  "})
    assert answer.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert Query.objects.get().status == "ready"


def test_counts_of_the_board_link_to_the_queries_they_count(lead: Client, corpus: Corpus) -> None:
    factories.judged_queries(factories.a_stratum(corpus), 2)
    factories.a_query(factories.a_stratum(corpus), status="judged")
    factories.judged_queries(factories.a_stratum(corpus, "tr en Latn-plain question distinctive"), 1)
    page = lead.get("/c/claims/coverage/?cell=tr,en&script=Latn").content.decode()
    counts = re.findall(r'<a href="/c/claims/queries/(\?[^"]*)">2<span class="sr"> counted queries', page)
    assert counts
    assert all(len(listed(lead, html.unescape(each))) == 2 for each in counts)
    [missing] = re.findall(r'<a href="/c/claims/queries/(\?[^"]*)">1 without an answer', page)
    assert len(listed(lead, html.unescape(missing))) == 1
