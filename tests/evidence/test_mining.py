"""Keywords judged by people, rules by version, a real query log."""

from __future__ import annotations

import io
import json
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from .conftest import Ask, Record

pytestmark = pytest.mark.django_db

NUMERIC = {"amount", "date", "count"}


def mined(slug: str, miner: str, out: Path) -> list[dict[str, Any]]:
    """Mine one family here and now, and export what it found."""
    call_command("mine", slug, "--miner", miner, "--wait", stdout=io.StringIO())
    call_command("export_proposals", slug, "--miner", miner, "--out", str(out), stdout=io.StringIO())
    return [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]


def test_electronics_counts_112_and_shows_23_without_an_answer(ask: Ask, record: Record, corpora: Path) -> None:
    folder = corpora / "electronics-keywords"
    ask("import_corpus", "electronics", folder / "corpus.jsonl")
    ask("import_queries", "electronics", folder / "queries.jsonl")
    assert ask("import_qrels", "electronics", folder / "qrels.tsv")["stored"] == 3188
    cells = ask("coverage", "electronics", "--by", "query_language")["cells"]
    assert (sum(cell["n"] for cell in cells), sum(cell["no_answer"] for cell in cells)) == (112, 23)
    record("electronics-keywords", ["counted", "no answer"], [[112, 23]])


def test_consumer_rules_group_by_version(ask: Ask, record: Record, corpora: Path, tmp_path: Path) -> None:
    folder = corpora / "us-consumer-rules"
    ask("import_corpus", "rules", folder / "corpus.jsonl", "--encoder", "lsa")
    found = mined("rules", "near_duplicate", tmp_path / "groups.jsonl")
    reference = [json.loads(line) for line in (folder / "groups.jsonl").read_text(encoding="utf-8").splitlines()]
    ours, theirs = pairs(found), pairs(reference)
    precision, recall = len(ours & theirs) / len(ours), len(ours & theirs) / len(theirs)
    agreement = numeric_agreement(found, reference)
    rows = [[len(found), f"{precision:.3f}", f"{recall:.3f}", f"{f1(precision, recall):.3f}", f"{agreement:.3f}"]]
    record(
        "us-consumer-rules, near-duplicate pairs with `lsa`",
        ["groups", "precision", "recall", "F1", "agreement on amount, date or count"],
        rows,
    )
    assert f1(precision, recall) >= 0.85
    assert agreement >= 0.85


def f1(precision: float, recall: float) -> float:
    """The harmonic mean."""
    return 2 * precision * recall / (precision + recall)


def pairs(groups: list[dict[str, Any]]) -> set[tuple[str, str]]:
    """Every pair of members that some group holds."""
    return {pair for group in groups for pair in combinations(sorted(group["members"]), 2)}


def numeric_agreement(found: list[dict[str, Any]], reference: list[dict[str, Any]]) -> float:
    """Share of the groups found in both with the same members where both say the same of amount, date or count."""
    known = {tuple(sorted(group["members"])): set(group["differs_in"]) for group in reference}
    same = [(set(g["differs_in"]), known[key]) for g in found if (key := tuple(sorted(g["members"]))) in known]
    return sum(bool(ours & NUMERIC) == bool(theirs & NUMERIC) for ours, theirs in same) / len(same)


def test_covid_log_yields_short_keyword_queries(ask: Ask, record: Record, corpora: Path, tmp_path: Path) -> None:
    folder = corpora / "covid-query-log"
    ask("import_corpus", "covid", folder / "corpus.jsonl")
    log = ask("import_log", "covid", folder / "querylog.csv")
    assert log["read"] == log["stored"] + log["merged"] + log["refused"] == 33871
    found = mined("covid", "short_keyword", tmp_path / "keywords.jsonl")
    assert all(proposal["tokens"] < 6 for proposal in found)
    assert len({proposal["text"] for proposal in found}) == len(found) > 1000
    rows = [[proposal["text"], proposal["count"], proposal["tokens"]] for proposal in found[:10]]
    record("covid-query-log, first short keyword queries", ["query", "count", "tokens"], rows)
