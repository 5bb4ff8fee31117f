"""From a ranking to candidates."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from judging.actions.drawing import Draw, Hit, Rendering, draw, reach, shelf_of

ARTICLES = st.lists(st.tuples(st.integers(0, 8), st.sampled_from(["en", "tr", "de"])), max_size=30)


def known(*told: tuple[str, str, str], source: str = "") -> dict[str, Rendering]:
    """(external id, canonical id, language), keyed and numbered in their order; `source` is the language of sources."""
    rows = enumerate(told, 1)
    return {name: Rendering(pk, canonical, language, language == source) for pk, (name, canonical, language) in rows}


def ranking(*names: str) -> list[tuple[str, float]]:
    return [(name, -float(rank)) for rank, name in enumerate(names)]


def drawn_from(
    corpus: dict[str, Rendering], *, language: str = "", depth: int = 50, cut_in_tie: int = 0, **hits: list[Hit]
) -> Draw:
    """Exact search to `depth` canonical ids, the others to two."""
    depths = {"exact": depth, "bm25": 2, "production": 2}
    return draw(hits, shelf_of(corpus), depths=depths, language=language, cut_in_tie=cut_in_tie)


def shown(drawn: Draw) -> list[tuple[int, int | None, tuple[int, ...]]]:
    return [(place.shown.pk, place.origins.get("exact"), place.folded) for place in drawn.places]


def test_translations_fold_into_the_best_ranked_rendering_wherever_they_rank() -> None:
    corpus = known(
        ("hail-tr", "hail", "tr"), ("fog-en", "fog", "en"), ("hail-en", "hail", "en"), ("hail-de", "hail", "de")
    )
    drawn = drawn_from(corpus, exact=ranking("hail-tr", "fog-en", "hail-en"))
    assert shown(drawn) == [(1, 1, (4, 3)), (2, 2, ())]  # hail-de was not even ranked


def test_documents_of_one_language_under_one_canonical_id_stay_separate() -> None:
    corpus = known(("a#1", "a", "en"), ("a#2", "a", "en"), ("a-tr", "a", "tr"), ("b", "b", "en"))
    drawn = drawn_from(corpus, exact=ranking("a#1", "a-tr", "a#2", "b"), depth=2)
    assert shown(drawn) == [(1, 1, (3,)), (2, 3, ()), (4, 4, ())]


def test_drawing_stops_where_the_depth_is_reached() -> None:
    corpus = known(("a", "a", "en"), ("a#2", "a", "en"), ("b", "b", "en"), ("c", "c", "en"))
    assert reach(ranking("a", "a#2", "b", "c"), corpus, depth=2) == 3
    assert reach(ranking("a", "a#2"), corpus, depth=2) is None
    drawn = drawn_from(corpus, exact=ranking("a", "a#2", "b", "c"), depth=2)
    assert [place.shown.pk for place in drawn.places] == [1, 2, 3]


def test_documents_that_left_the_corpus_keep_their_rank_and_are_not_shown() -> None:
    corpus = known(("b", "b", "en"))
    assert shown(drawn_from(corpus, exact=ranking("gone", "b"))) == [(1, 2, ())]


def test_ties_with_the_last_candidate_are_counted_in_and_beyond_the_hits() -> None:
    corpus = known(("a", "a", "en"), ("b", "b", "en"), ("c", "c", "en"))
    tied = [("a", 1.0), ("b", 0.5), ("c", 0.5)]
    assert drawn_from(corpus, exact=tied, depth=2, cut_in_tie=7).cut_in_tie == 8
    assert drawn_from(corpus, exact=tied, depth=1, cut_in_tie=7).cut_in_tie == 0


def test_the_rendering_in_the_querys_language_is_shown_and_has_the_best_rank_of_its_article() -> None:
    corpus = known(("hail-ja", "hail", "ja"), ("hail-tr", "hail", "tr"), ("fog-ja", "fog", "ja"))
    drawn = drawn_from(corpus, exact=ranking("fog-ja", "hail-ja", "hail-tr"), language="tr")
    assert shown(drawn) == [(3, 1, ()), (2, 2, (1,))]
    assert drawn.places[1].score == -1.0  # that of hail-ja
    unranked = drawn_from(corpus, exact=ranking("fog-ja", "hail-ja"), language="tr")
    assert shown(unranked) == shown(drawn)


def test_without_one_in_the_querys_language_the_marked_source_is_shown() -> None:
    corpus = known(("hail-de", "hail", "de"), ("hail-en", "hail", "en"), ("hail-ja", "hail", "ja"), source="en")
    assert shown(drawn_from(corpus, exact=ranking("hail-ja", "hail-de"), language="tr")) == [(2, 1, (1, 3))]


def test_of_several_chunks_that_nothing_ranks_none_is_picked_blindly() -> None:
    corpus = known(("a#1", "a", "tr"), ("a#2", "a", "tr"), ("a-ja", "a", "ja"))
    assert shown(drawn_from(corpus, exact=ranking("a-ja"), language="tr")) == [(3, 1, (1, 2))]
    assert shown(drawn_from(corpus, exact=ranking("a-ja", "a#2"), language="tr")) == [(2, 1, (3,))]
    assert shown(drawn_from(corpus, exact=ranking("a#2", "a-ja", "a#1"), language="tr")) == [(2, 1, (3,)), (1, 3, ())]


def test_each_retriever_brings_its_first_and_keeps_its_rank() -> None:
    corpus = known(*((name, name, "en") for name in "abcde"), ("c-tr", "c", "tr"))
    drawn = drawn_from(
        corpus, exact=ranking("a", "b"), bm25=ranking("c-tr", "gone", "b", "d"), production=ranking("c", "e", "a")
    )
    assert [(place.shown.pk, place.origins) for place in drawn.places] == [
        (1, {"exact": 1}),
        (6, {"bm25": 1, "production": 1}),  # b is the second article of BM25, where it stops
        (2, {"exact": 2, "bm25": 3}),
        (5, {"production": 2}),
    ]
    assert [place.score for place in drawn.places] == [0.0, None, -1.0, None]
    assert drawn.places[1].folded == (3,)


def test_a_query_that_exact_search_cannot_place_is_drawn_from_the_others() -> None:
    drawn = drawn_from(known(("a", "a", "en")), bm25=ranking("a"))
    assert (shown(drawn), drawn.cut_in_tie) == ([(1, None, ())], 0)


@given(ARTICLES, st.integers(1, 6))
def test_a_pool_holds_each_article_in_one_language_and_no_more_articles_than_its_depth(
    articles: list[tuple[int, str]], depth: int
) -> None:
    corpus = known(*((f"{place}", f"{article}", language) for place, (article, language) in enumerate(articles)))
    drawn = drawn_from(corpus, exact=ranking(*corpus), depth=depth)
    languages = {(place.shown.canonical_id, place.shown.language) for place in drawn.places}
    held = {canonical for canonical, _ in languages}
    assert len(languages) == len(held) == min(depth, len({article for article, _ in articles}))
    folded = {pk for place in drawn.places for pk in place.folded}
    others = {r.pk for r in corpus.values() if r.canonical_id in held and (r.canonical_id, r.language) not in languages}
    assert folded == others
