"""ranx reads our export of a set. It compiles for most of a minute and weighs 500 MB, so it is asked here alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from curation.formats.export.folder import write_folder
from tests.curation.formats.export.sets import SMALL

ranx = pytest.importorskip("ranx", reason="ranx is not installed; pip install ranx")

pytestmark = pytest.mark.filterwarnings("ignore")  # numba's own


def test_ranx_reads_the_grades_and_scores_a_run(tmp_path: Path) -> None:
    write_folder(tmp_path / "out", SMALL, form="ranx")
    qrels = ranx.Qrels.from_file(str(tmp_path / "out" / "qrels.json"))
    assert qrels.to_dict()["q1"] == {"a1-de": 3, "a1-en": 3, "b2": 0}
    run = ranx.Run({"q1": {"a1-de": 2.0, "b2": 1.0}, "q2": {"b2": 1.0}, "q3": {"a1-de": 2.0, "a1-en": 1.0}})
    assert ranx.evaluate(qrels, run, "recall-l2") == pytest.approx((0.5 + 0 + 1) / 3)
