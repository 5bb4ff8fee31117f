"""An encoder behind an OpenAI-compatible endpoint, against one on the loopback interface."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from curation.retrieval.addresses import AddressRules, allow_list
from curation.retrieval.encoders import Encoder, EncoderAway, TextsRefused, http, provenance_of
from curation.retrieval.encoders.http import Endpoint, Http
from curation.retrieval.patience import Patience
from curation.retrieval.provenance import Provenance
from tests.loopback import Answer, Asked, Loopback, serving

KEY = "sk-topsecret"


def embeddings(asked: Asked) -> Answer:
    """A vector (length of the text, 1, 0) for each, the last first; a wrong question gets 400, a wrong key 401."""
    if asked.headers.get("authorization") != f"Bearer {KEY}":
        return Answer({"error": "secret reply"}, 401)
    if (asked.method, asked.path) != ("POST", "/v1/embeddings") or asked.json["model"] != "enc-a":
        return Answer({"error": "secret reply"}, 404)
    if set(asked.json) != {"model", "input", "encoding_format"} or asked.json["encoding_format"] != "float":
        return Answer({"error": "secret reply"}, 400)
    rows = [
        {"object": "embedding", "index": number, "embedding": [len(text), 1, 0]}
        for number, text in enumerate(asked.json["input"])
    ]
    return Answer({"object": "list", "model": "enc-a", "data": rows[::-1]})


@pytest.fixture
def loopback() -> Iterator[Loopback]:
    with serving(embeddings) as server:
        yield server


@pytest.fixture
def pauses() -> list[float]:
    return []


@pytest.fixture
def encoder(loopback: Loopback, pauses: list[float]) -> Callable[..., Http]:
    def made(*, key: str = KEY, name: str = "enc-a", dims: int = 3, timeout_s: float = 5.0) -> Http:
        rules = AddressRules(allow_list([loopback.url.removeprefix("http://")]))
        endpoint = Endpoint(f"{loopback.url}/v1", key, rules, Patience(timeout_s=timeout_s), pauses.append)
        return Http(endpoint, name, "2026-01", dims)

    return made


def test_each_text_gets_the_vector_of_its_index(encoder: Callable[..., Http], loopback: Loopback) -> None:
    made: Encoder = encoder()
    vectors = made.encode(["雹", "hail"])
    assert vectors.dtype == np.dtype("f4")
    assert vectors.tolist() == [[1, 1, 0], [4, 1, 0]]
    assert loopback.asked[0].json["input"] == ["雹", "hail"]
    assert made.encode([]).shape == (0, 3)
    assert provenance_of(made) == Provenance("enc-a", 3, revision="2026-01")
    assert KEY not in repr(made)


def test_many_texts_go_in_several_requests(
    encoder: Callable[..., Http], loopback: Loopback, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http, "_TOGETHER", 2)
    assert encoder().encode(["a", "aa", "aaa", "aaaa", "aaaaa"])[:, 0].tolist() == [1, 2, 3, 4, 5]
    assert [len(asked.json["input"]) for asked in loopback.asked] == [2, 2, 1]


def test_a_busy_endpoint_is_asked_again_after_growing_pauses(
    encoder: Callable[..., Http], loopback: Loopback, pauses: list[float]
) -> None:
    loopback.faults = [Answer(status=429), Answer(status=503)]
    assert encoder().encode(["hail"]).tolist() == [[4, 1, 0]]
    assert pauses == [0.5, 1.0]


def test_a_text_with_nothing_to_see_is_refused_before_it_is_sent(
    encoder: Callable[..., Http], loopback: Loopback
) -> None:
    with pytest.raises(TextsRefused) as refusal:
        encoder().encode(["hail", " "])
    assert (refusal.value.positions, loopback.asked) == ((1,), [])


def rows(*embeddings: object) -> dict[str, Any]:
    return {"data": [{"index": number, "embedding": embedding} for number, embedding in enumerate(embeddings)]}


@pytest.mark.parametrize(
    ("answer", "words", "times"),
    [
        (Answer("secret", 401), "enc-a refused the key", 1),
        (Answer("secret", 400), "enc-a did not accept the question", 1),
        (Answer("secret", 503), "too busy to answer", 3),
        (Answer("secret", 307, {"Location": "http://169.254.169.254/"}), "on to another address", 1),
        (Answer(b"secret"), "something else than JSON", 1),
        (Answer({"secret": 1}), "answers otherwise than OpenAI's does", 1),
        (Answer(["secret"]), "answers otherwise than OpenAI's does", 1),
        (Answer(rows()), "answers otherwise than OpenAI's does", 1),
        (Answer(rows(["secret", 1, 2])), "answers otherwise than OpenAI's does", 1),
        (Answer(rows(7)), "cannot be ranked", 1),
        (Answer(rows([0, 0, 0])), "cannot be ranked", 1),
        (Answer(b'{"data": [{"index": 0, "embedding": [NaN, 1, 2]}]}'), "cannot be ranked", 1),
        (Answer(rows([1, 2])), r"gives 2 dimensions and the corpus's vectors have 3; bring the vectors again", 1),
    ],
)
def test_a_fault_is_one_sentence_without_the_reply(
    encoder: Callable[..., Http], loopback: Loopback, answer: Answer, words: str, times: int
) -> None:
    loopback.faults = [answer] * times
    with pytest.raises(EncoderAway, match=words) as refusal:
        encoder().encode(["hail"])
    assert "secret" not in str(refusal.value)
    assert (refusal.value.positions, len(loopback.asked)) == ((), times)


def test_a_slow_endpoint_is_given_up(encoder: Callable[..., Http], loopback: Loopback) -> None:
    loopback.faults = [Answer(pause=0.3)] * 3
    with pytest.raises(EncoderAway, match=r"did not answer within 0\.1 s"):
        encoder(timeout_s=0.1).encode(["hail"])
    assert len(loopback.asked) == 3


def test_c71_an_endpoint_inside_a_private_network_is_refused_unless_allowed(loopback: Loopback) -> None:
    with pytest.raises(EncoderAway, match="inside a private network"):
        Http(Endpoint(loopback.url, KEY), "enc-a", "", 3).encode(["hail"])
    with pytest.raises(EncoderAway, match="must not hold a user or a password"):
        Http(Endpoint("https://user:secret@encoder.example.test"), "enc-a", "", 3).encode(["hail"])
    assert loopback.asked == []
