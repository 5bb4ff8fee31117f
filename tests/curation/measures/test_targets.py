"""Count targets 30, 100 and 400 decide what a cell shows (C62)."""

import csv
import json
from dataclasses import asdict
from pathlib import Path
from typing import get_args

import pytest

from curation.measures.hit import cell_score
from curation.measures.targets import COUNT_TARGETS, Use, cell_status, level_reached, next_target

CASES = Path(__file__).parents[2] / "data" / "cases"


def test_the_targets_are_30_100_and_400() -> None:
    assert dict(COUNT_TARGETS) == {"screen": 30, "gate": 100, "compare": 400}
    assert get_args(Use) == tuple(COUNT_TARGETS)


@pytest.mark.parametrize(("use", "opened"), [("screen", "defgh"), ("gate", "fgh"), ("compare", "h")])
def test_c62_a_cell_below_the_level_in_use_holds_its_count_and_no_score(use: Use, opened: str) -> None:
    with (CASES / "c62-cells.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 8
    for row in rows:
        hits, n = int(row["hits"]), int(row["judged"])
        cell = cell_score(hits, n, use=use)
        assert cell.n == n
        assert json.dumps(asdict(cell), allow_nan=False)
        if row["stratum"] in opened:
            assert (cell.status, cell.score) == ("reported", hits / n)
            assert cell.ci is not None
            assert cell.ci[0] < hits / n < cell.ci[1]
        else:
            assert (cell.status, cell.score, cell.ci) == ("insufficient", None, None)


@pytest.mark.parametrize(
    ("n", "level", "target"),
    [(0, 0, 30), (29, 0, 30), (30, 1, 100), (99, 1, 100), (100, 2, 400), (399, 2, 400), (400, 3, None)],
)
def test_a_count_reaches_a_level_and_looks_to_the_next(n: int, level: int, target: int | None) -> None:
    assert (level_reached(n), next_target(n)) == (level, target)


def test_a_cell_no_run_has_scored_is_unmeasured_once_it_has_its_count() -> None:
    assert cell_status(99, "gate", measured=False) == "insufficient"
    assert cell_status(100, "gate", measured=False) == "unmeasured"
    assert cell_status(100, "gate", measured=True) == "reported"
    cell = cell_score(None, 100, use="gate")
    assert (cell.status, cell.score, cell.ci) == ("unmeasured", None, None)
