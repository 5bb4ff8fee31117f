"""Agreement of three raters on product searches: our figures beside independent libraries on the raw file."""

from __future__ import annotations

import csv
from itertools import combinations
from pathlib import Path

import krippendorff
import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import fleiss_kappa

from .conftest import Ask, Record

pytestmark = pytest.mark.django_db
RELEVANT_FROM = 2
FOUR_GRADES, TWO_SIDES = "Fleiss' kappa, four grades", "Fleiss' kappa, relevant or not"


def by_rater(ratings: Path) -> dict[str, dict[tuple[str, str], int]]:
    """Rater to (query, document) to grade, read without any code of ours."""
    grades: dict[str, dict[tuple[str, str], int]] = {}
    with ratings.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            grades.setdefault(row["rater"], {})[row["query_id"], row["doc_id"]] = int(row["grade"])
    return grades


def fleiss(table: np.ndarray, categories: int) -> float:
    """Fleiss' kappa by statsmodels, of documents by raters."""
    counts = np.stack([(table == category).sum(axis=1) for category in range(categories)], axis=1)
    return float(fleiss_kappa(counts))


def test_three_raters_of_electronics_agree_as_independent_libraries_say(
    ask: Ask, record: Record, corpora: Path
) -> None:
    folder = corpora / "electronics-keywords"
    ask("import_corpus", "electronics", folder / "corpus.jsonl", "--encoder", "lsa")
    ask("import_queries", "electronics", folder / "queries.jsonl")
    assert ask("import_judgments", "electronics", folder / "ratings.csv", "--map", "judge=rater")["stored"] == 9564
    ours = ask("agreement", "electronics")
    grades = by_rater(folder / "ratings.csv")
    table = np.array([[grades[rater][pair] for rater in sorted(grades)] for pair in sorted(grades["rater1"])])
    relevant = (table >= RELEVANT_FROM).astype(int)
    assert table.shape == (3188, 3)
    theirs = {
        "all three equal": (ours["overall"]["all_give_one_grade_share"], float((np.ptp(table, axis=1) == 0).mean())),
        FOUR_GRADES: (ours["overall"]["kappa_of_grades"], fleiss(table, 4)),
        TWO_SIDES: (ours["overall"]["kappa"], fleiss(relevant, 2)),
        "Krippendorff's alpha, ordinal": (
            ours["overall"]["alpha_ordinal"],
            float(krippendorff.alpha(table.T, level_of_measurement="ordinal")),
        ),
    }
    pairs = {tuple(sorted(each["judges"])): each["kappa"] for each in ours["judges"]}
    for one, other in combinations(range(3), 2):
        names = (f"rater{one + 1}", f"rater{other + 1}")
        known = float(cohen_kappa_score(relevant[:, one], relevant[:, other]))
        theirs[f"Cohen's kappa, relevant or not, {' and '.join(names)}"] = (pairs[names], known)
    assert len(pairs) == 3
    for name, (own, known) in theirs.items():
        assert own == pytest.approx(known, abs=1e-9), name
    assert f"{100 * theirs['all three equal'][0]:.0f} %" == "71 %"
    assert f"{theirs[FOUR_GRADES][0]:.2f}" == "0.64"
    assert f"{theirs[TWO_SIDES][0]:.2f}" == "0.74"
    record(
        "electronics-keywords, agreement of three raters",
        ["figure", "Hardset", "statsmodels, krippendorff or scikit-learn"],
        [[name, f"{own:.4f}", f"{known:.4f}"] for name, (own, known) in theirs.items()],
    )
