"""Saving a wording: into its stratum, once, and only where it is not there already."""

from __future__ import annotations

import hashlib
import json
from functools import partial
from http import HTTPStatus
from pathlib import Path
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.test import Client

from curation.models import Corpus, CorpusLocale, Job, Need, Query, Stratum, User
from tests import factories
from tests.faults.threads import together

from .scene import a_need, an_article

pytestmark = pytest.mark.django_db

ADDRESS = "/c/claims/write/"
TEXT = "tır gece bekçisiz kalırsa hırsızlık ödenir mi?"


@pytest.fixture
def writer(client: Client, aylin: User, need: Need) -> Client:
    client.force_login(aylin)
    return client


def form(need: Need, text: str = TEXT, **fields: Any) -> dict[str, Any]:
    return {"need": need.pk, "locale": "tr", "token": hashlib.md5(text.encode()).hexdigest(), "text": text, **fields}


def save(client: Client, need: Need, text: str = TEXT, **fields: Any) -> str:
    return client.post(ADDRESS, form(need, text, **fields), follow=True).content.decode()


def fault(page: str) -> str:
    """What stands in the place for faults, under the field."""
    return page.split('id="text-error">')[1].split("</p>", maxsplit=1)[0]


def test_saved_query_is_ready_in_the_stratum_of_its_text_and_need(writer: Client, need: Need, aylin: User) -> None:
    save(writer, need, f" {TEXT}  ")
    query = Query.objects.get()
    assert str(query.stratum) == "tr × en, Latn, question, distinctive"
    assert (query.text, query.original_text) == (TEXT, f" {TEXT}  ")
    assert (query.status, query.origin, query.author, query.need) == ("ready", "written", aylin, need)


def test_query_that_fills_the_last_cell_is_taken_back_from_the_page_that_says_so(writer: Client, need: Need) -> None:
    Stratum.objects.update(planned=1)
    page = save(writer, need)
    assert "Every planned cell of your languages is full" in page
    query = Query.objects.get()
    assert (f'name="query" value="{query.pk}"' in page, 'data-key="KeyU"' in page) == (True, True)
    assert TEXT in writer.post(f"{ADDRESS}undo/", {"query": query.pk}, follow=True).content.decode()


def test_saved_query_is_told_with_its_cell_and_how_full_it_is(writer: Client, need: Need, corpus: Corpus) -> None:
    factories.judged_queries(factories.a_stratum(corpus), 29)
    page = save(writer, need)
    assert "Query saved: Turkish × English, Latin, diacritics, question, distinctive. 30 of 100." in page


def test_saving_asks_for_the_pool(writer: Client, need: Need, aylin: User) -> None:
    save(writer, need)
    job = Job.objects.get()
    assert (job.kind, job.state, job.asked_by) == ("draw_pools", "queued", aylin)


def test_text_typed_without_own_letters_makes_a_stratum_that_was_not_planned(writer: Client, need: Need) -> None:
    save(writer, need, "tir gece bekcisiz kalirsa odenir mi?")
    assert str(Query.objects.get().stratum) == "tr × en, Latn-plain, question, distinctive"
    assert CorpusLocale.objects.get().locale == "tr"


def test_type_chosen_by_the_writer_wins_and_the_guess_is_kept(writer: Client, need: Need) -> None:
    save(writer, need, query_type="navigational")
    query = Query.objects.get()
    assert query.stratum.query_type == "navigational"
    assert query.metadata["guessed_type"] == "question"


def test_slice_comes_from_the_need_and_the_corpus_language_from_its_gold(writer: Client, corpus: Corpus) -> None:
    an_article(corpus, "CG-9", "tr", "ja", source="ja")
    save(writer, a_need(corpus, "Other", gold_canonical_id="CG-9", slice_hint="near_duplicate"))
    assert str(Query.objects.get().stratum) == "tr × ja, Latn, question, near_duplicate"


def test_need_without_a_gold_leaves_the_corpus_language_open(writer: Client, corpus: Corpus) -> None:
    save(writer, a_need(corpus, "No gold"))
    assert Query.objects.get().stratum.corpus_language == "und"


def test_identical_text_is_refused_by_the_id_and_text_of_its_twin(writer: Client, need: Need, corpus: Corpus) -> None:
    save(writer, need, "IŞIK HASARI")
    twin = Query.objects.get()
    page = save(writer, a_need(corpus, "Another"), "ışık  hasarı")
    assert f"Query {twin.external_id} is the same text, once case and spaces are folded: “IŞIK HASARI”." in fault(page)
    assert 'value="ışık  hasarı"' in page
    assert Query.objects.count() == 1


def test_variant_without_diacritics_is_no_twin(writer: Client, need: Need) -> None:
    save(writer, need, "ışık hasarı")
    save(writer, need, "isik hasari")
    assert Query.objects.count() == 2


def test_twin_that_is_retired_stops_nothing(writer: Client, need: Need, corpus: Corpus) -> None:
    save(writer, need)
    Query.objects.update(status="retired", retired_reason="a test")
    save(writer, need, token="another")
    assert Query.objects.count() == 2


def test_second_wording_of_a_need_in_one_stratum_is_refused_by_the_first(writer: Client, need: Need) -> None:
    save(writer, need)
    first = Query.objects.get()
    page = save(writer, need, "gece park eden tır için hırsızlık ödenir mi?")
    assert f"Query {first.external_id} words this need in the same cell already: “{TEXT}”." in fault(page)
    assert Query.objects.count() == 1


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "The query is empty. Write what someone would search for."),
        (" \u200b\u00ad ", "The query is empty."),
        ("ş" * 501, "The query has 501 characters; at most 500 are kept. Shorten it."),
        ("???", "The query has no letter and no digit, so nothing can be found by it. Write what someone would"),
        ("🛳️🛳️", "The query has no letter and no digit"),
        ("hırsız\u202elık", "The query holds the character U+202E, which nobody sees and which turns the text after"),
        ("hırsız\ufffe", "The query holds the character U+FFFE, which no screen shows; remove it."),
        ("hırsız\x07", "The query holds the control character U+0007, which no screen shows; remove it."),
        ("hırsız\0lık", "The text holds a NUL character, which no text can keep; remove it."),
    ],
)
def test_text_that_cannot_be_a_query_is_refused_under_the_field(
    writer: Client, need: Need, text: str, words: str
) -> None:
    answer = writer.post(ADDRESS, form(need, text))
    page = answer.content.decode()
    assert answer.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert words in fault(page)
    assert 'aria-describedby="text-hint text-error" aria-invalid="true"' in page
    assert not Query.objects.exists()


def test_unpaired_surrogate_is_refused_in_words(corpus: Corpus, aylin: User, need: Need) -> None:
    from curation.actions.written import write_query
    from curation.reports.checks import Typed, WordingRefused

    typed = Typed(need=need, locale="tr", text="yarım \ud83d harf")
    with pytest.raises(WordingRefused, match="half of a character"):
        write_query(corpus=corpus, typed=typed, author=aylin, token="t")


def test_writer_cannot_save_in_a_language_that_is_not_theirs(writer: Client, need: Need) -> None:
    page = save(writer, need, locale="ja")
    assert "You do not write ja here; a lead can give you the language." in fault(page)
    assert not Query.objects.exists()


def test_need_of_another_corpus_cannot_be_worded(writer: Client) -> None:
    foreign = a_need(factories.a_corpus("others"))
    assert writer.post(ADDRESS, form(foreign)).status_code == HTTPStatus.NOT_FOUND


def test_page_that_has_saved_already_saves_no_other_text_under_its_token(writer: Client, need: Need) -> None:
    save(writer, need, token="one")
    page = save(writer, need, "başka bir metin", token="one")
    assert "This page has saved a query already." in fault(page)
    assert Query.objects.get().text == TEXT


def test_undo_retires_the_query_and_puts_its_text_back(writer: Client, need: Need) -> None:
    save(writer, need, query_type="navigational")
    query = Query.objects.get()
    page = writer.post(ADDRESS + "undo/", {"query": query.pk}, follow=True).content.decode()
    query.refresh_from_db()
    assert (query.status, query.retired_reason) == ("retired", "taken back by its writer")
    assert f'value="{TEXT}"' in page
    assert '<option value="navigational" selected>' in page


def test_undo_twice_changes_nothing_more(writer: Client, need: Need) -> None:
    save(writer, need)
    for _ in range(2):
        answer = writer.post(ADDRESS + "undo/", {"query": Query.objects.get().pk})
        assert answer.status_code == HTTPStatus.FOUND


def test_judged_query_cannot_be_undone(writer: Client, need: Need) -> None:
    save(writer, need)
    Query.objects.update(status="judged")
    page = writer.post(ADDRESS + "undo/", {"query": Query.objects.get().pk}, follow=True).content.decode()
    assert "This query is judged and counts already; a lead can retire it with a reason." in page
    assert Query.objects.get().status == "judged"


def test_query_of_someone_else_cannot_be_undone(writer: Client, need: Need, corpus: Corpus) -> None:
    query = factories.a_query(factories.a_stratum(corpus), author=factories.lena(corpus))
    page = writer.post(ADDRESS + "undo/", {"query": query.pk}, follow=True).content.decode()
    assert "Someone else wrote this query" in page
    assert Query.objects.get().status == "ready"


@pytest.mark.django_db(transaction=True)
def test_c64_five_copies_of_one_form_make_one_query_and_five_equal_answers(
    cases: Path, corpus: Corpus, aylin: User, need: Need
) -> None:
    given = json.loads((cases / "c64-scenario.json").read_text(encoding="utf-8"))
    sent = {**given["form"], "need": need.pk}

    def press() -> tuple[int, str]:
        client = Client()
        client.force_login(aylin)
        answer = client.post(ADDRESS, sent)
        told = client.get(answer["Location"]).content.decode().split("Query saved: ")[1].split("</span>")[0]
        return answer.status_code, told

    answers = together(*[press] * given["clicks"])
    assert set(answers) == {(302, "Turkish × English, Latin, diacritics, question, distinctive. 1 of 30.")}
    assert Query.objects.count() == given["expect"]["queries"]


@pytest.mark.django_db(transaction=True)
def test_colleagues_who_save_the_same_words_at_once_make_one_query(corpus: Corpus, aylin: User, need: Need) -> None:
    def press(number: int) -> int:
        client = Client()
        client.force_login(aylin)
        return int(client.post(ADDRESS, form(need, token=f"page {number}")).status_code)

    assert sorted(together(*[partial(press, number) for number in range(4)])) == [302, 422, 422, 422]
    assert Query.objects.count() == 1


def test_database_itself_refuses_a_second_folded_text_and_a_second_wording(corpus: Corpus, need: Need) -> None:
    stratum: Stratum = factories.a_stratum(corpus)
    factories.a_query(stratum, "one", folded_hash="a" * 64, need=need, form_token="t")
    for second in ({"folded_hash": "a" * 64}, {"need": need}, {"form_token": "t"}):
        with pytest.raises(IntegrityError), transaction.atomic():
            factories.a_query(stratum, "two", **second)
