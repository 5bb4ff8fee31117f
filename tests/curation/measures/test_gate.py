"""The gate on figures worked out by hand, and on the incident that an average let through."""

from __future__ import annotations

from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.measures.floors import Floors
from curation.measures.gate import (
    cell_outcome,
    lowest_cells_first,
    slice_outcome,
    strictest,
    worst_slices_first,
)
from curation.measures.standard_error import mean

FLOORS = Floors()


def around(middle: float, spread: float, n: int) -> list[float]:
    """`n` recalls with the mean `middle`, each `spread` off it, one way and the other."""
    pairs = [middle - spread, middle + spread] * (n // 2)
    return pairs + [middle] * (n % 2)


INCIDENT = {
    "distinctive": (around(0.97, 0.03, 149), around(0.96, 0.03, 149)),
    "near_duplicate": (around(0.94, 0.06, 31), around(0.73, 0.27, 31)),
    "rare_entity": (around(0.92, 0.08, 24), around(0.89, 0.11, 24)),
    "keyword": (around(0.94, 0.06, 36), around(0.91, 0.09, 36)),
}
"""Slice → recalls of the baseline and of the candidate: 240 queries, 62 % of them in the slice that was immune."""


def test_the_incident_that_an_average_approved_is_rejected_by_name() -> None:
    before = [recall for baseline, _ in INCIDENT.values() for recall in baseline]
    after = [recall for _, candidate in INCIDENT.values() for recall in candidate]
    average, was = mean(after) or 0.0, mean(before) or 0.0
    assert (len(after), round(149 / len(after), 2), round(average - was, 3)) == (240, 0.62, -0.041)
    assert average > FLOORS.absolute  # the average alone stands above the floor, so it would have shipped

    found = worst_slices_first(
        slice_outcome(name, run, baseline=own, floors=FLOORS) for name, (own, run) in INCIDENT.items()
    )
    worst = found[0]
    assert (worst.name, worst.verdict, worst.n) == ("near_duplicate", "reject", 31)
    assert (worst.recall or 0.0) - (worst.baseline or 0.0) == pytest.approx(-0.21)
    for reading in worst.readings:
        assert reading.failed
        assert abs(reading.distance) > 2 * (reading.se or inf)
    assert [one.verdict for one in found[1:]].count("reject") == 0
    assert strictest(one.verdict for one in found) == "reject"


@pytest.mark.parametrize("floor", [0.80, 0.88])
def test_24_queries_at_a_standard_error_of_0_073_warn_and_ask_for_143_held_or_not(floor: float) -> None:
    recalls = [1.0] * 20 + [0.28] + [0.0] * 3
    found = slice_outcome("rare_entity", recalls, baseline=recalls, floors=Floors(absolute=floor))
    assert round(found.se or 0.0, 3) == 0.073
    assert found.absolute is not None
    assert found.absolute.held == (floor == 0.80)
    assert (found.verdict, found.asks) == ("warn", 143)


def test_both_floors_decided_and_held_pass() -> None:
    found = slice_outcome("keyword", around(0.95, 0.05, 100), baseline=around(0.96, 0.04, 100), floors=FLOORS)
    assert (found.verdict, found.asks) == ("pass", None)
    assert found.ci == pytest.approx((0.95 - 1.96 * 0.005025, 0.95 + 1.96 * 0.005025), abs=1e-4)


def test_one_decided_failure_rejects_whatever_the_other_floor_says() -> None:
    found = slice_outcome("distinctive", around(0.89, 0.05, 200), baseline=around(0.97, 0.03, 200), floors=FLOORS)
    assert [reading.failed for reading in found.readings] == [False, True]
    assert found.verdict == "reject"


def test_an_empty_slice_and_a_lone_query_warn() -> None:
    empty, lone = (
        slice_outcome("keyword", [], baseline=[], floors=FLOORS),
        slice_outcome("keyword", [1.0], baseline=[1.0], floors=FLOORS),
    )
    assert (empty.verdict, empty.n, empty.recall, empty.asks) == ("warn", 0, None, 100)
    assert (lone.verdict, lone.n, lone.recall, lone.readings, lone.asks) == ("warn", 1, None, (), 100)


def test_slices_stand_by_verdict_then_by_distance_to_their_floor() -> None:
    one = slice_outcome("held far", around(0.99, 0.01, 100), baseline=around(0.99, 0.01, 100), floors=FLOORS)
    two = slice_outcome("held near", around(0.90, 0.01, 100), baseline=around(0.90, 0.01, 100), floors=FLOORS)
    three = slice_outcome("few", around(0.99, 0.01, 5), baseline=around(0.99, 0.01, 5), floors=FLOORS)
    four = slice_outcome("fell", around(0.80, 0.01, 100), baseline=around(0.90, 0.01, 100), floors=FLOORS)
    assert [each.name for each in worst_slices_first([one, two, three, four])] == [
        "fell", "few", "held near", "held far",
    ]  # fmt: skip


def test_a_cell_is_judged_by_its_hits_from_a_hundred_queries_on() -> None:
    broken = cell_outcome({"query_language": "tr"}, 59, 100, planned=0, floor=0.60)
    held = cell_outcome({"query_language": "de"}, 60, 100, planned=0, floor=0.60)
    thin = cell_outcome({"query_language": "th"}, 0, 99, planned=120, floor=0.60)
    unplanned = cell_outcome({"query_language": "et"}, 0, 99, planned=0, floor=0.60)
    assert [cell.verdict for cell in (broken, held, thin, unplanned)] == ["reject", "pass", "warn", "thin"]
    assert [cell.score for cell in (broken, held, thin, unplanned)] == [0.59, 0.60, None, None]
    assert lowest_cells_first([unplanned, held, thin, broken])[:2] == [broken, held]


def test_nothing_to_judge_passes_and_one_rejection_rejects() -> None:
    assert strictest([]) == "pass"
    assert strictest(["pass", "warn", "thin"]) == "warn"
    assert strictest(["pass", "reject", "warn"]) == "reject"


@given(st.lists(st.floats(0, 1), min_size=2, max_size=150), st.data())
def test_a_verdict_follows_its_floors(recalls: list[float], data: st.DataObject) -> None:
    baseline = data.draw(st.lists(st.floats(0, 1), min_size=len(recalls), max_size=len(recalls)))
    found = slice_outcome("keyword", recalls, baseline=baseline, floors=FLOORS)
    assert (found.verdict == "reject") == any(reading.failed for reading in found.readings)
    assert (found.verdict == "pass") == all(reading.decided and reading.held for reading in found.readings)
    assert (found.asks is None) == (found.verdict != "warn")
