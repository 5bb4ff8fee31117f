"""`manage.py bench` measures ours beside a peer and leaves no trace."""

from __future__ import annotations

import io
import json

import pytest
from django.core.management import call_command

from curation.management.benches import boards, pairs, searching
from curation.models import Corpus

pytestmark = pytest.mark.django_db


def bench(name: str) -> list[dict[str, object]]:
    printed = io.StringIO()
    call_command("bench", name, "--json", stdout=printed)
    rows: list[dict[str, object]] = json.loads(printed.getvalue())
    return rows


def test_the_board_asks_at_most_ten_sql_queries_and_the_bench_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(boards, "QUERIES", 300)
    [row] = bench("coverage")
    assert int(str(row["sql"])) <= 10
    assert not Corpus.objects.exists()


def test_exact_search_is_measured_beside_faiss(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searching, "ROWS", 2_000)
    one, many = bench("exact")
    assert (one["peer"], many["peer"]) == ("faiss IndexFlatIP", "faiss IndexFlatIP")
    assert float(str(one["ratio"])) > 0


def test_pairs_are_measured_beside_faiss(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pairs, "PAIR_ROWS", 1_000)
    high, low = bench("pairs")
    assert high["what"] == "pairs of 1,000 x 384 from cosine 0.95"
    assert low["what"] == "pairs of 1,000 x 384 from cosine 0.9"
    assert float(str(low["ratio"])) > 0


def test_the_memory_of_mining_is_measured_on_planted_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pairs, "PAIR_ROWS", 1_000)
    monkeypatch.setattr(pairs, "MINED_ROWS", 2_000)
    [row] = bench("mining_memory")
    assert row["what"] == "near-duplicates of 2,000 x 384: 100 groups of 100 pairs"
    assert float(str(row["peak_mib"])) > 0
    monkeypatch.setattr(pairs, "MOST_BYTES", 1)
    with pytest.raises(AssertionError, match="beyond the mapped file"):
        bench("mining_memory")
