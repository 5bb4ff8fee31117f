"""Agreement: figures from the textbooks, what must hold of any of them, and independent libraries."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from math import isnan
from typing import Literal

import krippendorff
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats import inter_rater

from curation.measures.cohen_kappa import cohen_kappa, crossed
from curation.measures.fleiss_kappa import fleiss_kappa
from curation.measures.krippendorff_alpha import krippendorff_alpha
from curation.measures.percent_agreement import percent_agreement
from curation.measures.ratings import Counts
from curation.measures.refusals import MeasureRefused
from curation.measures.resampling import Estimate

GAP = -1
# Fleiss 1971, as Wikipedia works it out: 14 raters put 10 subjects into 5 categories; kappa 0.210.
FLEISS = np.array(
    [
        [0, 0, 0, 0, 14],
        [0, 2, 6, 4, 2],
        [0, 0, 3, 5, 6],
        [0, 3, 9, 2, 0],
        [2, 2, 8, 1, 1],
        [7, 7, 0, 0, 0],
        [3, 2, 6, 3, 0],
        [2, 5, 3, 2, 2],
        [6, 5, 2, 1, 0],
        [0, 2, 2, 3, 7],
    ]
)
# Krippendorff 2011, example C: four observers, twelve units, gaps; nominal 0.743, ordinal 0.815.
OBSERVERS = np.array(
    [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, GAP, GAP, GAP],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, GAP, 3],
        [GAP, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, GAP],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, GAP],
    ]
)
raters = st.integers(2, 4).flatmap(
    lambda people: st.lists(st.lists(st.integers(GAP, 3), min_size=people, max_size=people), min_size=1, max_size=25)
)
pairs = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=40)


def counted(grades: list[list[int]] | np.ndarray, categories: int = 4, first: int = 0) -> Counts:
    """Documents by raters, to documents by categories from `first` on."""
    table = np.asarray(grades)
    return np.stack([(table == category + first).sum(axis=1) for category in range(categories)], axis=1)


def alpha(counts: Counts) -> Estimate:
    return krippendorff_alpha(counts, level="ordinal", seed=1)


def alpha_nominal(counts: Counts) -> Estimate:
    return krippendorff_alpha(counts, level="nominal", seed=1)


def kappa(counts: Counts) -> Estimate:
    return fleiss_kappa(counts, seed=1)


EVERY = pytest.mark.parametrize("measure", [kappa, alpha, alpha_nominal])
Measure = Callable[[Counts], Estimate]


def test_fleiss_kappa_of_the_example_of_1971() -> None:
    assert kappa(FLEISS).value == pytest.approx(0.210, abs=5e-4)


def test_krippendorff_alpha_of_the_example_of_2011() -> None:
    counts = counted(OBSERVERS.T, 5, first=1)
    assert alpha_nominal(counts).value == pytest.approx(0.743, abs=5e-4)
    assert alpha(counts).value == pytest.approx(0.815, abs=5e-4)


def test_cohen_kappa_by_hand() -> None:
    """20 both yes, 15 both no, 5 and 10 apart: observed 0.7, expected 0.5, kappa 0.4."""
    found = cohen_kappa(np.array([[20, 5], [10, 15]]))
    assert found.value == pytest.approx(0.4)
    assert found.ci is not None
    theirs = inter_rater.cohens_kappa([[20, 5], [10, 15]])
    assert found.ci == pytest.approx((theirs.kappa_low, theirs.kappa_upp))


def test_percent_agreement_by_hand() -> None:
    """Three people of one mind, three of two minds, two apart, and one alone who says nothing of agreement."""
    found = percent_agreement(counted([[3, 3, 3], [2, 2, 0], [1, GAP, 2], [3, GAP, GAP]]))
    assert (found.units, found.unanimous, found.pairs, found.agree) == (3, 1, 7, 4)
    assert found.share == pytest.approx(4 / 7)
    assert found.unanimous_share == pytest.approx(1 / 3)


def test_more_people_on_a_document_make_more_pairs() -> None:
    """Pairs: 3 equal of the first, 0 of 1 of the second; grades by pairs 6 : 1 : 1, so 0.75 against 0.59375."""
    found = kappa(np.array([[3, 0, 0], [0, 1, 1]]))
    assert found.value == pytest.approx((0.75 - 0.59375) / (1 - 0.59375))


@settings(max_examples=30, deadline=None)
@given(raters)
def test_fleiss_kappa_equals_statsmodels(grades: list[list[int]]) -> None:
    whole = [row for row in grades if GAP not in row]
    ours = kappa(counted(whole)) if whole else Estimate(None, None)
    if ours.value is not None:
        assert ours.value == pytest.approx(inter_rater.fleiss_kappa(counted(whole)), abs=1e-9)


@settings(max_examples=30, deadline=None)
@given(raters)
def test_krippendorff_alpha_equals_krippendorff(grades: list[list[int]]) -> None:
    counts = counted(grades)
    levels: tuple[Literal["ordinal", "nominal"], ...] = ("ordinal", "nominal")
    for level in levels:
        ours = krippendorff_alpha(counts, level=level, seed=1)
        if ours.value is not None:
            given_back = krippendorff.alpha(value_counts=counts, level_of_measurement=level)
            assert ours.value == pytest.approx(given_back, abs=1e-9)


@settings(max_examples=30, deadline=None)
@given(pairs)
def test_cohen_kappa_equals_sklearn_and_its_interval_statsmodels(said: list[tuple[int, int]]) -> None:
    first, second = [one for one, _ in said], [two for _, two in said]
    table = crossed(first, second, categories=4)
    ours = cohen_kappa(table)
    if ours.value is None:
        assert len({*first, *second}) == 1
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # statsmodels divides by the weights of empty rows
        theirs = inter_rater.cohens_kappa(table)
    assert ours.value == pytest.approx(cohen_kappa_score(first, second), abs=1e-9)
    assert ours.ci is not None
    if isnan(theirs.kappa_low):  # its variance came out a rounding below 0
        assert ours.ci == pytest.approx((ours.value, ours.value), abs=1e-6)
    else:
        assert ours.ci == pytest.approx((max(-1.0, theirs.kappa_low), min(1.0, theirs.kappa_upp)), abs=1e-6)


@EVERY
@settings(max_examples=30, deadline=None)
@given(grades=st.lists(st.integers(0, 3), min_size=2, max_size=20).filter(lambda row: len(set(row)) > 1))
def test_who_always_agrees_has_1(measure: Measure, grades: list[int]) -> None:
    found = measure(counted([[grade] * 3 for grade in grades]))
    assert found.value == pytest.approx(1.0)
    assert found.ci == pytest.approx((1.0, 1.0))


@EVERY
@settings(max_examples=30, deadline=None)
@given(grades=raters, seed=st.randoms(use_true_random=False))
def test_the_order_of_documents_and_people_changes_nothing(
    measure: Measure, grades: list[list[int]], seed: object
) -> None:
    mixed = [row[::-1] for row in reversed(grades)]
    assert measure(counted(mixed)) == measure(counted(grades))


@settings(max_examples=30, deadline=None)
@given(raters, st.permutations(range(4)))
def test_kappa_and_nominal_alpha_do_not_know_which_category_is_higher(
    grades: list[list[int]], names: list[int]
) -> None:
    counts = counted(grades)
    for measure in (kappa, alpha_nominal):
        assert same(measure(counts[:, names]).value, measure(counts).value)


@settings(max_examples=30, deadline=None)
@given(raters)
def test_ordinal_alpha_reads_a_scale_from_either_end_and_past_empty_grades(grades: list[list[int]]) -> None:
    counts = counted(grades)
    stretched = np.insert(counts, 2, 0, axis=1)
    assert same(alpha(counts[:, ::-1]).value, alpha(counts).value)
    assert same(alpha(stretched).value, alpha(counts).value)


def same(one: float | None, other: float | None) -> bool:
    return one is other if one is None or other is None else one == pytest.approx(other, abs=1e-9)


@settings(max_examples=30, deadline=None)
@given(pairs)
def test_cohen_kappa_is_the_same_whoever_is_first(said: list[tuple[int, int]]) -> None:
    table = crossed([one for one, _ in said], [two for _, two in said], categories=4)
    assert same(cohen_kappa(table.T).value, cohen_kappa(table).value)


@EVERY
def test_where_all_grades_are_one_there_is_no_figure(measure: Measure) -> None:
    assert measure(counted([[2, 2], [2, 2]])) == Estimate(None, None)
    assert measure(counted([[2, GAP], [GAP, 1]])) == Estimate(None, None)
    assert cohen_kappa(np.array([[9, 0], [0, 0]])) == Estimate(None, None)


@EVERY
def test_an_interval_is_the_same_for_the_same_seed_and_narrows_with_more_documents(measure: Measure) -> None:
    some = counted([[3, 3], [0, 0], [2, 3], [1, 0], [0, 0]] * 6)
    few, many = measure(some), measure(np.tile(some, (16, 1)))
    assert measure(some) == few
    assert few.ci is not None
    assert many.ci is not None
    assert few.ci[0] < many.ci[0] < (many.value or 0) < many.ci[1] < few.ci[1]


def test_the_interval_of_a_kappa_of_two_people_is_close_to_the_analytic_one() -> None:
    drawn = np.random.default_rng(7)
    first = drawn.integers(0, 2, 400)
    second = np.where(drawn.random(400) < 0.15, 1 - first, first)
    resampled = kappa(counted(np.stack([first, second], axis=1), 2)).ci
    analytic = cohen_kappa(crossed(first.tolist(), second.tolist(), categories=2)).ci
    assert resampled == pytest.approx(analytic, abs=0.02)


def test_what_makes_no_pairs_or_no_table_is_refused() -> None:
    with pytest.raises(MeasureRefused, match="3 and 2 documents"):
        crossed([0, 1, 1], [0, 1], categories=2)
    with pytest.raises(MeasureRefused, match="0 to 1"):
        crossed([0, 2], [0, 1], categories=2)
    with pytest.raises(MeasureRefused, match="square"):
        cohen_kappa(np.array([[1, 2, 3], [1, 2, 3]]))
    with pytest.raises(MeasureRefused, match="counts"):
        kappa(np.array([[0.5, 1.5]]))
    with pytest.raises(MeasureRefused, match="counts"):
        percent_agreement(np.array([[-1, 3]]))
