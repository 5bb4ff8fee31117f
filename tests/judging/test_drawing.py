"""From a ranking to candidates."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from judging.actions.drawing import Draw, Rendering, draw, reach

ARTICLES = st.lists(st.tuples(st.integers(0, 8), st.sampled_from(["en", "tr", "de"])), max_size=30)


def known(*told: tuple[str, str, str]) -> dict[str, Rendering]:
    """(external id, canonical id, language), keyed and numbered in their order."""
    return {name: Rendering(pk, canonical, language) for pk, (name, canonical, language) in enumerate(told, 1)}


def ranking(*names: str) -> list[tuple[str, float]]:
    return [(name, -float(rank)) for rank, name in enumerate(names)]


def shown(drawn: Draw) -> list[tuple[int, int, tuple[int, ...]]]:
    return [(place.shown.pk, place.rank, place.folded) for place in drawn.places]


def test_translations_fold_into_the_best_ranked_rendering_wherever_they_rank() -> None:
    corpus = known(
        ("hail-tr", "hail", "tr"), ("fog-en", "fog", "en"), ("hail-en", "hail", "en"), ("hail-de", "hail", "de")
    )
    drawn = draw(ranking("hail-tr", "fog-en", "hail-en"), corpus, depth=50, cut_in_tie=0)
    assert shown(drawn) == [(1, 1, (4, 3)), (2, 2, ())]  # hail-de was not even ranked


def test_documents_of_one_language_under_one_canonical_id_stay_separate() -> None:
    corpus = known(("a#1", "a", "en"), ("a#2", "a", "en"), ("a-tr", "a", "tr"), ("b", "b", "en"))
    drawn = draw(ranking("a#1", "a-tr", "a#2", "b"), corpus, depth=2, cut_in_tie=0)
    assert shown(drawn) == [(1, 1, (3,)), (2, 3, ()), (4, 4, ())]


def test_drawing_stops_where_the_depth_is_reached() -> None:
    corpus = known(("a", "a", "en"), ("a#2", "a", "en"), ("b", "b", "en"), ("c", "c", "en"))
    assert reach(ranking("a", "a#2", "b", "c"), corpus, depth=2) == 3
    assert reach(ranking("a", "a#2"), corpus, depth=2) is None
    assert [place.shown.pk for place in draw(ranking("a", "a#2", "b", "c"), corpus, depth=2, cut_in_tie=0).places] == [
        1,
        2,
        3,
    ]


def test_documents_that_left_the_corpus_keep_their_rank_and_are_not_shown() -> None:
    corpus = known(("b", "b", "en"))
    assert shown(draw(ranking("gone", "b"), corpus, depth=50, cut_in_tie=0)) == [(1, 2, ())]


def test_ties_with_the_last_candidate_are_counted_in_and_beyond_the_hits() -> None:
    corpus = known(("a", "a", "en"), ("b", "b", "en"), ("c", "c", "en"))
    tied = [("a", 1.0), ("b", 0.5), ("c", 0.5)]
    assert draw(tied, corpus, depth=2, cut_in_tie=7).cut_in_tie == 8
    assert draw(tied, corpus, depth=1, cut_in_tie=7).cut_in_tie == 0


@given(ARTICLES, st.integers(1, 6))
def test_a_pool_holds_each_article_in_one_language_and_no_more_articles_than_its_depth(
    articles: list[tuple[int, str]], depth: int
) -> None:
    corpus = known(*((f"{place}", f"{article}", language) for place, (article, language) in enumerate(articles)))
    drawn = draw(ranking(*corpus), corpus, depth=depth, cut_in_tie=0)
    languages = {(place.shown.canonical_id, place.shown.language) for place in drawn.places}
    held = {canonical for canonical, _ in languages}
    assert len(languages) == len(held) == min(depth, len({article for article, _ in articles}))
    folded = {pk for place in drawn.places for pk in place.folded}
    others = {r.pk for r in corpus.values() if r.canonical_id in held and (r.canonical_id, r.language) not in languages}
    assert folded == others
