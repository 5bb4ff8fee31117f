"""Hard negatives, listed query by query: an unjudged one is never called a negative, and goes to the pool at a press."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from curation import registry
from curation.actions import hunting
from curation.actions.refusal import Refused
from curation.models import CannotTell, Corpus, Document, HardNegative, MiningRun, Qrel, Query
from tests import factories, reviewing

ADDRESS = "/c/claims/hard-negatives/"
Sent = list[tuple[str, str, str]]


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> Sent:
    """Pools that remember what was sent, and refuse a document named gone."""
    taken: Sent = []

    def send(*, query: Query, document: Document, origin: str, now: datetime, first: bool = False) -> None:
        if document.external_id == "gone":
            raise Refused("Document gone is not in the corpus any more, so nobody can judge it.")
        taken.append((query.external_id, document.external_id, "first" if first else origin))

    def waiting(queries: object) -> set[tuple[int, str]]:
        pks = dict(Query.objects.values_list("external_id", "pk"))
        return {(pks[query], document.upper()) for query, document, _ in taken}

    monkeypatch.setattr(
        registry, "_pools", [registry.Pools(send, waiting, lambda _, queries: set(queries), lambda _: {})]
    )
    return taken


def a_judged_query(corpus: Corpus) -> Query:
    (query,) = factories.judged_queries(factories.a_stratum(corpus), 1)
    return query


def a_negative(run: MiningRun, query: Query, name: str, rank: int = 1, **more: Any) -> HardNegative:
    document = reviewing.a_document(query.corpus, name, f"Text of {name}.", title=f"Title of {name}")
    fields = {"canonical_id": document.canonical_id, "rank": rank, "score": 0.9, **more}
    return HardNegative.objects.create(run=run, query=query, document=document, **fields)


@pytest.fixture
def run(corpus: Corpus) -> MiningRun:
    return reviewing.a_finished_run(corpus, "hard_negative")


def page_of(client: Client, address: str = ADDRESS) -> str:
    return " ".join(client.get(address).content.decode().split())


def test_c21_a_document_is_a_negative_only_where_someone_judged_it_so(
    lena: Client, corpus: Corpus, run: MiningRun
) -> None:
    query = a_judged_query(corpus)
    for rank, (name, grade, source) in enumerate(
        [
            ("plain", None, ""),
            ("zero", 0, "agreed"),
            ("sibling", 0, "derived"),
            ("found", 3, "adjudicated"),
            ("puzzle", None, ""),
        ],
        1,
    ):
        a_negative(run, query, name, rank)
        if grade is not None:
            decider = factories.person(f"decider-{name}")
            Qrel.objects.create(query=query, canonical_id=name.upper(), grade=grade, source=source, decided_by=decider)
    CannotTell.objects.create(query=query, canonical_id="PUZZLE")
    page = page_of(lena)
    rows = {
        name: page.split(f"Title of {name}", 1)[1].split("</tr>", 1)[0]
        for name in ("plain", "zero", "sibling", "found", "puzzle")
    }
    assert "not judged" in rows["plain"]
    assert "negative" not in rows["plain"].split("hard-negatives")[0]
    assert "judged 0: negative" in rows["zero"]
    assert "0, derived from its group" in rows["sibling"]
    assert "relevant by now, grade 3" in rows["found"]
    assert "a judge could not tell" in rows["puzzle"]


def test_c21_the_text_twin_of_what_is_relevant_by_now_is_no_negative_and_says_so(
    lena: Client, corpus: Corpus, run: MiningRun
) -> None:
    query = a_judged_query(corpus)
    for name in ("found", "twin"):
        document = reviewing.a_document(corpus, name, "The very same text.", title="One title")
        fields = {"canonical_id": name.upper(), "rank": 1, "score": 0.9}
        HardNegative.objects.create(run=run, query=query, document=document, **fields)
    Qrel.objects.create(query=query, canonical_id="FOUND", grade=3, source="agreed")
    Qrel.objects.create(query=query, canonical_id="TWIN", grade=0, source="agreed")
    assert "the text of an article that is or may be relevant" in page_of(lena)


def test_what_every_retriever_ranks_high_stands_first_with_its_places(
    lena: Client, corpus: Corpus, run: MiningRun
) -> None:
    plain, late, early = (a_judged_query(corpus) for _ in range(3))
    a_negative(run, plain, "plain", places={"bm25": None})
    a_negative(run, late, "late", places={"bm25": 9}, lowest_place=9)
    a_negative(run, early, "early", places={"bm25": 2}, lowest_place=2)
    a_negative(run, early, "settled", 2, places={"bm25": 1}, lowest_place=1)
    Qrel.objects.create(query=early, canonical_id="SETTLED", grade=0, source="agreed")
    MiningRun.objects.update(params={"wanted": 8, "retrievers": ["exact", "bm25"]})
    page = page_of(lena)
    titles = [page.index(f"Title of {name}<") for name in ("early", "late", "plain")]
    assert titles == sorted(titles)
    assert page.count("not judged, and every retriever ranks it high") == 2
    assert "bm25 9" in page
    assert "bm25 –" in page
    assert "2 documents</a> that nobody has judged rank high with every retriever (exact, bm25)" in page
    narrowed = page_of(lena, f"{ADDRESS}?show=suspected")
    assert "Title of early" in narrowed
    assert "Title of plain" not in narrowed


def test_all_suspects_are_sent_at_once_and_judged_before_all_else(
    lena: Client, corpus: Corpus, run: MiningRun, sent: Sent
) -> None:
    query, other = a_judged_query(corpus), a_judged_query(corpus)
    a_negative(run, query, "plain")
    a_negative(run, query, "second", 2, lowest_place=9)
    a_negative(run, other, "first", 3, lowest_place=3)
    a_negative(run, other, "gone", 4, lowest_place=4)
    page = lena.post(f"{ADDRESS}send/", follow=True).content.decode()
    assert sent == [(other.external_id, "first", "first"), (query.external_id, "second", "first")]
    assert "Judges get these before all else: 2 sent now." in page
    assert "Not sent: 1. Document gone is not in the corpus any more" in page
    assert "Judges get these before all else: 0 sent now." in lena.post(f"{ADDRESS}send/", follow=True).content.decode()


def test_a_press_sends_so_many_and_says_how_many_are_left(
    lena: Client, corpus: Corpus, run: MiningRun, sent: Sent, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hunting, "AT_ONCE", 2)
    query = a_judged_query(corpus)
    for rank, name in enumerate(("a", "b", "c"), 1):
        a_negative(run, query, name, rank, lowest_place=rank)
    page = lena.post(f"{ADDRESS}send/", follow=True).content.decode()
    assert "2 sent now. 1 more are left for the next time." in page
    assert [document for _, document, _ in sent] == ["a", "b"]


def test_queries_that_are_short_and_those_not_mined_are_told_and_listed(
    lena: Client, corpus: Corpus, run: MiningRun
) -> None:
    a_negative(run, a_judged_query(corpus), "plain")
    left_out = factories.a_query(factories.a_stratum(corpus))
    told = {"found": 1, "queries": 12, "short_queries": 3, "missing_negatives": 17}
    MiningRun.objects.update(summary=told, params={"wanted": 8})
    page = page_of(lena)
    assert "3 of the queries are short of eight such documents, judged or not: 17 missing in all." in page
    assert '<a href="?show=unmined">1 query is not mined</a>' in page
    assert "· 7 short" in page
    listed = page_of(lena, f"{ADDRESS}?show=unmined")
    assert f'href="/c/claims/queries/{left_out.pk}/"' in listed
    assert "Title of plain" not in listed


def test_a_suspicious_document_is_sent_to_the_pool_of_its_query(
    lena: Client, corpus: Corpus, run: MiningRun, sent: Sent
) -> None:
    query = a_judged_query(corpus)
    negative = a_negative(run, query, "plain")
    page = lena.post(f"{ADDRESS}{negative.pk}/send/?q=query", follow=True).content.decode()
    assert sent == [(query.external_id, "plain", "hard_negative")]
    assert f"plain waits in the pool of query {query.external_id} to be judged." in page
    assert "waits to be judged</span>" in page


def test_what_nobody_can_judge_is_refused_in_words(lena: Client, corpus: Corpus, run: MiningRun, sent: Sent) -> None:
    negative = a_negative(run, a_judged_query(corpus), "gone")
    page = lena.post(f"{ADDRESS}{negative.pk}/send/", follow=True).content.decode()
    assert "is not in the corpus any more" in page
    assert sent == []


def test_the_list_can_be_narrowed_to_queries_with_unjudged_documents(
    lena: Client, corpus: Corpus, run: MiningRun
) -> None:
    doubtful, settled = a_judged_query(corpus), a_judged_query(corpus)
    a_negative(run, doubtful, "plain")
    a_negative(run, settled, "zero")
    Qrel.objects.create(query=settled, canonical_id="ZERO", grade=0, source="agreed")
    page = page_of(lena, f"{ADDRESS}?show=unjudged")
    assert doubtful.external_id in page
    assert f">{settled.external_id}<" not in page


def test_nothing_mined_is_said_in_words(lena: Client, corpus: Corpus) -> None:
    assert "No run of hard negatives has finished in this corpus." in page_of(lena)


def test_the_queries_of_the_page_do_not_grow_with_the_list(lena: Client, corpus: Corpus, run: MiningRun) -> None:
    asked = []
    for size in (2, 12):
        for number in range(size):
            a_negative(run, a_judged_query(corpus), f"{size}-{number}")
        with CaptureQueriesContext(connection) as captured:
            page_of(lena)
        asked.append(len(captured))
    assert asked[0] == asked[1]
