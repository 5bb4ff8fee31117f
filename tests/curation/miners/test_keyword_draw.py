"""Which keyword queries are drawn: by stratum, in three ways, the same for the same seed."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from curation.miners.keyword_draw import Draw, Selection, Stratum, Way, select, shared_out
from curation.miners.short_keyword import KeywordQuery

DE, JA = Stratum("de", "Latn", "navigational"), Stratum("ja", "Jpan-kanji", "navigational")


def asked(text: str, count: int, locale: str = "de") -> KeywordQuery:
    return KeywordQuery(text, locale, count, tokens=1, script="Latn", locales=((locale, count),))


def stratum_of(query: KeywordQuery) -> Stratum:
    return DE if query.locale == "de" else JA


def chosen(queries: list[KeywordQuery], **draw: int) -> Selection:
    return select(queries, stratum_of=stratum_of, draw=Draw(**draw))


def texts(selection: Selection, way: Way, locale: str = "de") -> list[str]:
    return [each.query.text for each in selection.drawn if each.way == way and each.query.locale == locale]


LOG = [asked(f"q{number:03d}", 1000 - number) for number in range(200)]


def test_the_most_asked_of_each_stratum_are_drawn_first() -> None:
    queries = [asked("a", 9), asked("b", 8), asked("c", 7), asked("水", 2, "ja"), asked("雹", 1, "ja")]
    selection = chosen(queries, top=1, random=0, proportional=0)
    assert [(each.query.text, each.way, each.of) for each in selection.drawn] == [("a", "top", 3), ("水", "top", 2)]


def test_as_many_are_drawn_by_chance_as_asked_for_and_none_twice() -> None:
    selection = chosen(LOG, top=10, random=20, proportional=30)
    assert [len(texts(selection, way)) for way in ("top", "random", "proportional")] == [10, 20, 30]
    assert len({each.query for each in selection.drawn}) == 60
    assert texts(selection, "top") == [f"q{number:03d}" for number in range(10)]
    assert max(texts(selection, "random")) > "q100"


def test_the_same_seed_draws_the_same_in_any_order_and_another_seed_draws_others() -> None:
    shuffled = random.Random(1).sample(LOG, len(LOG))
    numbers = {"top": 5, "random": 20, "proportional": 20}
    assert chosen(LOG, **numbers, seed=7) == chosen(shuffled, **numbers, seed=7)
    assert texts(chosen(LOG, **numbers, seed=7), "random") != texts(chosen(LOG, **numbers, seed=8), "random")


def test_most_of_a_draw_stays_when_the_log_grows() -> None:
    before = set(texts(chosen(LOG, top=0, random=50, proportional=0), "random"))
    grown = [*LOG, *(asked(f"new{number}", 1) for number in range(20))]
    after = set(texts(chosen(grown, top=0, random=50, proportional=0), "random"))
    assert len(before & after) >= 35


def test_the_proportional_share_follows_the_searches_of_a_stratum_by_largest_remainder() -> None:
    wide = {DE: 100, JA: 100}
    assert shared_out(10, {DE: 749, JA: 251}, room=wide) == {DE: 7, JA: 3}
    assert shared_out(3, {DE: 1, JA: 1}, room=wide) == {DE: 2, JA: 1}
    assert shared_out(3, {}, room={}) == {}


def test_what_finds_no_room_in_a_stratum_is_drawn_from_the_others() -> None:
    assert shared_out(10, {DE: 10, JA: 990}, room={DE: 100, JA: 4}) == {DE: 6, JA: 4}
    assert shared_out(10, {DE: 10, JA: 990}, room={DE: 1, JA: 4}) == {DE: 1, JA: 4}


def test_within_a_stratum_what_is_asked_more_is_likelier_to_be_drawn_in_proportion() -> None:
    queries = [asked("often", 99), *(asked(f"seldom{number}", 1) for number in range(99))]
    hits = [
        "often" in texts(chosen(queries, top=0, random=0, proportional=1, seed=seed), "proportional")
        for seed in range(1, 201)
    ]
    assert 70 <= sum(hits) <= 130  # half of all searches are for it; 100 expected, 4 standard deviations either way


def test_the_strata_tell_what_they_hold_and_what_was_drawn() -> None:
    queries = [asked("a", 9), asked("b", 8), asked("水", 2, "ja")]
    first, second = chosen(queries, top=1, random=1, proportional=0).layers
    assert (first.stratum, first.found, first.searches) == (DE, 2, 17)
    assert first.drawn == {"top": 1, "random": 1, "proportional": 0}
    assert second.drawn == {"top": 1, "random": 0, "proportional": 0}


@given(st.integers(0, 500), st.dictionaries(st.sampled_from([DE, JA]), st.integers(1, 10**9), min_size=1))
def test_shares_sum_to_the_whole(total: int, sizes: dict[Stratum, int]) -> None:
    shares = shared_out(total, sizes, room=dict.fromkeys(sizes, 500))
    assert sum(shares.values()) == total
    assert all(abs(shares[each] - total * size / sum(sizes.values())) <= 1 for each, size in sizes.items())
