"""Keywords judged by people, rules by version, a real query log."""

from __future__ import annotations

import io
import json
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from curation.models import Proposal
from curation.retrieval.encoders.lsa import Lsa
from curation.retrieval.encoders.use import Use

from .conftest import Ask, Record

pytestmark = pytest.mark.django_db

NUMERIC = {"amount", "date", "count"}


def mined(slug: str, miner: str, out: Path, *options: str) -> list[dict[str, Any]]:
    """Mine one family here and now, and export what it found."""
    call_command("mine", slug, "--miner", miner, "--wait", *options, stdout=io.StringIO())
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


Groups = list[dict[str, Any]]
BARS = (0.70, 0.72, 0.74, 0.76, 0.78, 0.80, 0.82, 0.84, 0.86, 0.88, 0.90, 0.92)


@pytest.mark.parametrize("encoder", ["lsa", "use"])
def test_consumer_rules_group_by_version(ask: Ask, record: Record, corpora: Path, tmp_path: Path, encoder: str) -> None:
    """The threshold is fixed on every other reference group, and the figures are taken on the groups between them."""
    folder = corpora / "us-consumer-rules"
    ask("import_corpus", "rules", folder / "corpus.jsonl", "--encoder", encoder)
    reference = [json.loads(line) for line in (folder / "groups.jsonl").read_text(encoding="utf-8").splitlines()]
    fixed_on, taken_on = reference[0::2], reference[1::2]
    by_bar = {bar: grouped_at(bar, tmp_path / f"{bar}.jsonl") for bar in BARS}
    bar = max(BARS, key=lambda each: (round(scored(by_bar[each], fixed_on, other=taken_on)[2], 3), each))
    found = by_bar[bar]
    precision, recall, figure = scored(found, taken_on, other=fixed_on)
    agreement = numeric_agreement(found, taken_on)
    tried = scored(by_bar[bar], fixed_on, other=taken_on)[2]
    own = own_threshold(encoder)
    figures = [f"{each:.3f}" for each in (tried, precision, recall, figure, agreement)]
    record(
        f"us-consumer-rules, near-duplicate pairs with `{encoder}`: threshold fixed on one half, figures of the other",
        [
            "threshold",
            "the product's",
            "groups",
            "F1 it was fixed at",
            "precision",
            "recall",
            "F1",
            "amount, date or count",
        ],
        [[bar, own, len(found), *figures]],
    )
    assert scored(grouped_at(own, tmp_path / "own.jsonl"), taken_on, other=fixed_on)[2] >= 0.85
    assert figure >= 0.85
    assert agreement >= 0.85


def grouped_at(bar: float, out: Path) -> Groups:
    """Every exported group at a threshold: the lowest is mined, the others are grouped from its scores."""
    call_command("mine", "rules", "--miner", "near_duplicate", "--threshold", str(bar), "--wait", stdout=io.StringIO())
    call_command("export_proposals", "rules", "--miner", "near_duplicate", "--out", str(out), stdout=io.StringIO())
    return [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]


def own_threshold(name: str) -> float:
    """The threshold that the product takes for an encoder of ours."""
    return {"lsa": Lsa.near_duplicate_cosine, "use": Use.near_duplicate_cosine}[name]


def scored(found: Groups, half: Groups, *, other: Groups) -> tuple[float, float, float]:
    """Precision, recall and F1 of pairs on one half of the reference.

    Pairs that touch a group of the other half are left out; pairs of documents in no group count as wrong.
    """
    elsewhere = {member for group in other for member in group["members"]}
    ours, theirs = {pair for pair in pairs(found) if not elsewhere.intersection(pair)}, pairs(half)
    precision, recall = len(ours & theirs) / max(len(ours), 1), len(ours & theirs) / len(theirs)
    return precision, recall, 2 * len(ours & theirs) / (len(ours) + len(theirs))


def pairs(groups: Groups) -> set[tuple[str, str]]:
    """Every pair of members that some group holds."""
    return {pair for group in groups for pair in combinations(sorted(group["members"]), 2)}


def numeric_agreement(found: Groups, reference: Groups) -> float:
    """Share of the groups found in both with the same members where both say the same of amount, date or count."""
    known = {tuple(sorted(group["members"])): set(group["differs_in"]) for group in reference}
    same = [(set(g["differs_in"]), known[key]) for g in found if (key := tuple(sorted(g["members"]))) in known]
    return sum(bool(ours & NUMERIC) == bool(theirs & NUMERIC) for ours, theirs in same) / len(same)


def test_covid_log_yields_short_keyword_queries(ask: Ask, record: Record, corpora: Path, tmp_path: Path) -> None:
    folder = corpora / "covid-query-log"
    ask("import_corpus", "covid", folder / "corpus.jsonl")
    log = ask("import_log", "covid", folder / "querylog.csv")
    assert log["read"] == log["stored"] + log["merged"] + log["refused"] == 33871
    drawn = mined("covid", "short_keyword", tmp_path / "keywords.jsonl", "--proportional", "1500")
    keyword = [each.evidence["tokens"] for each in Proposal.objects.filter(evidence__slice__isnull=True)]
    assert all(tokens < 6 for tokens in keyword)
    found = [proposal for proposal in drawn if proposal["tokens"] < 6]
    assert len(found) == len(keyword)
    assert len({proposal["text"] for proposal in found}) == len(found) > 1000
    rows = [[proposal["text"], proposal["count"], proposal["tokens"]] for proposal in found[:10]]
    record("covid-query-log, first short keyword queries", ["query", "count", "tokens"], rows)
