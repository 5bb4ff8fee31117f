"""The incident that an average approved, and the slice too small to decide, through the command that would have stopped it."""

from __future__ import annotations

import pytest

from curation.models import Corpus, GateReport
from tests import factories
from tests.curation.gating import scene
from tests.curation.gating.scene import EACH, say

pytestmark = pytest.mark.django_db

COUNTS = {"distinctive": 149, "near_duplicate": 31, "rare_entity": 24, "keyword": 36}
LOST = {"distinctive": (1, 8), "near_duplicate": (2, 16), "rare_entity": (1, 4), "keyword": (1, 5)}
"""Slice → how many of its five documents each of so many queries lost: 49 over 240 queries."""

TWENTY_FOUR = [0] * 3 + [1] + [4] * 3 + [5] * 17
"""What each query of a slice finds of five: mean 0.817, standard error 0.073."""


def test_what_the_average_let_through_is_rejected_by_the_name_of_its_slice() -> None:
    corpus = scene.searchable()
    made = scene.queries_in(corpus, COUNTS)
    found = dict.fromkeys(made, EACH)
    for name, (lost, times) in LOST.items():
        own = [query for query in made if query.stratum.slice == name]
        found |= dict.fromkeys(own[:times], EACH - lost)
    factories.frozen_set(corpus)
    scene.a_run(corpus, found, name="upgraded")
    said = say("gate", "hard@1", "--run", "upgraded", "--k", EACH, "--json")
    told = said.json
    assert (told["pooled"]["n"], round(told["pooled"]["difference"]["value"], 3)) == (240, -0.041)
    assert told["pooled"]["recall"] > told["floors"]["absolute"], "the average alone crosses no alarm"
    assert round(COUNTS["distinctive"] / 240, 2) == 0.62

    assert (said.code, told["verdict"]) == (1, "reject")
    worst, *others = told["slices"]
    assert (worst["slice"], worst["verdict"], worst["n"]) == ("near_duplicate", "reject", 31)
    assert {each["slice"]: round(each["difference"]["value"], 2) for each in told["slices"]} == {
        "distinctive": -0.01, "near_duplicate": -0.21, "rare_entity": -0.03, "keyword": -0.03,
    }  # fmt: skip
    assert all(floor["decided"] and -floor["distance"] > 2 * floor["se"] for floor in worst["floors"])
    assert "reject" not in {each["verdict"] for each in others}
    text = say("gate", "hard@1", "--run", "upgraded", "--k", EACH).text
    assert text.startswith("Rejected: near_duplicate fell below its absolute and its relative floor\n")
    assert list(GateReport.objects.values_list("verdict", flat=True)) == ["reject", "reject"]


def test_24_queries_near_their_floor_cannot_decide_and_ask_for_143_held_or_not() -> None:
    corpus = scene.searchable()
    made = scene.queries_in(corpus, {"distinctive": 100, "near_duplicate": 100, "rare_entity": 24, "keyword": 100})
    factories.frozen_set(corpus)
    rare = [query for query in made if query.stratum.slice == "rare_entity"]
    scene.a_run(corpus, {**dict.fromkeys(made, EACH), **dict(zip(rare, TWENTY_FOUR, strict=True))})
    for floors, held in (({"relative": 0.90}, False), ({"absolute": 0.80, "relative": 0.80}, True)):
        Corpus.objects.update(floors=floors)
        said = say("gate", "hard@1", "--run", "int8", "--k", EACH, "--json")
        small = next(each for each in said.json["slices"] if each["slice"] == "rare_entity")
        assert (said.code, said.json["verdict"], small["verdict"]) == (3, "warn", "warn")
        assert (round(small["se"], 3), small["queries_to_decide"]) == (0.073, 143)
        assert [(floor["held"], floor["decided"]) for floor in small["floors"]] == [(held, False)] * 2
    text = say("gate", "hard@1", "--run", "int8", "--k", EACH).text
    assert text.startswith("Warning: rare_entity cannot decide\n")
    assert "Both floors held, but 24 queries cannot decide: it takes 143" in text
