"""What is typed and not saved: kept on the server, found on another machine, gone once it is saved."""

from __future__ import annotations

from http import HTTPStatus

import pytest
from django.test import Client

from curation.models import Corpus, Need, Query, User, WordingDraft
from tests import factories

from .scene import a_need

pytestmark = pytest.mark.django_db

DESK = "/c/claims/write/"
DRAFT = "/c/claims/write/draft/"


def given(need: Need, text: str, **fields: str) -> dict[str, str]:
    return {"need": str(need.pk), "locale": "tr", "token": "t1", "text": text, **fields}


def another_machine(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def test_draft_comes_back_as_typed_on_another_machine_with_its_type_token_and_time(
    writer: Client, aylin: User, need: Need
) -> None:
    answer = writer.post(DRAFT, given(need, "  Yarım kalan ", query_type="question", seconds="75"))
    assert answer.status_code == HTTPStatus.NO_CONTENT
    page = another_machine(aylin).get(DESK).content.decode()
    assert 'value="  Yarım kalan "' in page
    assert '<option value="question" selected>' in page
    assert 'name="token" value="t1"' in page
    assert "<b data-time>1:15</b> of 3:00" in page
    assert "you chose it; detected: navigational" in page


def test_draft_belongs_to_its_need_and_its_writer(writer: Client, corpus: Corpus, need: Need) -> None:
    writer.post(DRAFT, given(need, "yarım kalan"))
    second = a_need(corpus, "Second", gold_canonical_id="CG-214")
    assert "yarım kalan" not in writer.get(f"{DESK}?need={second.pk}").content.decode()
    assert "yarım kalan" not in another_machine(factories.lena(corpus)).get(f"{DESK}?need={need.pk}").content.decode()


def test_saving_drops_the_draft_and_a_late_one_of_the_same_form_stays_out(writer: Client, need: Need) -> None:
    writer.post(DRAFT, given(need, "hırsızlık ödenir mi"))
    writer.post(DESK, given(need, "hırsızlık ödenir mi", seconds="161"))
    assert Query.objects.get().metadata["seconds"] == 161
    writer.post(DRAFT, given(need, "hırsızlık ödenir mi"))
    assert not WordingDraft.objects.exists()


def test_emptied_field_is_no_draft(writer: Client, need: Need) -> None:
    writer.post(DRAFT, given(need, "yarım"))
    writer.post(DRAFT, given(need, "  "))
    assert not WordingDraft.objects.exists()


def test_check_without_script_keeps_the_draft(writer: Client, need: Need) -> None:
    writer.post("/c/claims/write/checks/", given(need, "yarım kalan"))
    assert 'value="yarım kalan"' in writer.get(DESK).content.decode()


@pytest.mark.parametrize("text", ["a" * 5001, "a\0b"])
def test_what_no_text_can_keep_is_no_draft(writer: Client, need: Need, text: str) -> None:
    assert writer.post(DRAFT, given(need, text)).status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert not WordingDraft.objects.exists()


def test_another_language_or_a_need_of_others_takes_no_draft(writer: Client, corpus: Corpus, need: Need) -> None:
    assert writer.post(DRAFT, given(need, "x", locale="ja")).status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    foreign = a_need(factories.a_corpus("others"))
    assert writer.post(DRAFT, given(foreign, "x")).status_code == HTTPStatus.NOT_FOUND


@pytest.mark.parametrize(("told", "kept"), [("161", 161), ("99999999", 3600), ("", None), ("0", None), ("-3", None)])
def test_time_on_a_query_is_kept_within_an_hour(writer: Client, need: Need, told: str, kept: int | None) -> None:
    writer.post(DESK, given(need, "hırsızlık ödenir mi", seconds=told))
    assert Query.objects.get().metadata.get("seconds") == kept


def test_median_is_of_ones_own_measured_queries(writer: Client, corpus: Corpus, aylin: User, need: Need) -> None:
    stratum = factories.a_stratum(corpus)
    assert "your median" not in writer.get(DESK).content.decode()
    for seconds in (100, 161, 200):
        factories.a_query(stratum, origin="written", author=aylin, metadata={"seconds": seconds})
    factories.a_query(stratum, origin="written", author=factories.lena(corpus), metadata={"seconds": 9})
    factories.a_query(stratum, origin="written", author=aylin)
    assert "of 3:00, your median 2:41" in writer.get(DESK).content.decode()


def test_text_taken_back_goes_on_counting_its_time(writer: Client, need: Need) -> None:
    writer.post(DESK, given(need, "hırsızlık ödenir mi", seconds="161"))
    query = Query.objects.get()
    writer.post(DESK + "undo/", {"query": query.pk})
    assert "<b data-time>2:41</b>" in writer.get(f"{DESK}?again={query.pk}").content.decode()
