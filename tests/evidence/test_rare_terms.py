"""Rare terms that are worth a query: judged by the rule of docs/rare-terms.md, measured on terms nobody tuned on."""

from __future__ import annotations

import csv
import hashlib
import json
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import pytest

from curation.miners.documents import Documents
from curation.miners.rare_entity import RareTerm, mine
from curation.retrieval.folding import fold

from .conftest import ROOT, Record

VERDICTS = ROOT / "tests" / "data" / "rare"
CLAIMS = ROOT / "curation" / "fixtures" / "claims" / "corpus.jsonl"
FIRST, SCREEN, LEAST = 60, 20, 0.40
HALF = ("unseen", "reread")  # reread: drawn again in the second draw, after it was read in the first
SEED_RATE = "13.3 % (24 of 180)"


class Verdict(NamedTuple):
    """Whether one term is worth a query; `draw` and `part` say in which round it was read, and what for."""

    draw: str
    part: str
    worth: bool


def verdicts(name: str, column: str) -> dict[str, Verdict]:
    """The verdicts on a corpus's terms, by folded term or by its hash."""
    with (VERDICTS / f"{name}.tsv").open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t")
        return {row[column]: Verdict(row["draw"], row["part"], row["worth"] == "1") for row in rows}


def hashed(term: str) -> str:
    """How a term of a corpus whose texts stay outside the repository is named there."""
    return hashlib.sha256(f"us-consumer-rules {term}".encode()).hexdigest()


def in_order(path: Path, language: str) -> list[RareTerm]:
    """Every term the miner proposes of a corpus."""
    rows = sorted(map(json.loads, path.read_text(encoding="utf-8").splitlines()), key=lambda row: row["doc_id"])
    documents = Documents(
        external_ids=[row["doc_id"] for row in rows],
        canonical_ids=[row["canonical_id"] for row in rows],
        languages=[row[language] for row in rows],
        titles=[row["title"] for row in rows],
        texts=[f"{row['title']}\n{row['text']}" for row in rows],
        sources=[bool(row.get("is_source", True)) for row in rows],
        facts=[{} for _ in rows],
    )
    return list(mine(documents, most=len(rows) * 100).terms)


def share(kept: list[bool]) -> str:
    """A share with its counts, because the counts are small."""
    return f"{sum(kept) / len(kept):.3f} ({sum(kept)} of {len(kept)})"


def test_most_of_the_first_rare_terms_of_the_demo_corpus_are_worth_a_query(record: Record) -> None:
    keys = [fold(term.term, term.language) for term in in_order(CLAIMS, "locale")]
    measured("claims (our demo corpus)", keys, verdicts("claims", "term"), record)


def test_most_of_the_first_rare_terms_of_real_regulations_are_worth_a_query(record: Record, corpora: Path) -> None:
    terms = in_order(corpora / "us-consumer-rules" / "corpus.jsonl", "lang")
    keys = [hashed(fold(term.term, term.language)) for term in terms]
    measured("us-consumer-rules", keys, verdicts("us-consumer-rules", "term_sha256"), record)


def filled(half: dict[str, bool], proposed: list[str]) -> str:
    """The share among the first terms of a draw; what the miner does not propose has no order and fills up by its mean."""
    ordered = [half[key] for key in proposed if key in half][:FIRST]
    others = [worth for key, worth in half.items() if key not in proposed]
    expected = sum(ordered) + (FIRST - len(ordered)) * sum(others) / max(1, len(others))
    return f"{expected / FIRST:.3f}"


def measured(corpus: str, proposed: list[str], known: dict[str, Verdict], record: Record) -> None:
    """Record the shares that are worth a query, and refuse less than the least of the first unseen ones."""
    unseen = {key: each for key, each in known.items() if each.part == "unseen"}
    ordered = [unseen[key].worth for key in proposed if key in unseen]
    rows: list[list[object]] = [
        ["all unseen terms drawn", share([each.worth for each in unseen.values()])],
        ["those of them that the miner proposes", share(ordered)],
        [f"**the first {FIRST} of those**", f"**{share(ordered[:FIRST])}**"],
    ]
    for draw in ("2", "3"):
        half = {key: each.worth for key, each in known.items() if each.draw == draw and each.part in HALF}
        rows.append(
            [f"draw {draw} alone: first {FIRST} of its {len(half)}, what is not proposed last", filled(half, proposed)]
        )
    read = [known[key].worth for key in proposed[:SCREEN] if key in known]
    rows.append([f"first screen: {len(read)} of the first {SCREEN} were read", share(read)])
    rows.append(["to beat: what a review kept of an unranked list", SEED_RATE])
    record(f"Rare terms worth a query, {corpus}", ["terms", "worth a query"], rows)
    assert len(ordered) >= FIRST
    assert sum(ordered[:FIRST]) / FIRST >= LEAST
    assert len(read) >= 0.9 * SCREEN, "read the new first terms by the rule of docs/rare-terms.md"


@pytest.mark.parametrize("name", ["claims", "us-consumer-rules"])
def test_two_draws_of_ninety_terms_were_kept_from_tuning(name: str) -> None:
    column = "term" if name == "claims" else "term_sha256"
    parts = Counter((each.draw, each.part) for each in verdicts(name, column).values())
    assert parts["2", "unseen"] + parts["2", "reread"] == parts["3", "unseen"] == 90
    assert parts["1", "tuning"] + parts["2", "tuning"] >= 220
