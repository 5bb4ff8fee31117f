"""Where other retrievers rank a mined document: what all of them rank high may be an answer that nobody has judged."""

from collections.abc import Sequence

from curation.miners.documents import fingerprint
from curation.miners.false_negative import Ranked, hunt
from curation.miners.hard_negative import HardNegatives, JudgedQuery, Search, Shelf, mine

ARTICLES = {"gold": "gold", "a.en": "a", "a.tr": "a", "b": "b", "c": "c", "twin": "twin"}
SHELF = Shelf(
    canonical_ids=ARTICLES,
    fingerprints={name: fingerprint("the text of c" if name in {"c", "twin"} else name) for name in ARTICLES},
)


def answering(*ids: str, to: str = "") -> Search:
    """A retriever that answers with these documents: every query, or the one named alone."""

    def search(query_ids: Sequence[str], k: int) -> list[list[tuple[str, float]]]:
        answer = [(name, 1 / place) for place, name in enumerate(ids[:k], 1)]
        return [answer if to in {"", query_id} else [] for query_id in query_ids]

    return search


def mined(*queries: str, depth: int = 20) -> HardNegatives:
    """The negatives a.en, b and c, in this order, of each query."""
    judged = [JudgedQuery(query, frozenset({"gold"}), {"gold": 3}) for query in queries]
    return mine(judged, answering("a.en", "gold", "b", "c"), shelf=SHELF, depth=depth)


def test_what_every_retriever_ranks_has_a_lowest_place() -> None:
    retrievers = {"bm25": answering("b", "gold", "a.en"), "dense": answering("c", "b", "gold")}
    ranked = hunt(mined("q"), retrievers, shelf=SHELF)
    assert ranked == {
        ("q", "a.en"): Ranked(1, {"bm25": 3, "dense": None}),
        ("q", "b"): Ranked(3, {"bm25": 1, "dense": 2}),
        ("q", "c"): Ranked(4, {"bm25": None, "dense": 1}),
    }
    assert [each.lowest for each in ranked.values()] == [None, 3, None]


def test_the_tenth_place_is_high_and_the_eleventh_is_not() -> None:
    assert Ranked(2, {"bm25": 10, "dense": 1}).lowest == 10
    assert Ranked(2, {"bm25": 11, "dense": 1}).lowest is None
    assert Ranked(11, {"bm25": 1}).lowest is None


def test_an_article_stands_where_its_best_rendering_or_twin_stands() -> None:
    ranked = hunt(mined("q"), {"bm25": answering("a.tr", "a.en", "twin", "unknown", "c")}, shelf=SHELF)
    assert {name: each.places["bm25"] for (_, name), each in ranked.items()} == {"a.en": 1, "b": None, "c": 3}


def test_a_retriever_is_read_no_deeper_than_was_mined() -> None:
    ranked = hunt(mined("q", depth=3), {"bm25": answering("gold", "c", "b", "a.en")}, shelf=SHELF)
    assert {name: each.places["bm25"] for (_, name), each in ranked.items()} == {"a.en": None, "b": 3}


def test_with_no_second_retriever_nothing_is_agreed_on() -> None:
    assert {each.lowest for each in hunt(mined("q"), {}, shelf=SHELF).values()} == {None}


def test_a_retriever_without_an_answer_to_a_query_has_no_say_in_it() -> None:
    retrievers = {"bm25": answering("b"), "old": answering("c", to="q1")}
    ranked = hunt(mined("q1", "q2"), retrievers, shelf=SHELF)
    assert (ranked["q1", "b"].places, ranked["q1", "b"].lowest) == ({"bm25": 1, "old": None}, None)
    assert (ranked["q2", "b"].places, ranked["q2", "b"].lowest) == ({"bm25": 1}, 3)


def test_progress_counts_each_query_once_a_retriever() -> None:
    seen: list[tuple[int, int]] = []
    hunt(
        mined("q1", "q2"),
        {"bm25": answering("b"), "dense": answering("c")},
        shelf=SHELF,
        progress=lambda done, total: seen.append((done, total)),
    )
    assert seen == [(2, 4), (4, 4)]
