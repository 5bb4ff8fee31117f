"""Needs stated by hand."""

from __future__ import annotations

from http import HTTPStatus

import pytest
from django.test import Client
from django.utils import timezone

from curation.actions.meetings import Grade
from curation.actions.qrels import settle
from curation.models import Corpus, CorpusLocale, Need, Qrel, Query, User
from tests import factories

from .scene import a_need, an_article, questions_of

pytestmark = pytest.mark.django_db

ADDRESS = "/c/claims/needs/"
STATED = {"text": "Is theft covered?", "context": "", "gold_canonical_id": "", "slice_hint": ""}


def post(client: Client, where: str = "add/", **fields: str) -> str:
    return client.post(ADDRESS + where, {**STATED, **fields}, follow=True).content.decode()


def test_lead_states_a_need_with_its_gold_and_slice(lead: Client, corpus: Corpus) -> None:
    an_article(corpus, "CG-1", "en")
    post(lead, context="A broker asks", gold_canonical_id="CG-1", slice_hint="rare_entity")
    need = Need.objects.get()
    assert (need.text, need.context) == ("Is theft covered?", "A broker asks")
    assert (need.gold_canonical_id, need.slice_hint, need.is_english) == ("CG-1", "rare_entity", True)


def test_gold_that_no_document_has_is_refused(lead: Client, corpus: Corpus) -> None:
    an_article(factories.a_corpus("others"), "CG-1", "en")
    assert "No document of this corpus has the canonical id CG-1." in post(lead, gold_canonical_id="CG-1")
    assert not Need.objects.exists()


def test_same_form_sent_twice_states_one_need(lead: Client) -> None:
    assert "Need saved." in post(lead)
    assert "Need saved." in post(lead)
    assert Need.objects.count() == 1


def test_second_need_with_the_same_text_is_refused(lead: Client, corpus: Corpus) -> None:
    a_need(corpus, "Is theft covered?")
    assert "A need with this text is here already" in post(lead)


def test_need_is_changed_and_counts_as_english_from_then_on(lead: Client, corpus: Corpus) -> None:
    need = a_need(corpus, "Hırsızlık?", is_english=False)
    post(lead, f"{need.pk}/edit/")
    need.refresh_from_db()
    assert (need.text, need.is_english) == ("Is theft covered?", True)


def test_need_cannot_take_the_text_of_another(lead: Client, corpus: Corpus) -> None:
    a_need(corpus, "Is theft covered?")
    other = a_need(corpus, "Is fire covered?")
    assert "Another need has this text already" in post(lead, f"{other.pk}/edit/")


def test_list_counts_the_wordings_of_each_locale(lead: Client, corpus: Corpus) -> None:
    need = a_need(corpus)
    factories.a_query(factories.a_stratum(corpus), need=need)
    few = questions_of(lambda: lead.get(ADDRESS))
    factories.a_query(factories.a_stratum(corpus, "tr en Latn-plain question distinctive"), need=need)
    factories.a_query(factories.a_stratum(corpus, "de en Latn question distinctive"), need=need)
    factories.a_query(
        factories.a_stratum(corpus, "ja en Jpan-kana question distinctive"),
        need=need,
        status="retired",
        retired_reason="a test",
    )
    a_need(corpus, "Another")
    page = lead.get(ADDRESS).content.decode()
    assert questions_of(lambda: lead.get(ADDRESS)) == few <= 15
    for locale, words in (("de", "German 1"), ("tr", "Turkish 2")):
        assert f'need={need.pk}&amp;query_language={locale}">{words}</a>' in page
    assert "Japanese 1" not in page


def listed(client: Client, asked: str = "") -> list[str]:
    return [need.text for need in client.get(ADDRESS + asked).context["page"]]


@pytest.fixture
def three(corpus: Corpus) -> list[Need]:
    """Hail is worded in Turkish and German, fog in Turkish, rain (rare, with a gold) nowhere."""
    for locale in ("de", "tr"):
        CorpusLocale.objects.create(corpus=corpus, locale=locale)
    hail, fog = a_need(corpus, "Hail?"), a_need(corpus, "Fog?", context="A broker asks")
    rain = a_need(corpus, "Rain?", slice_hint="rare_entity", gold_canonical_id="CG-1", external_id="n3")
    turkish = factories.a_stratum(corpus)
    factories.a_query(turkish, need=hail)
    factories.a_query(turkish, need=fog)
    factories.a_query(factories.a_stratum(corpus, "de en Latn question distinctive"), need=hail)
    factories.a_query(turkish, need=rain, status="retired", retired_reason="a test")
    return [hail, fog, rain]


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("?locale=tr&lacks=1", {"Rain?"}),
        ("?locale=de&lacks=1", {"Fog?", "Rain?"}),
        ("?locale=de&lacks=0", {"Hail?"}),
        ("?lacks=1", {"Fog?", "Rain?"}),
        ("?lacks=0", {"Hail?"}),
        ("?slice=rare_entity", {"Rain?"}),
        ("?slice=distinctive", {"Hail?", "Fog?"}),
        ("?gold=0", {"Rain?"}),
        ("?gold=1", {"Hail?", "Fog?"}),
        ("?search=broker", {"Fog?"}),
        ("?search=n3", {"Rain?"}),
        ("?locale=tr&lacks=1&slice=distinctive", set()),
    ],
)
def test_list_is_filtered(lead: Client, three: list[Need], asked: str, found: set[str]) -> None:
    assert set(listed(lead, asked)) == found


def test_unknown_filter_is_refused_and_lists_nothing(lead: Client, three: list[Need]) -> None:
    answer = lead.get(f"{ADDRESS}?locale=xx")
    assert (answer.status_code, list(answer.context["page"])) == (HTTPStatus.BAD_REQUEST, [])


def test_counts_of_missing_wordings_link_to_their_lists(lead: Client, three: list[Need]) -> None:
    answer = lead.get(ADDRESS)
    assert answer.context["lacking"] == [("de", 2), ("tr", 1)]
    page = answer.content.decode()
    for locale, count in answer.context["lacking"]:
        assert f'href="?locale={locale}&amp;lacks=1"' in page
        assert len(listed(lead, f"?locale={locale}&lacks=1")) == count
    assert {row.need.text: row.lacking for row in answer.context["rows"]} == {
        "Hail?": [],
        "Fog?": ["de"],
        "Rain?": ["de", "tr"],
    }


def test_counts_of_wordings_link_to_the_queries_they_count(lead: Client, corpus: Corpus, three: list[Need]) -> None:
    def queries(asked: str) -> int:
        return len(lead.get(f"/c/claims/queries/{asked}").context["page"])

    assert queries(f"?need={three[0].pk}&query_language=tr") == 1
    assert queries(f"?need={three[0].pk}") == 2
    assert lead.get("/c/claims/queries/?need=hail").status_code == HTTPStatus.BAD_REQUEST


def test_list_takes_the_same_number_of_queries_for_one_row_and_for_many(lead: Client, three: list[Need]) -> None:
    few = questions_of(lambda: lead.get(ADDRESS))
    for number in range(30):
        a_need(three[0].corpus, f"Another {number}?")
    assert questions_of(lambda: lead.get(ADDRESS)) == few


def test_writer_reads_needs_and_changes_none(client: Client, aylin: User, three: list[Need]) -> None:
    client.force_login(aylin)
    rain = three[2]
    page = client.get(ADDRESS).content.decode()
    assert f'href="/c/claims/write/?locale=tr&amp;need={rain.pk}"' in page
    assert "Add a need" not in page
    for where in ("add/", "make/", f"{rain.pk}/edit/"):
        assert client.post(f"{ADDRESS}{where}", STATED).status_code == HTTPStatus.FORBIDDEN


def test_page_of_a_need_leads_its_writer_to_the_desk(client: Client, aylin: User, three: list[Need]) -> None:
    client.force_login(aylin)
    page = client.get(f"{ADDRESS}{three[2].pk}/").content.decode()
    assert f'href="/c/claims/write/?locale=tr&amp;need={three[2].pk}"' in page
    assert "Write it in Turkish" in page
    assert "Write it in German" not in page
    assert "Edit" not in page
    assert three[2].text in client.get(f"/c/claims/write/?locale=tr&need={three[2].pk}").content.decode()


def test_writer_opens_their_own_wordings_and_unfolds_those_of_others(
    client: Client, aylin: User, lena: User, three: list[Need]
) -> None:
    own = factories.a_query(factories.a_stratum(three[2].corpus), "yağmur?", need=three[2], author=aylin)
    german = factories.a_stratum(three[2].corpus, "de en Latn question distinctive")
    other = factories.a_query(german, "Regen?", need=three[2], author=lena)
    client.force_login(aylin)
    page = client.get(f"{ADDRESS}{three[2].pk}/").content.decode()
    assert f"/c/claims/queries/{own.pk}/" in page
    assert f"/c/claims/queries/{other.pk}/" not in page
    assert "</summary>Regen?</details>" in page


def test_page_of_a_need_takes_the_same_number_of_queries_for_many_wordings(lead: Client, three: list[Need]) -> None:
    address = f"{ADDRESS}{three[0].pk}/"
    few = questions_of(lambda: lead.get(address))
    for kind in ("navigational", "error_string"):
        stratum = factories.a_stratum(three[0].corpus, f"de en Latn {kind} distinctive")
        factories.a_query(stratum, need=three[0], status="judged")
    assert questions_of(lambda: lead.get(address)) == few <= 12


def test_judged_wording_keeps_gold_and_cell_when_its_need_is_changed(lead: Client, corpus: Corpus) -> None:
    """Its gold was stored when it was judged; ready wordings take the need's gold when they are judged."""
    an_article(corpus, "CG-1", "en")
    an_article(corpus, "CG-2", "tr", source="tr")
    need = a_need(corpus, gold_canonical_id="CG-1")
    [query] = factories.judged_queries(factories.a_stratum(corpus), 1)
    Query.objects.filter(pk=query.pk).update(need=need, gold_canonical_id="CG-1")
    Qrel.objects.bulk_create(Qrel(query=query, canonical_id=f"CG-{n}", grade=3, source="agreed") for n in (1, 2))
    page = lead.get(f"{ADDRESS}{need.pk}/edit/").content.decode()
    assert "1 of them is judged: it keeps its gold until somebody judges it anew." in page
    post(lead, f"{need.pk}/edit/", gold_canonical_id="CG-2", slice_hint="rare_entity")
    settle(corpus=corpus, grades=[Grade(query.pk, "CG-3", 0, "agreed")], now=timezone.now())
    after = Query.objects.get()
    assert (after.gold_canonical_id, after.stratum_id, after.status) == ("CG-1", query.stratum_id, "judged")
    assert Need.objects.get().gold_canonical_id == "CG-2"
