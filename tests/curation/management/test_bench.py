"""`manage.py bench` measures ours beside a peer and leaves no trace."""

from __future__ import annotations

import io
import json

import pytest
from django.core.management import call_command

from curation.management.benches import boards, searching
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
    monkeypatch.setattr(searching, "PAIR_ROWS", 1_000)
    [row] = bench("pairs")
    assert row["what"] == "pairs of 1,000 x 384 from cosine 0.95"
