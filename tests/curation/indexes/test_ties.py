"""Equal scores at the cut, and documents named twice, from a server that orders them as it likes."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from curation.indexes import ties
from curation.indexes.base import AskedQuery, Ranked
from curation.indexes.ties import top_k


class Server:
    """Answers every query from one list, and remembers how it was asked."""

    def __init__(self, **places: list[tuple[str, float]]) -> None:
        self.places = {query: [Ranked(*place) for place in given] for query, given in places.items()}
        self.asked: list[tuple[list[str], int]] = []

    def __call__(self, queries: Sequence[AskedQuery], k: int) -> list[list[Ranked]]:
        self.asked.append(([query.external_id for query in queries], k))
        return [self.places[query.external_id][:k] for query in queries]


def asked(*names: str) -> list[AskedQuery]:
    return [AskedQuery(name, "") for name in names]


def test_a_cut_in_a_tie_is_asked_for_again_wider_and_only_there() -> None:
    server = Server(
        tied=[("z", 2.0), *((f"d{number}", 1.0) for number in range(9, 0, -1)), ("y", 0.5)],
        clear=[("b", 2.0), ("a", 2.0), ("c", 1.0)],
    )
    rankings = top_k(server, asked("tied", "clear"), 2)
    assert rankings == [[Ranked("z", 2.0), Ranked("d1", 1.0)], [Ranked("a", 2.0), Ranked("b", 2.0)]]
    assert server.asked == [(["tied", "clear"], 3), (["tied"], 12)]


def test_a_document_named_twice_keeps_its_best_score_and_leaves_room_for_the_next() -> None:
    server = Server(q=[("a", 3.0), ("a", 2.0), ("a", 1.5), ("b", 1.0)])
    assert top_k(server, asked("q"), 2) == [[Ranked("a", 3.0), Ranked("b", 1.0)]]
    assert server.asked == [(["q"], 3), (["q"], 12)]


def test_a_server_that_gives_all_it_has_is_not_asked_again() -> None:
    server = Server(q=[("b", 1.0), ("a", 1.0)])
    assert top_k(server, asked("q"), 5) == [[Ranked("a", 1.0), Ranked("b", 1.0)]]
    assert (top_k(server, [], 5), len(server.asked)) == ([], 1)


def test_the_widening_ends_at_what_servers_return(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ties, "MOST", 8)
    server = Server(q=[(f"d{number:02}", 1.0) for number in range(20, 0, -1)])
    assert top_k(server, asked("q"), 1) == [[Ranked("d13", 1.0)]]
    assert [k for _, k in server.asked] == [2, 8]
