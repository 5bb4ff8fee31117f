"""How much memory each miner takes on 200,000 documents of 384 dimensions, beside the mapped file; made data."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from curation.management.benches import made_vectors

from .conftest import ROOT, Record

DOCUMENTS, DIMS, QUERIES, LOG = 200_000, 384, 1_000, 1_000_000
MOST = 2 * 1024**3
SYLLABLES = ("ka", "lo", "mi", "ten", "ra", "vor", "shi", "ul", "be", "dra", "ne", "fos")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database of its own, with the made corpus, its vectors, its judged queries and its log."""
    folder = tmp_path_factory.mktemp("memory")
    words = made_words(20_000)
    write(folder / "documents.jsonl", made_documents(words))
    write(
        folder / "queries.jsonl",
        ({"id": f"q{n:04d}", "text": f"{words[n]} question {n}", "locale": "en"} for n in range(QUERIES)),
    )
    write(folder / "log.jsonl", made_log(words))
    (folder / "qrels.tsv").write_text(
        "query-id\tcorpus-id\tscore\n" + "".join(f"q{n:04d}\td{n * 100:06d}\t3\n" for n in range(QUERIES))
    )
    vectors = made_vectors(DOCUMENTS, DIMS, seed=7)
    np.save(folder / "vectors.npy", vectors)
    asked_vectors = vectors[: QUERIES * 100 : 100].tolist()
    write(folder / "query_vectors.jsonl", ({"id": f"q{n:04d}", "vector": v} for n, v in enumerate(asked_vectors)))
    (folder / "ids.txt").write_text("".join(f"d{n:06d}\n" for n in range(DOCUMENTS)))
    manage(folder, "migrate", "--verbosity", "0")
    made = ("--vectors", folder / "vectors.npy", "--ids", folder / "ids.txt", "--encoder-name", "made")
    manage(folder, "import_corpus", "made", folder / "documents.jsonl", *made, "--revision", "1")
    asked = ("--query-vectors", folder / "query_vectors.jsonl")
    manage(folder, "import_queries", "made", folder / "queries.jsonl", *asked)
    manage(folder, "import_qrels", "made", folder / "qrels.tsv")
    manage(folder, "import_log", "made", folder / "log.jsonl")
    return folder


def test_each_miner_stays_under_two_gigabytes_beside_the_mapped_file(folder: Path, record: Record) -> None:
    rows = []
    for miner in ("near_duplicate", "hard_negative", "rare_entity", "short_keyword"):
        started = time.monotonic()
        told, peak = manage(folder, "mine", "made", "--miner", miner, "--wait", "--json")
        summary = json.loads(told)["summary"]
        assert summary["found"] > 0
        assert peak < MOST
        rows.append(
            [miner, f"{summary['found']:,}", f"{peak / 1024**2:,.0f} MiB", f"{time.monotonic() - started:.0f} s"]
        )
    record(
        f"Memory: mining {DOCUMENTS:,} made documents of {DIMS} dimensions and {LOG:,} log lines",
        ["miner", "found", "peak beside the mapped file", "time"],
        rows,
    )


def manage(folder: Path, *words: object) -> tuple[str, int]:
    """Run a command in its own process: what it printed, and the peak of its private memory in bytes."""
    given = {**os.environ, "DATA_DIR": str(folder / "var"), "DATABASE_URL": ""}
    command = [sys.executable, "manage.py", *map(str, words)]
    with (folder / "told").open("w+") as told:
        running = subprocess.Popen(command, cwd=ROOT, env=given, stdout=told, text=True)
        peak = 0
        while running.poll() is None:
            peak = max(peak, private_memory(running.pid))
            time.sleep(0.05)
        told.seek(0)
        printed = told.read()
    assert running.returncode == 0, printed
    return printed, peak


def private_memory(pid: int) -> int:
    """What the process holds that is no mapped file, in bytes; 0 once it is gone."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except (FileNotFoundError, ProcessLookupError):
        return 0
    return next((1024 * int(line.split()[1]) for line in lines if line.startswith("RssAnon")), 0)


def made_words(count: int) -> list[str]:
    """Words that nobody says."""
    random = np.random.default_rng(11)
    return ["".join(random.choice(SYLLABLES, size=4)) + str(n % 97) * (n % 5 == 0) for n in range(count)]


def made_documents(words: list[str]) -> Iterable[dict[str, Any]]:
    """Short texts whose words fall in frequency as those of a language do; near-duplicates differ in a duration."""
    random = np.random.default_rng(13)
    places = np.minimum(random.zipf(1.2, size=(DOCUMENTS, 30)) - 1, len(words) - 1)
    places[1::20] = places[0::20]
    for number, row in enumerate(places):
        text = " ".join(words[place] for place in row)
        yield {
            "id": f"d{number:06d}",
            "title": f"Text {number}",
            "text": f"{text} within {number} days.",
            "language": "en",
        }


def made_log(words: list[str]) -> Iterable[dict[str, Any]]:
    """Lines of a log, most of them of a query that nobody else asked."""
    random = np.random.default_rng(17)
    for number in range(LOG):
        first, second = random.integers(0, len(words), 2)
        yield {"query": f"{words[first]} {words[second]}", "locale": "en", "date": f"2026-{number % 12 + 1:02d}-01"}


def write(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    """One object a line."""
    with path.open("w", encoding="utf-8") as out:
        out.writelines(json.dumps(row) + "\n" for row in rows)
