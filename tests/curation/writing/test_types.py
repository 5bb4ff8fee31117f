"""Correcting the type of a query, and what becomes of the first guess."""

from __future__ import annotations

from http import HTTPStatus
from pathlib import Path

import pytest
from django.test import Client

from curation.models import Corpus, Query, User
from tests import factories
from tests.bringing import bring, written

from .scene import a_need

pytestmark = pytest.mark.django_db

QUESTION, NAVIGATIONAL = "tr en Latn question distinctive", "tr en Latn navigational distinctive"


def correct(client: Client, query: Query, to: str = "navigational") -> tuple[int, str]:
    answer = client.post(f"/c/claims/queries/{query.pk}/type/", {"query_type": to}, follow=True)
    return answer.status_code, answer.content.decode()


def type_of(query: Query) -> tuple[str, str | None]:
    query.refresh_from_db()
    return query.stratum.query_type, query.metadata.get("guessed_type")


def test_correcting_a_type_moves_the_query_and_keeps_the_first_guess(lead: Client, corpus: Corpus) -> None:
    query = factories.a_query(factories.a_stratum(corpus, QUESTION), "dolu?", metadata={"guessed_type": "question"})
    status, page = correct(lead, query)
    assert status == HTTPStatus.OK
    assert type_of(query) == ("navigational", "question")
    assert "Detected: question; corrected by <bdi>lena</bdi>" in page
    correct(lead, query, "error_string")
    assert type_of(query) == ("error_string", "question")


def test_query_without_a_kept_guess_gets_what_is_detected_now(lead: Client, corpus: Corpus) -> None:
    query = factories.a_query(factories.a_stratum(corpus, QUESTION), "dolu nasıl ödenir?")
    assert "What was detected is not known" in lead.get(f"/c/claims/queries/{query.pk}/").content.decode()
    correct(lead, query)
    assert type_of(query) == ("navigational", "question")


def test_same_type_again_changes_nothing(lead: Client, corpus: Corpus) -> None:
    query = factories.a_query(factories.a_stratum(corpus, QUESTION), metadata={"guessed_type": "question"})
    correct(lead, query, "question")
    query.refresh_from_db()
    assert query.metadata == {"guessed_type": "question"}


def test_other_spellings_of_the_same_type_move_along(lead: Client, corpus: Corpus) -> None:
    query = factories.a_query(factories.a_stratum(corpus, QUESTION), "dolu hasarı?")
    plain = factories.a_stratum(corpus, "tr en Latn-plain question distinctive")
    spelt = factories.a_query(plain, "dolu hasari?", variant_of=query, origin="variant")
    correct(lead, query)
    assert type_of(spelt)[0] == "navigational"


def test_need_that_is_worded_in_the_right_cell_already_is_refused(lead: Client, corpus: Corpus) -> None:
    need = a_need(corpus)
    query = factories.a_query(factories.a_stratum(corpus, QUESTION), need=need)
    rival = factories.a_query(factories.a_stratum(corpus, NAVIGATIONAL), "dolu hasarı", need=need)
    status, page = correct(lead, query)
    assert status == HTTPStatus.UNPROCESSABLE_ENTITY
    assert f"Query {rival.external_id} is of the type navigational and words the same need" in page
    assert type_of(query)[0] == "question"


def test_collision_of_another_spelling_keeps_the_original_in_place(lead: Client, corpus: Corpus) -> None:
    need = a_need(corpus)
    query = factories.a_query(factories.a_stratum(corpus, QUESTION), need=need)
    plain = factories.a_stratum(corpus, "tr en Latn-plain question distinctive")
    factories.a_query(plain, need=need, variant_of=query, origin="variant")
    factories.a_query(factories.a_stratum(corpus, "tr en Latn-plain navigational distinctive"), need=need)
    assert correct(lead, query)[0] == HTTPStatus.UNPROCESSABLE_ENTITY
    assert type_of(query)[0] == "question"


def test_writer_corrects_their_own_query_alone(client: Client, corpus: Corpus, aylin: User, lena: User) -> None:
    stratum = factories.a_stratum(corpus, QUESTION)
    own, other = factories.a_query(stratum, author=aylin), factories.a_query(stratum, author=lena)
    client.force_login(aylin)
    assert correct(client, own)[0] == HTTPStatus.OK
    assert type_of(own)[0] == "navigational"
    assert correct(client, other)[0] == HTTPStatus.NOT_FOUND


def test_withdrawn_query_and_unknown_type_are_refused(lead: Client, corpus: Corpus) -> None:
    stratum = factories.a_stratum(corpus, QUESTION)
    gone = factories.a_query(stratum, status="retired", retired_reason="a test")
    assert "This query is withdrawn" in correct(lead, gone)[1]
    assert "There is no such type" in correct(lead, factories.a_query(stratum), "riddle")[1]


def test_imported_query_keeps_the_guess_beside_the_type_of_its_file(corpus: Corpus, tmp_path: Path) -> None:
    rows = [
        {"query_id": "q1", "text": "dolu nasıl ödenir?", "locale": "tr", "query_type": "navigational"},
        {"query_id": "q2", "text": "dolu hasarı", "locale": "tr", "guessed_type": "question"},
        {"query_id": "q3", "text": "sel hasarı", "locale": "tr", "guessed_type": "a riddle"},
    ]
    bring("import_queries", "claims", written(tmp_path, "q.jsonl", *rows))
    found = {query.external_id: type_of(query) for query in Query.objects.all()}
    assert found == {
        "q1": ("navigational", "question"),
        "q2": ("navigational", "question"),
        "q3": ("navigational", "navigational"),
    }
