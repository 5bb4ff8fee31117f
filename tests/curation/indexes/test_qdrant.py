"""Qdrant as a retriever: its client's local mode, and faults over HTTP from a server on the loopback interface."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from qdrant_client import QdrantClient, models

from curation.indexes import qdrant
from curation.indexes.base import AskedQuery, Index, IndexRefused, Ranked
from curation.indexes.qdrant import Collection, QdrantIndex
from curation.indexes.qdrant_server import QdrantServer
from curation.retrieval.patience import Patience
from tests.loopback import Answer, Loopback, serving

from .qdrant_server import KEY
from .qdrant_server import QdrantServer as Answering

ROWS = [("c", [1.0, 0.0]), ("b", [0.6, 0.8]), ("a", [1.0, 0.0]), ("d", [0.0, 1.0])]


def asked(query_id: str, *numbers: float) -> AskedQuery:
    return AskedQuery(query_id, "", np.array(numbers, dtype=np.float32) if numbers else None)


def index(client: QdrantClient, location: str) -> Index:
    return QdrantIndex(QdrantServer(client, "NEAR"), Collection.read(f"NEAR/{location}"))


def fill(client: QdrantClient, name: str, *, distance: models.Distance = models.Distance.DOT) -> None:
    client.create_collection(name, vectors_config=models.VectorParams(size=2, distance=distance))
    client.upsert(
        name,
        [
            models.PointStruct(id=number, vector=vector, payload={"article": external_id, "no": 10 + number})
            for number, (external_id, vector) in enumerate(ROWS, 1)
        ],
    )


@pytest.fixture
def local() -> Iterator[QdrantClient]:
    client = QdrantClient(":memory:")
    fill(client, "kb")
    yield client
    client.close()


@pytest.fixture
def loopback(local: QdrantClient) -> Iterator[Loopback]:
    with serving(Answering(local)) as server:
        yield server


@pytest.fixture
def pauses() -> list[float]:
    return []


@pytest.fixture
def connect(loopback: Loopback, pauses: list[float]) -> Callable[..., QdrantIndex]:
    def connected(location: str = "kb?id=article", *, key: str = KEY, **patience: Any) -> QdrantIndex:
        environment = {"INDEX_URL_NEAR": loopback.url, "INDEX_KEY_NEAR": key}
        collection = Collection.read(f"NEAR/{location}")
        return QdrantIndex.connect(collection, environment, patience=Patience(**patience), sleep=pauses.append)

    return connected


class Forgetful:
    """A client whose server leaves an answer out."""

    def __init__(self, client: QdrantClient) -> None:
        self.get_collection = client.get_collection

    def query_batch_points(self, *_: object) -> list[object]:
        return []


def test_an_answer_left_out_is_refused(local: QdrantClient) -> None:
    opened = QdrantIndex(QdrantServer(Forgetful(local), "NEAR"), Collection("NEAR", "kb"))
    with pytest.raises(IndexRefused, match="The server NEAR answered 0 of 1 queries; try again"):
        opened.search([asked("q1", 1, 0)], 1)


insecure = pytest.mark.filterwarnings("ignore:Api key is used with an insecure connection:UserWarning")


def test_answers_come_by_external_id_and_a_tie_at_the_cut_goes_by_id(local: QdrantClient) -> None:
    rankings = index(local, "kb?id=article").search([asked("q1", 1, 0), asked("q2", 0, 2)], 1)
    assert rankings == [[Ranked("a", 1.0)], [Ranked("d", 2.0)]]
    (ranking,) = index(local, "kb?id=article").search([asked("q1", 1, 0)], 10)
    assert [place.external_id for place in ranking] == ["a", "c", "b", "d"]
    assert index(local, "kb").search([], 3) == []


@pytest.mark.parametrize(("location", "ids"), [("kb", "1234"), ("kb?id=no", ["11", "12", "13", "14"])])
def test_the_external_id_is_the_point_or_a_field_of_it(local: QdrantClient, location: str, ids: list[str]) -> None:
    opened = index(local, location)
    assert opened.ids() == list(ids)
    assert opened.search([asked("q1", 0, 1)], 1)[0][0].external_id == ids[3]


@pytest.mark.parametrize("distance", [models.Distance.EUCLID, models.Distance.MANHATTAN])
def test_the_nearest_comes_first_where_the_score_is_a_distance(local: QdrantClient, distance: models.Distance) -> None:
    fill(local, "far", distance=distance)
    (ranking,) = index(local, "far?id=article").search([asked("q1", 0, 1)], 2)
    assert [place.external_id for place in ranking] == ["d", "b"]
    assert ranking[0].score == 0 > ranking[1].score


def test_named_vectors_are_chosen_by_the_location(local: QdrantClient) -> None:
    sizes = {"dense": 2, "small": 1}
    config = {name: models.VectorParams(size=size, distance=models.Distance.DOT) for name, size in sizes.items()}
    local.create_collection("two", vectors_config=config)
    local.upsert("two", [models.PointStruct(id=7, vector={"dense": [1.0, 0.0], "small": [1.0]})])
    opened = index(local, "two?vector=dense")
    assert opened.search([asked("q1", 1, 0)], 5) == [[Ranked("7", 1.0)]]
    assert opened.fingerprint() != index(local, "two?vector=small").fingerprint()
    with pytest.raises(IndexRefused, match="The vectors of two are dense, small; say which in the option vector"):
        index(local, "two").search([asked("q1", 1, 0)], 5)
    with pytest.raises(IndexRefused, match="The vectors of kb are one without a name"):
        index(local, "kb?vector=dense").fingerprint()


def test_a_query_without_a_fitting_vector_is_refused_by_id(local: QdrantClient) -> None:
    opened = index(local, "kb")
    with pytest.raises(IndexRefused, match="needs a vector for query q2"):
        opened.search([asked("q1", 1, 0), asked("q2")], 1)
    with pytest.raises(IndexRefused, match="kb holds vectors of 2 dimensions and the queries have 3"):
        opened.search([asked("q1", 1, 0, 0)], 1)


def test_a_point_without_its_id_is_refused(local: QdrantClient) -> None:
    with pytest.raises(IndexRefused, match="Point 1 of kb has no id in its field slug"):
        index(local, "kb?id=slug").ids()


def test_all_pages_are_read(local: QdrantClient, monkeypatch: pytest.MonkeyPatch) -> None:
    first = index(local, "kb?id=article").fingerprint()
    monkeypatch.setattr(qdrant, "_PAGE", 3)
    monkeypatch.setattr(qdrant, "_TOGETHER", 2)
    opened = index(local, "kb?id=article")
    assert opened.ids() == ["a", "b", "c", "d"]
    assert opened.fingerprint() == first
    rankings = opened.search([asked("q1", 0, 1), asked("q2", 1, 1), asked("q3", 0, 1)], 1)
    assert [ranking[0].external_id for ranking in rankings] == ["d", "b", "d"]


def test_the_fingerprint_follows_ids_and_vectors(local: QdrantClient) -> None:
    one, other = index(local, "kb?id=article"), index(local, "kb?id=no")
    prints = [one.fingerprint(), other.fingerprint()]
    assert one.fingerprint() == prints[0]
    for point in (
        models.PointStruct(id=1, vector=[1.0, 0.5], payload={"article": "c"}),
        models.PointStruct(id=1, vector=[1.0, 0.5], payload={"article": "z"}),
        models.PointStruct(id=5, vector=[1.0, 0.5], payload={"article": "z"}),
    ):
        local.upsert("kb", [point])
        prints.append(one.fingerprint())
    assert len(set(prints)) == 5


@insecure
def test_a_server_is_asked_over_http_with_its_key(connect: Callable[..., QdrantIndex], loopback: Loopback) -> None:
    opened = connect()
    assert opened.search([asked("q1", 1, 0)], 2) == [[Ranked("a", 1.0), Ranked("c", 1.0)]]
    assert opened.ids() == ["a", "b", "c", "d"]
    assert len(opened.fingerprint()) == 64
    (question,) = loopback.asked[1].json["searches"]
    assert {name: value for name, value in question.items() if value is not None} == {
        "query": {"nearest": [1.0, 0.0]},
        "limit": 3,
        "with_payload": ["article"],
    }


@insecure
def test_a_busy_server_is_asked_again_after_growing_pauses(
    connect: Callable[..., QdrantIndex], loopback: Loopback, pauses: list[float]
) -> None:
    loopback.faults = [Answer(status=429), Answer(status=429, headers={"Retry-After": "1"})]
    assert connect().search([asked("q1", 0, 1)], 1) == [[Ranked("d", 1.0)]]
    loopback.faults = [Answer(status=503), Answer(status=502)]
    assert connect().ids() == ["a", "b", "c", "d"]
    assert pauses == [0.5, 1.0, 0.5, 1.0]


@insecure
@pytest.mark.parametrize(
    ("answer", "words", "times"),
    [
        (Answer("secret", 503), r"too busy to answer \(status 503\)", 2),
        (Answer("secret", 400), "did not accept the question", 1),
        (Answer("secret", 302, {"Location": "http://169.254.169.254/"}), "on to another address", 1),
        (Answer(b"secret"), "answers otherwise than Qdrant does", 1),
        (Answer({"result": {"points": "secret"}}), "answers otherwise than Qdrant does", 1),
        (Answer({}), "answers otherwise than Qdrant does", 1),
        (Answer(pause=3), "did not answer within 1 s; try again later", 2),
    ],
)
def test_a_fault_is_one_sentence_without_the_reply(
    connect: Callable[..., QdrantIndex], loopback: Loopback, answer: Answer, words: str, times: int
) -> None:
    loopback.faults = [answer] * 2
    with pytest.raises(IndexRefused, match=words) as refusal:
        connect(timeout_s=1, attempts=2).ids()
    assert "secret" not in str(refusal.value)
    assert len(loopback.asked) == times


@insecure
def test_a_wrong_key_an_unknown_collection_and_a_dead_server_are_said(
    connect: Callable[..., QdrantIndex], loopback: Loopback
) -> None:
    with pytest.raises(IndexRefused, match="The server NEAR refused the key") as refusal:
        connect(key="wrong").ids()
    assert "wrong" not in str(refusal.value)
    with pytest.raises(IndexRefused, match="has no collection other; check the location"):
        connect("other").search([asked("q1", 1, 0)], 1)
    gone = QdrantIndex.connect(
        Collection("NEAR", "kb"), {"INDEX_URL_NEAR": "http://127.0.0.1:1"}, patience=Patience(attempts=1)
    )
    with pytest.raises(IndexRefused, match="cannot be reached; check its address and that it is up"):
        gone.ids()


@pytest.mark.parametrize("address", ["ftp://127.0.0.1", "http://user:secret@127.0.0.1:6333"])
def test_an_address_that_is_none_is_refused_without_repeating_it(address: str) -> None:
    with pytest.raises(IndexRefused, match="INDEX_URL_NEAR is no use: An address must") as refusal:
        QdrantIndex.connect(Collection("NEAR", "kb"), {"INDEX_URL_NEAR": address})
    assert "secret" not in str(refusal.value)


def test_without_the_library_the_module_costs_nothing_and_its_use_says_what_to_install() -> None:
    program = """
import sys
sys.modules["qdrant_client"] = None
from curation.indexes.qdrant import Collection, QdrantIndex
try:
    QdrantIndex.connect(Collection.read("NEAR/kb"), {})
except ValueError as refusal:
    print(refusal)
"""
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60)
    assert ended.stdout == ("The library qdrant_client is not installed; install it with: pip install qdrant-client.\n")
