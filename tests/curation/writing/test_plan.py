"""The plan: what a stratum shall hold."""

from __future__ import annotations

import pytest
from django.test import Client

from curation.models import Corpus, Stratum
from tests import factories

from .scene import questions_of

pytestmark = pytest.mark.django_db

ADDRESS = "/c/claims/plan/"
STRATUM = {
    "query_language": "tr-TR",
    "corpus_language": "en",
    "script": "Latn-plain",
    "query_type": "question",
    "slice": "distinctive",
    "planned": "120",
    "use": "compare",
}


def add(client: Client, **fields: str) -> str:
    return client.post(ADDRESS, {**STRATUM, **fields}, follow=True).content.decode()


def test_lead_plans_a_stratum_in_the_one_form_of_its_languages(lead: Client, corpus: Corpus) -> None:
    page = add(lead)
    stratum = Stratum.objects.get()
    assert str(stratum) == "tr × en, Latn-plain, question, distinctive"
    assert (stratum.planned, stratum.use) == (120, "compare")
    assert "120 planned: Turkish × English, Latin without diacritics, question, distinctive." in page
    assert corpus.locales.get().locale == "tr"


def test_planning_a_stratum_that_is_there_sets_its_numbers(lead: Client, corpus: Corpus) -> None:
    factories.a_query(factories.a_stratum(corpus, "tr en Latn-plain question distinctive"))
    add(lead)
    assert Stratum.objects.get().planned == 120


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"script": "Jpan-kana"}, "Turkish is not written so. Choose one of: Latin, diacritics, Latin without"),
        ({"query_language": "sr"}, "Serbian is written in several scripts; write sr-Cyrl (Cyrillic) or sr-Latn"),
        ({"query_language": "qq"}, "The language code &quot;qq&quot; is not known"),
        ({"query_language": "und"}, "The language code &quot;und&quot; is not known"),
        ({"corpus_language": "qq"}, "The language code &quot;qq&quot; is not known"),
        ({"slice": "odd"}, "Select a valid choice"),
        ({"planned": "-1"}, "Ensure this value is greater than or equal to 0."),
    ],
)
def test_stratum_that_cannot_be_is_refused(lead: Client, fields: dict[str, str], words: str) -> None:
    assert words in add(lead, **fields)
    assert not Stratum.objects.exists()


def test_documents_of_an_unknown_language_can_be_planned_for(lead: Client) -> None:
    add(lead, corpus_language="und")
    assert Stratum.objects.get().corpus_language == "und"


def test_planned_count_and_use_change_in_their_row(lead: Client, corpus: Corpus) -> None:
    stratum = factories.a_stratum(corpus, planned=30)
    lead.post(f"{ADDRESS}{stratum.pk}/", {"planned": "0", "use": "screen"})
    stratum.refresh_from_db()
    assert (stratum.planned, stratum.use) == (0, "screen")


def test_stratum_of_another_corpus_cannot_be_changed(lead: Client) -> None:
    foreign = factories.a_stratum(factories.a_corpus("others"), planned=30)
    assert lead.post(f"{ADDRESS}{foreign.pk}/", {"planned": "0", "use": "screen"}).status_code == 404


def test_plan_shows_what_each_stratum_has_and_links_to_it(lead: Client, corpus: Corpus) -> None:
    few = questions_of(lambda: lead.get(ADDRESS))
    stratum = factories.a_stratum(corpus, planned=100)
    factories.judged_queries(stratum, 2)
    factories.a_query(stratum)
    page = lead.get(ADDRESS).content.decode()
    assert questions_of(lambda: lead.get(ADDRESS)) == few
    assert (
        "?query_language=tr&amp;corpus_language=en&amp;script=Latn&amp;query_type=question&amp;slice=distinctive&amp;status=have"
        '">3<span class="sr">'
    ) in page
