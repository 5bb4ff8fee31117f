"""An average shows of a locale's failure its weight, and nothing more."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.measures.headline import HEADLINE_ALARM, Sensitivity, macro, sensitivity, weighted
from curation.measures.refusals import MeasureRefused

SMALL = ["et", "th", "sr", "pl", "ar", "pt", "nl", "it"]
LARGE = {"en": 0.44, "de": 0.19, "fr": 0.11, "ja": 0.09, "es": 0.06, "tr": 0.02}
SHARES = LARGE | dict.fromkeys(SMALL, 0.09 / 8)


def value_of(scores: dict[str, float | None]) -> float:
    value = weighted(scores, SHARES).value
    assert value is not None
    return value


def test_a_locale_at_two_percent_moves_the_headline_from_0_841_to_0_855() -> None:
    others = (0.841 - 0.02 * 0.15) / 0.98
    broken: dict[str, float | None] = {**dict.fromkeys(SHARES, others), "tr": 0.15}
    assert value_of(broken) == pytest.approx(0.841, abs=1e-12)
    assert round(value_of(broken | {"tr": 0.87}), 3) == 0.855
    assert value_of(broken) > HEADLINE_ALARM


def test_eight_locales_with_nine_percent_together_bring_it_to_0_776() -> None:
    whole: dict[str, float | None] = dict.fromkeys(SHARES, 0.841)
    fallen: dict[str, float | None] = dict.fromkeys(SMALL, 0.841 - 0.72)
    assert round(value_of(whole | fallen), 3) == 0.776


def test_a_macro_average_over_14_hides_one_at_0_15_at_0_819() -> None:
    headline = macro(dict.fromkeys(SHARES, 0.87) | {"tr": 0.15})
    assert headline.value is not None
    assert round(headline.value, 3) == 0.819
    assert headline.covered == pytest.approx(1)
    assert headline.unmeasured == ()


def test_weights_are_scaled_over_the_measured_locales_and_the_covered_share_is_told() -> None:
    headline = weighted({"en": 0.9, "tr": 0.4, "th": None}, {"en": 0.6, "tr": 0.2, "th": 0.15, "et": 0.05})
    assert headline.value == pytest.approx((0.6 * 0.9 + 0.2 * 0.4) / 0.8)
    assert headline.covered == pytest.approx(0.8)
    assert headline.unmeasured == ("th", "et")
    assert macro({"en": 0.9, "tr": 0.4, "th": None}).value == pytest.approx(0.65)
    assert macro({"en": 0.9, "tr": 0.4, "th": None}).covered == pytest.approx(2 / 3)


def test_a_locale_without_traffic_has_no_weight() -> None:
    assert weighted({"en": 0.9, "tr": 0.1}, {"en": 1.0}).value == 0.9


def test_nothing_measured_is_no_headline() -> None:
    assert weighted({"en": None}, {"en": 1.0}).value is None
    assert macro({}).value is None
    assert macro({"en": None, "tr": None}).unmeasured == ("en", "tr")


@pytest.mark.parametrize("shares", [{"en": 0.5}, {"en": 1.2, "tr": -0.2}, {}, {"en": 78.0, "tr": 22.0}])
def test_shares_that_do_not_sum_to_1_are_refused(shares: dict[str, float]) -> None:
    with pytest.raises(MeasureRefused, match="sum to 1"):
        weighted({"en": 0.9}, shares)


def test_the_sensitivity_table_is_weight_times_shortfall() -> None:
    rows = sensitivity(dict.fromkeys(SHARES, 0.89), SHARES)
    points = {row.locale: round(100 * (row.moves_weighted or 0), 1) for row in rows}
    assert [row.locale for row in rows][:6] == ["en", "de", "fr", "ja", "es", "tr"]
    assert {locale: points[locale] for locale in LARGE} == {
        "en": 31.7,
        "de": 13.7,
        "fr": 7.9,
        "ja": 6.5,
        "es": 4.3,
        "tr": 1.4,
    }
    assert {row.locale for row in rows if row.fires} == {"en", "de"}
    assert [row.moves_macro for row in rows] == pytest.approx([0.72 / 14] * 14)


def test_an_unmeasured_locale_is_in_no_average() -> None:
    rows = sensitivity({"en": 0.9, "tr": 0.8, "et": None}, {"en": 0.6, "tr": 0.2, "et": 0.2}, shortfall=0.4)
    assert rows[1] == Sensitivity(locale="et", share=0.2, moves_weighted=None, moves_macro=None, fires=False)
    assert rows[2].moves_weighted == pytest.approx(0.2 / 0.8 * 0.4)
    assert rows[2].moves_macro == pytest.approx(0.2)
    nothing = sensitivity({}, {"en": 1.0})
    assert (nothing[0].moves_weighted, nothing[0].fires) == (None, False)


@given(
    scores=st.lists(st.floats(0, 1), min_size=14, max_size=14),
    fallen=st.sampled_from(sorted(SHARES)),
    shortfall=st.floats(0, 1),
)
def test_the_mean_moves_by_weight_times_shortfall_whatever_the_scores_are(
    scores: list[float], fallen: str, shortfall: float
) -> None:
    before: dict[str, float | None] = dict(zip(SHARES, scores, strict=True))
    after = before | {fallen: (before[fallen] or 0.0) - shortfall}
    [row] = [row for row in sensitivity(before, SHARES, shortfall=shortfall) if row.locale == fallen]
    assert value_of(before) - value_of(after) == pytest.approx(row.moves_weighted, abs=1e-9)
