"""Rows to train on: one a positive and negative, or one a positive with so many negatives that every row is as wide."""

from curation.formats.contrastive import n_tuples, triplets


def test_a_triplet_for_each_positive_with_each_negative() -> None:
    assert list(triplets("q", ["p1", "p2"], ["n1", "n2"])) == [
        {"anchor": "q", "positive": "p1", "negative": "n1"},
        {"anchor": "q", "positive": "p1", "negative": "n2"},
        {"anchor": "q", "positive": "p2", "negative": "n1"},
        {"anchor": "q", "positive": "p2", "negative": "n2"},
    ]


def test_an_n_tuple_numbers_its_negatives_from_one_and_takes_the_first() -> None:
    rows = list(n_tuples("q", ["p1", "p2"], ["n1", "n2", "n3"], size=2))
    assert rows[1] == {"anchor": "q", "positive": "p2", "negative_1": "n1", "negative_2": "n2"}
    assert [list(row) for row in rows] == [["anchor", "positive", "negative_1", "negative_2"]] * 2


def test_with_too_few_negatives_there_is_no_narrower_n_tuple() -> None:
    assert list(n_tuples("q", ["p"], ["n1"], size=2)) == []


def test_without_a_negative_there_is_no_triplet() -> None:
    assert list(triplets("q", ["p"], [])) == []
