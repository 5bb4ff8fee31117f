"""The plan: what a stratum shall hold."""

from __future__ import annotations

import pytest
from django.test import Client

from curation.models import Corpus, Role, Stratum
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
    "priority": "0",
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
        ({"script": "Jpan-kana"}, "Turkish is not written so. Choose one of: Latn (Latin, diacritics), Latn-plain ("),
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


def rows(*strata: Stratum, **changed: str) -> dict[str, str]:
    """The form of the page for these strata, as a browser posts it, each with the fields `changed`."""
    posted: dict[str, str] = {}
    for stratum in strata:
        held = {name: str(getattr(stratum, name)) for name in ("planned", "use", "priority")}
        posted |= {f"stratum-{stratum.pk}-{name}": value for name, value in {**held, **changed}.items()}
        posted |= {f"initial-stratum-{stratum.pk}-{name}": value for name, value in held.items()}
    return posted


def save(client: Client, posted: dict[str, str]) -> str:
    return client.post(f"{ADDRESS}save/?query_language=tr", posted, follow=True).content.decode()


def test_all_rows_are_saved_by_one_button(lead: Client, corpus: Corpus) -> None:
    one, other = (factories.a_stratum(corpus, f"tr en Latn {kind} keyword") for kind in ("question", "navigational"))
    assert "The plan of 2 strata is changed." in save(lead, rows(one, other, planned="40", priority="1"))
    assert set(Stratum.objects.values_list("planned", "use", "priority")) == {(40, "gate", 1)}


def test_a_row_that_was_left_alone_keeps_what_another_lead_planned_meanwhile(lead: Client, corpus: Corpus) -> None:
    one, other = (factories.a_stratum(corpus, f"tr en Latn {kind} keyword") for kind in ("question", "navigational"))
    posted = rows(one, planned="40") | rows(other)
    Stratum.objects.filter(pk=other.pk).update(planned=70)
    Stratum.objects.filter(pk=one.pk).update(use="compare")
    assert "The plan of 1 stratum is changed." in save(lead, posted)
    assert set(Stratum.objects.values_list("planned", "use")) == {(40, "compare"), (70, "gate")}
    assert "Nothing was to be changed." in save(lead, rows(Stratum.objects.get(planned=70)))


def test_a_wrong_row_is_marked_and_nothing_is_stored(lead: Client, corpus: Corpus) -> None:
    one, other = (factories.a_stratum(corpus, f"tr en Latn {kind} keyword") for kind in ("question", "navigational"))
    page = save(lead, rows(one, planned="40") | rows(other, priority="10"))
    assert "Nothing is stored: correct the marked rows." in page
    assert "Priority: Ensure this value is less than or equal to 9." in page
    assert not Stratum.objects.filter(planned=40).exists()


def test_stratum_of_another_corpus_cannot_be_changed(lead: Client) -> None:
    foreign = factories.a_stratum(factories.a_corpus("others"), planned=30)
    save(lead, rows(foreign, planned="0"))
    foreign.refresh_from_db()
    assert foreign.planned == 30


def test_every_row_of_the_page_posts_back_unchanged(lead: Client, corpus: Corpus) -> None:
    stratum = factories.a_stratum(corpus, planned=30, priority=2)
    page = lead.get(ADDRESS).content.decode()
    for name, value in (("planned", "30"), ("priority", "2")):
        assert f'name="stratum-{stratum.pk}-{name}" value="{value}"' in page
    for name, value in (("planned", "30"), ("priority", "2"), ("use", "gate")):
        assert f'type="hidden" name="initial-stratum-{stratum.pk}-{name}" value="{value}"' in page


@pytest.mark.parametrize("narrowed", [False, True])
def test_the_hours_of_the_plan_are_of_the_queries_that_it_counts(
    client: Client, lead: Client, corpus: Corpus, *, narrowed: bool
) -> None:
    for locale in ("tr", "de"):
        factories.a_stratum(corpus, f"{locale} en Latn question distinctive", planned=100)
    if narrowed:
        client.force_login(factories.member(corpus, factories.person("ayse"), Role.LEAD, languages=["tr"]))
    page = client.get(ADDRESS if narrowed else f"{ADDRESS}?query_language=tr").content.decode()
    assert "100 queries planned" in page
    assert (
        "What lacks takes 5:00 h of writing and 3:00 h of judging: 8:00 h, 1.0 person-days of 8 h, or 1 whole day where"
        in page
    )
    assert "Keeping 1 locale fresh takes 0.5 person-days a quarter." in page
    unplanned = client.get(f"{ADDRESS}?query_language=zz").content.decode()
    assert "0 queries planned in zz." in unplanned
    assert "of writing" not in unplanned
    assert "a quarter" not in unplanned


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
