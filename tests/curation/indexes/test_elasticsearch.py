"""Elasticsearch and OpenSearch as retrievers, against an in-process server that checks every request."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import pytest

from curation.indexes import elasticsearch
from curation.indexes.base import AskedQuery, Index, IndexRefused, Ranked
from curation.indexes.elasticsearch import ElasticsearchIndex, SearchedFields
from curation.retrieval.patience import Patience
from tests.loopback import Answer, Asked, Loopback, serving

from .search_server import SHARDS, SearchServer

DOCUMENTS = [
    {"_id": "3", "article": "c", "title": "hail", "body": "damage to cars", "embedding": [1.0, 0.0]},
    {"_id": "1", "article": "b", "title": "storm", "body": "damage to roofs", "embedding": [0.6, 0.8]},
    {"_id": "2", "article": "a", "title": "hail", "body": "damage to glass", "embedding": [1.0, 0.0]},
]
LOGIN = {"INDEX_USER_SEARCH": "hardset", "INDEX_PASSWORD_SEARCH": "pass"}
PATIENCE = Patience(timeout_s=5.0, attempts=3, pause_s=0.5)
FIELDS = SearchedFields("SEARCH", "kb", text=("body",))
TEXT = "kb?text=title,body&id=article"


@pytest.fixture(params=["elasticsearch", "opensearch"])
def dialect(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def search_server(dialect: str) -> SearchServer:
    return SearchServer(dialect, list(DOCUMENTS))


@pytest.fixture
def loopback(search_server: SearchServer) -> Iterator[Loopback]:
    with serving(search_server) as server:
        yield server


@pytest.fixture
def pauses() -> list[float]:
    return []


@pytest.fixture
def connect(loopback: Loopback, dialect: str, pauses: list[float]) -> Callable[..., Index]:
    def connected(
        location: str = TEXT, *, login: dict[str, str] = LOGIN, patience: Patience = PATIENCE
    ) -> ElasticsearchIndex:
        fields = SearchedFields.read(f"SEARCH/{location}&engine={dialect}")
        environment = {"INDEX_URL_SEARCH": loopback.url, **login}
        return ElasticsearchIndex.connect(fields, environment, patience=patience, sleep=pauses.append)

    return connected


def asked(query_id: str, text: str, *numbers: float) -> AskedQuery:
    return AskedQuery(query_id, text, np.array(numbers, dtype=np.float32) if numbers else None)


def test_texts_are_searched_in_the_fields_named_and_ties_go_by_external_id(
    connect: Callable[..., Index], loopback: Loopback
) -> None:
    rankings = connect().search([asked("q1", "hail damage"), asked("q2", "roofs"), asked("q3", "flood")], 2)
    assert rankings == [[Ranked("a", 2.0), Ranked("c", 2.0)], [Ranked("b", 1.0)], []]
    (request,) = loopback.asked
    assert request.path == "/kb/_msearch"
    assert request.lines[1] == {
        "size": 3,
        "_source": False,
        "track_total_hits": False,
        "fields": ["article"],
        "query": {"multi_match": {"query": "hail damage", "fields": ["title", "body"]}},
    }


def test_vectors_are_searched_as_the_server_in_question_understands(
    connect: Callable[..., Index], loopback: Loopback, dialect: str
) -> None:
    rankings = connect("kb?vector=embedding").search([asked("q1", "", 0.0, 1.0)], 2)
    assert [[place.external_id for place in ranking] for ranking in rankings] == [["1", "2"]]
    assert rankings[0][0].score == pytest.approx(0.9)
    wider = {"embedding": {"vector": [0.0, 1.0], "k": 12}}
    knn = {"field": "embedding", "query_vector": [0.0, 1.0], "k": 12, "num_candidates": 100}
    assert loopback.asked[-1].lines[1] == {
        "size": 12,
        "_source": False,
        "track_total_hits": False,
        **({"knn": knn} if dialect == "elasticsearch" else {"query": {"knn": wider}}),
    }


def test_more_queries_than_one_request_takes_keep_their_order(
    connect: Callable[..., Index], loopback: Loopback, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(elasticsearch, "_TOGETHER", 2)
    rankings = connect().search(
        [asked(f"q{number}", text) for number, text in enumerate(["cars", "roofs", "glass"])], 5
    )
    assert [ranking[0].external_id for ranking in rankings] == ["c", "b", "a"]
    assert [len(request.lines) for request in loopback.asked] == [4, 2]


def test_a_vector_field_needs_vectors(connect: Callable[..., Index], loopback: Loopback) -> None:
    with pytest.raises(IndexRefused, match="searched by vector; encode query q1 first"):
        connect("kb?vector=embedding").search([asked("q1", "hail")], 2)
    assert loopback.asked == []


def test_a_server_may_know_us_by_an_api_key(connect: Callable[..., Index]) -> None:
    login = {"INDEX_KEY_SEARCH": "a2V5"}
    assert connect(login=login).search([asked("q1", "cars")], 1) == [[Ranked("c", 1.0)]]


def test_ids_are_scrolled_page_by_page_and_the_scroll_is_closed(
    connect: Callable[..., Index], search_server: SearchServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(elasticsearch, "_PAGE", 2)
    assert connect().ids() == ["a", "b", "c"]
    assert connect("kb?text=body").ids() == ["1", "2", "3"]
    assert search_server.scrolls == {}


def test_a_scroll_that_breaks_begins_again(
    connect: Callable[..., Index], loopback: Loopback, pauses: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(elasticsearch, "_PAGE", 2)
    steady = loopback.answering

    def breaking(asked: Asked) -> Answer:
        return Answer(status=503) if len(loopback.asked) == 2 else steady(asked)

    loopback.answering = breaking
    assert connect().ids() == ["a", "b", "c"]
    assert pauses == [0.5]


def test_an_index_that_changes_while_its_ids_are_read_is_refused(
    connect: Callable[..., Index], search_server: SearchServer, pauses: list[float]
) -> None:
    page = search_server.page

    def losing(number: str) -> dict[str, object]:
        given = page(number)
        given["hits"]["hits"] = given["hits"]["hits"][:-1]
        return given

    search_server.page = losing  # type: ignore[method-assign]  # the server loses a document on the way
    with pytest.raises(IndexRefused, match="kb holds 3 documents and gave 2; try again later"):
        connect().ids()
    assert pauses == [0.5, 1.0]


def test_the_fingerprint_follows_the_changes_of_the_primary_shards(
    connect: Callable[..., Index], search_server: SearchServer
) -> None:
    first = connect().fingerprint()
    assert (len(first), connect().fingerprint()) == (64, first)
    search_server.changes += 1
    assert connect().fingerprint() != first


def test_a_busy_server_is_asked_again_after_growing_pauses(
    connect: Callable[..., Index], loopback: Loopback, pauses: list[float]
) -> None:
    loopback.faults = [Answer(status=429), Answer(status=502)]
    assert connect().search([asked("q1", "cars")], 1) == [[Ranked("c", 1.0)]]
    assert (pauses, len(loopback.asked)) == ([0.5, 1.0], 3)


def test_a_search_that_was_turned_away_inside_a_batch_is_asked_again(
    connect: Callable[..., Index], loopback: Loopback, pauses: list[float]
) -> None:
    loopback.faults = [Answer({"responses": [{"error": {"type": "rejected"}, "status": 429}]})]
    assert connect().search([asked("q1", "cars")], 1) == [[Ranked("c", 1.0)]]
    assert pauses == [0.5]


def test_a_server_that_stays_slow_is_given_up(connect: Callable[..., Index], loopback: Loopback) -> None:
    loopback.faults = [Answer(pause=0.3), Answer(pause=0.3)]
    with pytest.raises(IndexRefused, match=r"did not answer within 0\.1 s; try again later"):
        connect(patience=Patience(timeout_s=0.1, attempts=2)).search([asked("q1", "cars")], 1)
    assert len(loopback.asked) == 2


@pytest.mark.parametrize("failed", [{"failed": 1, "successful": 1}, {}])
def test_an_answer_from_a_part_of_the_index_is_no_answer(
    connect: Callable[..., Index], search_server: SearchServer, pauses: list[float], failed: dict[str, int]
) -> None:
    search_server.shards = {**SHARDS, **failed}
    search_server.timed_out = not failed
    for call in (lambda: connect().search([asked("q1", "cars")], 1), lambda: connect().ids()):
        with pytest.raises(IndexRefused, match="answered from a part of kb alone"):
            call()
    assert pauses == [0.5, 1.0] * 2


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (Answer("secret", status=400), "did not accept the question"),
        (Answer(b'{"responses": [secret'), "something else than JSON"),
        (Answer({"responses": []}), "answers otherwise than"),
        (Answer({"answer": "secret"}), "answers otherwise than"),
        (Answer(["secret"]), "answers otherwise than"),
        (Answer({"responses": [{"error": "secret", "status": 400}]}), "did not accept the question"),
        (Answer({"responses": [{"hits": {"hits": []}}]}), "answers otherwise than"),
        (
            Answer(
                {
                    "responses": [
                        {"timed_out": False, "_shards": SHARDS, "hits": {"hits": [{"_id": "1", "_score": None}]}}
                    ]
                }
            ),
            "answers otherwise than",
        ),
        (
            Answer(
                {"responses": [{"timed_out": False, "_shards": SHARDS, "hits": {"hits": [{"_id": "1", "_score": 1}]}}]}
            ),
            "has 0 values in article, not one id",
        ),
    ],
)
def test_a_fault_is_one_sentence_without_the_reply_and_is_not_asked_again(
    connect: Callable[..., Index], loopback: Loopback, answer: Answer, words: str
) -> None:
    loopback.faults = [answer]
    with pytest.raises(IndexRefused, match=words) as refusal:
        connect().search([asked("q1", "cars")], 1)
    assert "secret" not in str(refusal.value)
    assert len(loopback.asked) == 1


def test_a_wrong_key_and_an_unknown_index_are_said(connect: Callable[..., Index]) -> None:
    with pytest.raises(IndexRefused, match="refused the key; check the key in the operator's settings") as refusal:
        connect(login={**LOGIN, "INDEX_PASSWORD_SEARCH": "wrong"}).search([asked("q1", "cars")], 1)
    assert "wrong" not in str(refusal.value)
    with pytest.raises(IndexRefused, match="refused the key"):
        connect(login={}).ids()
    with pytest.raises(IndexRefused, match="has no index other; check the location"):
        connect("other?text=body").fingerprint()


def test_a_document_with_several_ids_is_refused(connect: Callable[..., Index], search_server: SearchServer) -> None:
    search_server.documents = [{"_id": "1", "article": ["a", "b"], "body": "cars"}]
    with pytest.raises(IndexRefused, match="has 2 values in article, not one id"):
        connect().search([asked("q1", "cars")], 1)


@pytest.mark.parametrize(
    ("location", "words"),
    [
        ("SEARCH/kb", "Say which field to search"),
        ("SEARCH/kb?text=a&vector=b", "Say which field to search"),
        ("SEARCH/kb?text=a&engine=solr", "engine must be elasticsearch or opensearch, not 'solr'"),
        ("SEARCH/kb?vector=a&candidates=many", "candidates must be a number up to 10,000"),
        ("SEARCH/kb?vector=a&candidates=10001", "candidates must be a number up to 10,000"),
        ("SEARCH/kb?text=a&candidates=10", "candidates is for a vector field of elasticsearch alone"),
        (
            "SEARCH/kb?vector=a&engine=opensearch&candidates=10",
            "candidates is for a vector field of elasticsearch alone",
        ),
        ("SEARCH/_all?text=a", "is no name of one index"),
    ],
)
def test_a_location_that_says_no_field_or_several_is_refused(location: str, words: str) -> None:
    with pytest.raises(IndexRefused, match=words):
        SearchedFields.read(location)


def test_the_candidates_of_an_approximate_search_are_as_in_production() -> None:
    fields = SearchedFields.read("SEARCH/kb?vector=embedding&candidates=300")
    body = fields.question(asked("q1", "", 1.0), 11)
    assert body["knn"]["num_candidates"] == 300
    assert fields.question(asked("q1", "", 1.0), 500)["knn"]["num_candidates"] == 500


def test_an_address_with_a_password_is_refused_without_repeating_it() -> None:
    with pytest.raises(IndexRefused, match="must not hold a user or a password") as refusal:
        ElasticsearchIndex.connect(FIELDS, {"INDEX_URL_SEARCH": "https://elastic:secret@search.example.test:9200"})
    with pytest.raises(IndexRefused, match="INDEX_URL_SEARCH is not set"):
        ElasticsearchIndex.connect(FIELDS, {})
    assert "secret" not in str(refusal.value)
