"""Near-duplicate groups of real regulations against the machine-made reference groups that came with them."""

import itertools
import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from curation.miners.documents import Documents
from curation.miners.near_duplicate import NearDuplicates, mine
from curation.retrieval.encoders.lsa import Lsa, fit

RULES = Path(os.environ.get("HARDSET_SHARED", "../shared")) / "data" / "us-consumer-rules"
pytestmark = pytest.mark.skipif(not RULES.is_dir(), reason=f"{RULES} is not here: set HARDSET_SHARED")

# The reference knows no spans of time: it calls "12-month" and "60-day" counts.
COUNTED = {"amount", "date", "count"}


def lines(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (RULES / name).read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def mined(tmp_path_factory: pytest.TempPathFactory) -> NearDuplicates:
    rows = sorted(lines("corpus.jsonl"), key=lambda row: row["doc_id"])
    texts = [f"{row['title']}\n{row['text']}" for row in rows]  # as a corpus is encoded
    encoder = fit(texts, seed=7, folder=tmp_path_factory.mktemp("lsa"))
    documents = Documents(
        external_ids=[row["doc_id"] for row in rows],
        canonical_ids=[row["canonical_id"] for row in rows],
        languages=[row["lang"] for row in rows],
        titles=[row["title"] for row in rows],
        texts=texts,
        sources=[True for _ in rows],
        facts=[{"effective_date": row["effective_from"]} for row in rows],
    )
    return mine(encoder.encode(texts), documents, threshold=Lsa.near_duplicate_cosine)


def pairs(groups: Iterable[Iterable[str]]) -> set[tuple[str, str]]:
    return {pair for group in groups for pair in itertools.combinations(sorted(group), 2)}


def test_pairs_agree_with_the_reference(mined: NearDuplicates) -> None:
    """F1 on each half of the reference groups, so that neither half carries the other."""
    found = pairs([member.external_id for member in group.members] for group in mined.groups)
    for half in (0, 1):
        known = [group["members"] for group in lines("groups.jsonl")[half::2]]
        other = {name for group in lines("groups.jsonl")[1 - half :: 2] for name in group["members"]}
        reference = pairs(known)
        judged = {pair for pair in found if not other.intersection(pair)}
        f1 = 2 * len(judged & reference) / (len(judged) + len(reference))
        assert f1 >= 0.85


def test_groups_agree_on_whether_an_amount_date_or_count_differs(mined: NearDuplicates) -> None:
    reference = {frozenset(group["members"]): COUNTED & set(group["differs_in"]) for group in lines("groups.jsonl")}
    ours = {
        frozenset(member.external_id for member in group.members): (COUNTED | {"duration"}) & set(group.differs_in)
        for group in mined.groups
    }
    both = reference.keys() & ours.keys()
    assert len(both) >= 400
    assert sum(bool(reference[key]) == bool(ours[key]) for key in both) / len(both) >= 0.85


def test_most_groups_differ_in_nothing_people_ask_for(mined: NearDuplicates) -> None:
    review = [group for group in mined.groups if not group.set_aside]
    assert 40 <= len(review) <= 80
    assert mined.largest <= 8
