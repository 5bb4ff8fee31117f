"""A query saved in other spellings: each a query of its own in its own cell, all of them or none."""

from __future__ import annotations

import hashlib
import re
from http import HTTPStatus
from typing import Any

import pytest
from django.test import Client

from curation.models import Corpus, Need, Query, Role, User
from tests import factories

from .scene import a_need

pytestmark = pytest.mark.django_db

ADDRESS = "/c/claims/write/"
TEXT = "tır gece bekçisiz kalırsa hırsızlık ödenir mi?"
PLAIN = "tir gece bekcisiz kalirsa hirsizlik odenir mi?"
WRITES = ["ar", "de", "ja", "sr-Cyrl", "sr-Latn", "th", "tr"]


@pytest.fixture
def writer(client: Client, corpus: Corpus, need: Need) -> Client:
    client.force_login(factories.member(corpus, factories.person("aylin"), Role.WRITER, languages=WRITES))
    return client


def form(need: Need, text: str = TEXT, **fields: Any) -> dict[str, Any]:
    given = {
        name.replace("_", "-", 1) if name.startswith(("respelt", "suggested")) else name: fields[name]
        for name in fields
    }
    return {"need": need.pk, "locale": "tr", "token": hashlib.md5(text.encode()).hexdigest(), "text": text, **given}


def save(client: Client, need: Need, text: str = TEXT, **fields: Any) -> str:
    return client.post(ADDRESS, form(need, text, **fields), follow=True).content.decode()


def check(client: Client, need: Need, text: str = TEXT, **fields: Any) -> str:
    given = form(need, text, **fields)
    response = client.post(f"{ADDRESS}checks/", given, headers={"HX-Request": "true"})
    assert response.status_code == HTTPStatus.OK
    return response.content.decode()


def rows(page: str) -> str:
    """What the rows of other spellings show, as text."""
    section = page.split('<section id="spellings"', 1)[1].split("</section>", 1)[0]
    return " ".join(re.sub(r"<[^>]+>", " ", section.split(">", 1)[1]).split())


def value(page: str, key: str) -> str:
    """The text in a row's field."""
    return re.search(rf'name="respelt-{key}".*?value="([^"]*)"', page, re.DOTALL).group(1)  # type: ignore[union-attr]


def ticked(page: str) -> list[str]:
    return re.findall(r'name="spelling" value="(\w+)" id="[^"]+" checked', page)


def variants() -> list[tuple[str, str]]:
    found = Query.objects.filter(origin="variant").select_related("stratum").order_by("pk")
    return [(each.text, str(each.stratum)) for each in found]


def fault(page: str) -> str:
    return page.split('id="text-error">')[1].split("</p>", maxsplit=1)[0]


def test_a_chosen_spelling_is_a_query_of_its_own_in_its_own_cell(writer: Client, need: Need) -> None:
    page = save(writer, need, spelling="plain")
    original, variant = Query.objects.order_by("pk")
    assert variants() == [(PLAIN, "tr × en, Latn-plain, question, distinctive")]
    assert (variant.variant_of, variant.need, variant.author) == (original, need, original.author)
    assert (variant.status, variant.metadata["spelling"]) == ("ready", "plain")
    assert variant.folded_hash != original.folded_hash
    assert "Query saved: Turkish × English, Latin, diacritics, question, distinctive. 1 of 30." in page
    assert "In another spelling: Turkish × English, Latin without diacritics, question, distinctive. 1 of 30." in page


def test_a_spelling_that_was_not_chosen_is_not_saved(writer: Client, need: Need) -> None:
    save(writer, need, respelt_plain=PLAIN, suggested_plain=PLAIN)
    assert variants() == []


def test_the_writers_text_of_a_spelling_is_saved_as_they_typed_it(writer: Client, need: Need) -> None:
    save(writer, need, spelling="plain", respelt_plain="tir gece odenir mi", suggested_plain=PLAIN)
    assert [text for text, _ in variants()] == ["tir gece odenir mi"]


def test_a_suggestion_left_alone_follows_the_text_as_it_is_saved(writer: Client, need: Need) -> None:
    save(writer, need, "ışık hasarı", spelling="plain", respelt_plain="isik", suggested_plain="isik")
    assert [text for text, _ in variants()] == ["isik hasari"]


def test_a_spelling_keeps_the_type_its_writer_chose(writer: Client, need: Need) -> None:
    save(writer, need, spelling="plain", query_type="navigational")
    assert variants() == [(PLAIN, "tr × en, Latn-plain, navigational, distinctive")]


def test_serbian_is_saved_in_its_other_script_and_locale(writer: Client, need: Need) -> None:
    save(writer, need, "штета на возилу", locale="sr-Cyrl", spelling=["latin", "latin_plain"])
    assert variants() == [
        ("šteta na vozilu", "sr-Latn × en, Latn, navigational, distinctive"),
        ("steta na vozilu", "sr-Latn × en, Latn-plain, navigational, distinctive"),
    ]


def test_japanese_is_typed_by_its_writer_and_an_empty_row_saves_nothing(writer: Client, need: Need) -> None:
    save(writer, need, "夜間の盗難", locale="ja", spelling=["kana", "romaji"], respelt_kana="やかんのとうなん")
    assert variants() == [("やかんのとうなん", "ja × en, Jpan-kana, navigational, distinctive")]


def test_a_spelling_in_the_class_of_its_original_is_refused_and_nothing_is_stored(writer: Client, need: Need) -> None:
    page = save(writer, need, spelling="plain", respelt_plain="tır gece odenir mi", suggested_plain=PLAIN)
    assert "Nothing is saved: the spelling “tır gece odenir mi” cannot be." in fault(page)
    assert "in the script class of its original (Latin, diacritics), so it would not count apart." in fault(page)
    assert Query.objects.count() == 0
    assert value(page, "plain") == "tır gece odenir mi"


def test_a_spelling_far_too_long_is_echoed_in_its_beginning_alone(writer: Client, need: Need) -> None:
    told = fault(save(writer, need, spelling="plain", respelt_plain="ab" * 2500))
    assert f"the spelling “{'ab' * 30}…” cannot be. The query has 5,000 characters; at most 500 are kept." in told


def test_a_spelling_with_a_twin_is_refused_by_name_and_nothing_is_stored(
    writer: Client, need: Need, corpus: Corpus
) -> None:
    save(writer, a_need(corpus, "Another"), PLAIN)
    twin = Query.objects.get()
    page = save(writer, need, spelling="plain")
    assert f"Nothing is saved: the spelling “{PLAIN}” cannot be. Query {twin.external_id} is the same text" in fault(
        page
    )
    assert Query.objects.count() == 1


def test_a_spelling_of_a_need_worded_in_its_cell_is_refused_by_that_wording(writer: Client, need: Need) -> None:
    save(writer, need, "tir gece kalirsa odenir mi?")
    page = save(writer, need, spelling="plain")
    assert "words this need in the same cell already: “tir gece kalirsa odenir mi?”" in fault(page)
    assert Query.objects.count() == 1


def test_two_spellings_in_one_cell_are_refused(writer: Client, need: Need) -> None:
    typed = {"respelt_kana": "やかんのとうなん", "respelt_romaji": "よるのとうなん"}
    page = save(writer, need, "夜間の盗難", locale="ja", spelling=["kana", "romaji"], **typed)
    assert "It lands in the cell of the spelling “やかんのとうなん”; keep one of the two." in fault(page)
    assert Query.objects.count() == 0


def test_a_form_sent_twice_saves_each_spelling_once(writer: Client, need: Need) -> None:
    save(writer, need, spelling="plain")
    page = save(writer, need, spelling="plain")
    assert "Query saved" in page
    assert Query.objects.count() == 2


def test_a_form_sent_again_with_a_further_spelling_adds_it(writer: Client, need: Need) -> None:
    given = {"text": "штета на возилу", "locale": "sr-Cyrl"}
    save(writer, need, **given, spelling="latin")
    save(writer, need, **given, spelling=["latin", "latin_plain"])
    assert [text for text, _ in variants()] == ["šteta na vozilu", "steta na vozilu"]
    assert Query.objects.count() == 3


def test_undo_takes_the_spellings_back_and_puts_their_texts_on_the_desk_again(writer: Client, need: Need) -> None:
    kana = {"spelling": ["kana"], "respelt_kana": "やかんのとうなん"}
    save(writer, need, "夜間の盗難", locale="ja", **kana)
    original = Query.objects.get(origin="written")
    page = writer.post(f"{ADDRESS}undo/", {"query": original.pk}, follow=True).content.decode()
    assert set(Query.objects.values_list("status", flat=True)) == {"retired"}
    assert (ticked(page), value(page, "kana")) == (["kana"], "やかんのとうなん")


def test_undo_stops_where_a_spelling_is_judged(writer: Client, need: Need) -> None:
    save(writer, need, spelling="plain")
    Query.objects.filter(origin="variant").update(status="judged")
    original = Query.objects.get(origin="written")
    page = writer.post(f"{ADDRESS}undo/", {"query": original.pk}, follow=True).content.decode()
    assert f"Its spelling “{PLAIN}” is judged and counts already" in page
    assert Query.objects.get(pk=original.pk).status == "ready"


def test_the_last_choice_of_spellings_is_ticked_for_the_next_query_of_that_language(
    writer: Client, need: Need, corpus: Corpus
) -> None:
    assert ticked(writer.get(f"{ADDRESS}?locale=tr").content.decode()) == []
    a_need(corpus, "Next", gold_canonical_id="CG-214")
    save(writer, need, spelling="plain")
    assert ticked(writer.get(f"{ADDRESS}?locale=tr").content.decode()) == ["plain"]
    save(writer, a_need(corpus, "Third"), "ışık hasarı")
    assert ticked(writer.get(f"{ADDRESS}?locale=tr").content.decode()) == []


def test_rows_have_their_place_before_anything_is_typed(writer: Client, need: Need) -> None:
    page = writer.get(f"{ADDRESS}?locale=tr&need={need.pk}").content.decode()
    assert "Same query in another spelling Each one becomes its own query in its own cell" in rows(page)
    assert 'data-key="F2" data-key-anywhere' in page
    assert value(page, "plain") == ""


def test_the_check_fills_a_row_with_its_text_its_cell_and_its_count(writer: Client, need: Need, corpus: Corpus) -> None:
    factories.judged_queries(factories.a_stratum(corpus, "tr en Latn-plain question distinctive"), 118)
    page = check(writer, need)
    assert value(page, "plain") == PLAIN
    assert "Turkish × English, Latin without diacritics, question, distinctive" in rows(page)
    assert "118 → 119 will be saved too not added" in rows(page)
    assert 'id="spellings" class="stack" aria-labelledby="spelt" hx-swap-oob="true"' in page


def test_the_check_keeps_what_its_writer_typed_into_a_row(writer: Client, need: Need) -> None:
    page = check(writer, need, respelt_plain="tir odenir mi", suggested_plain="tir odenir")
    assert value(page, "plain") == "tir odenir mi"


def test_the_check_names_what_stops_a_spelling(writer: Client, need: Need, corpus: Corpus) -> None:
    save(writer, a_need(corpus, "Another"), PLAIN)
    assert "is the same text, once case and spaces are folded" in rows(check(writer, need))
    assert "cannot be saved" in rows(check(writer, need))


@pytest.mark.parametrize(
    ("locale", "text", "told"),
    [
        ("tr", "kalirsa odenir mi", "Without diacritics: the query is spelt so already, or has no such spelling"),
        ("ja", "とうなん", "Kana: the query is spelt so already"),
        ("sr-Latn", "šteta", "Serbian (Cyrillic) × English, Cyrillic, navigational, distinctive"),
        ("de", "Straße", "German × English, Latin without diacritics, navigational, distinctive"),
    ],
)
def test_rows_tell_where_each_spelling_belongs(writer: Client, need: Need, locale: str, text: str, told: str) -> None:
    assert told in rows(check(writer, need, text, locale=locale))


def test_a_row_that_takes_a_dictionary_asks_its_writer(writer: Client, need: Need) -> None:
    page = check(writer, need, "夜間の盗難", locale="ja")
    assert 'placeholder="Type it in kana"' in page
    assert 'placeholder="Type it in romaji"' in page


def test_a_language_without_a_table_has_no_rows(writer: Client, need: Need) -> None:
    assert "Same query in another spelling" not in check(writer, need, "พรบ คุ้มครองอะไร", locale="th")


def test_spellings_and_their_texts_are_escaped(writer: Client, need: Need) -> None:
    assert "<script>alert" not in check(writer, need, '"><script>alert(1)</script>ı')


def test_an_adjuster_saves_no_spelling(client: Client, corpus: Corpus, need: Need) -> None:
    client.force_login(factories.marek(corpus))
    assert client.post(ADDRESS, form(need, spelling="plain")).status_code == HTTPStatus.FORBIDDEN
    assert Query.objects.count() == 0


def test_who_took_no_part_keeps_their_own_choice(writer: Client, client: Client, need: Need, corpus: Corpus) -> None:
    save(writer, need, spelling="plain")
    a_need(corpus, "Next", gold_canonical_id="CG-214")
    other: User = factories.member(corpus, factories.person("bora"), Role.WRITER, languages=["tr"])
    client.force_login(other)
    assert ticked(client.get(ADDRESS).content.decode()) == []
