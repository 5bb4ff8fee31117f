"""The share of wording of two texts."""

import pytest

from curation.miners.pairs import Pair
from curation.miners.wording import Wordings, read_alike


@pytest.mark.parametrize(
    ("one", "other", "shared"),
    [
        ("the limit is 500", "the limit is 900", 1.0),
        ("The Limit, is: 500", "the limit is 5.000", 8 / 9),  # 5.000 is two figures here
        ("a b c d", "a b x y", 0.5),
        ("a b", "c d", 0.0),
        ("保険金額", "保険金", 6 / 7),
        ("", "", 1.0),
    ],
)
def test_figures_case_and_signs_do_not_part_texts(one: str, other: str, shared: float) -> None:
    assert Wordings([one, other].__getitem__).shared(0, 1) == pytest.approx(shared)


def test_six_words_of_ten_are_enough() -> None:
    texts = ["a b c d e f g h i j", "a b c d e f x x x x", "a b c d e x x x x x"]
    pairs = [Pair(0, 1, 0.9), Pair(0, 2, 0.9)]
    assert list(read_alike(pairs, texts.__getitem__, still_wanted=lambda: None)) == [Pair(0, 1, 0.9)]


def test_reading_stops_when_nobody_wants_it() -> None:
    def cancel() -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        list(read_alike([Pair(0, 1, 0.9)], ["a", "a"].__getitem__, still_wanted=cancel))
