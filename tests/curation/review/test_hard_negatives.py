"""Hard negatives, listed query by query: an unjudged one is never called a negative, and goes to the pool at a press."""

from __future__ import annotations

from datetime import datetime

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from curation import registry
from curation.actions.refusal import Refused
from curation.models import CannotTell, Corpus, Document, HardNegative, MiningRun, Qrel, Query
from tests import factories, reviewing

ADDRESS = "/c/claims/hard-negatives/"
Sent = list[tuple[str, str, str]]


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> Sent:
    """Pools that remember what was sent, and refuse a document named gone."""
    taken: Sent = []

    def send(*, query: Query, document: Document, origin: str, now: datetime) -> None:
        if document.external_id == "gone":
            raise Refused("Document gone is not in the corpus any more, so nobody can judge it.")
        taken.append((query.external_id, document.external_id, origin))

    def waiting(queries: object) -> set[tuple[int, str]]:
        pks = dict(Query.objects.values_list("external_id", "pk"))
        return {(pks[query], document.upper()) for query, document, _ in taken}

    monkeypatch.setattr(registry, "_pools", [registry.Pools(send, waiting)])
    return taken


def a_judged_query(corpus: Corpus) -> Query:
    (query,) = factories.judged_queries(factories.a_stratum(corpus), 1)
    return query


def a_negative(run: MiningRun, query: Query, name: str, rank: int = 1) -> HardNegative:
    document = reviewing.a_document(query.corpus, name, f"Text of {name}.", title=f"Title of {name}")
    fields = {"canonical_id": document.canonical_id, "rank": rank, "score": 0.9}
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
