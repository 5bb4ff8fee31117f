"""The pair search beside faiss, and the memory of the whole near-duplicate miner at 200,000 rows."""

from __future__ import annotations

import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from curation.miners.documents import Documents
from curation.miners.near_duplicate import mine
from curation.miners.pairs import near_pairs
from curation.retrieval.vectors import Matrix

from . import Row, made_vectors, seconds

DIMS, PAIR_ROWS, BARS = 384, 20_000, (0.95, 0.90)
MINED_ROWS, MOST_BYTES = 200_000, 2 * 2**30


def near_duplicate_pairs() -> list[Row]:
    """Every pair of 20,000 rows from two cosines, one thread; faiss must find the same pairs."""
    import faiss
    from threadpoolctl import threadpool_limits

    vectors = made_vectors(PAIR_ROWS, DIMS, seed=3)
    rows = np.arange(len(vectors))
    faiss.omp_set_num_threads(1)
    peer = faiss.IndexFlatIP(DIMS)
    peer.add(vectors)
    measured = []
    with threadpool_limits(1):
        for bar in BARS:
            ours = seconds(lambda bar=bar: near_pairs(vectors, rows, bar=bar, folds=rows, threads=1))  # type: ignore[misc]
            theirs = seconds(lambda bar=bar: peer.range_search(vectors, bar), rounds=1)  # type: ignore[misc]
            require_same(near_pairs(vectors, rows, bar=bar, folds=rows, threads=1), peer.range_search(vectors, bar))
            what = f"pairs of {PAIR_ROWS:,} x {DIMS} from cosine {bar}"
            measured.append({"what": what, "ours_s": ours, "peer": "faiss range_search", "peer_s": theirs})
    return measured


def require_same(ours: Sequence[tuple[int, int, float]], theirs: tuple[Matrix, Matrix, Matrix]) -> None:
    """Fail unless both found the same pairs; float32 may decide otherwise within 1e-6 of the bar."""
    limits, scores, found = theirs
    ends = limits.astype(np.int64)
    counts = ends[1:] - ends[:-1]
    first = np.repeat(np.arange(len(counts)), counts)
    upper = {(int(a), int(b)) for a, b in zip(first, found, strict=True) if a < b}
    differing = upper.symmetric_difference((a, b) for a, b, _ in ours)
    bar = float(scores.min())
    sure = {(a, b) for a, b, cosine in ours if cosine > bar + 1e-6}
    if differing & sure:
        raise AssertionError("the pair search differs from faiss: no speed counts")


def mining_memory() -> list[Row]:
    """The near-duplicate miner on 200,000 x 384 from a mapped file, from pairs to described groups: its peak memory."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "vectors.npy"
        documents = planted(file)
        vectors = np.load(file, mmap_mode="r")
        started = time.perf_counter()
        with peak_memory() as peak:
            mined = mine(vectors, documents, threshold=BARS[0])
        taken = time.perf_counter() - started
    what = f"near-duplicates of {MINED_ROWS:,} x {DIMS}: {len(mined.groups):,} groups of {mined.pairs:,} pairs"
    if peak[0] > MOST_BYTES:
        raise AssertionError(f"{what} took {peak[0] / 2**20:,.0f} MiB beyond the mapped file")
    return [{"what": what, "ours_s": taken, "peak_mib": peak[0] / 2**20}]


def planted(file: Path) -> Documents:
    """Vectors written in parts, and texts of 60 words; each near-duplicate pair differs in its amount."""
    written = np.lib.format.open_memmap(file, mode="w+", dtype=np.float32, shape=(MINED_ROWS, DIMS))
    for part in range(0, MINED_ROWS, PAIR_ROWS):
        written[part : part + PAIR_ROWS] = made_vectors(PAIR_ROWS, DIMS, seed=part)
    written.flush()
    ids = [f"d{row:06}" for row in range(MINED_ROWS)]
    return Documents(
        external_ids=ids,
        canonical_ids=ids,
        languages=["en"] * MINED_ROWS,
        titles=[""] * MINED_ROWS,
        texts=[text_of(row) for row in range(MINED_ROWS)],
        sources=[True] * MINED_ROWS,
        facts=[{}] * MINED_ROWS,
    )


def text_of(row: int) -> str:
    """The text of a row: rows 20 n and 20 n + 1 share all but the amount."""
    family = row - 1 if row % 20 == 1 else row
    words = " ".join(f"w{(family * 31 + place * 7919) % 50_021}" for place in range(60))
    return f"The insured bears €{100 + row % 20} of each loss. {words}."


@contextmanager
def peak_memory() -> Iterator[list[int]]:
    """The highest anonymous memory (bytes) of this process meanwhile; pages of mapped files do not count."""
    peak, done = [0], threading.Event()

    def watch() -> None:
        while not done.wait(0.05):
            peak[0] = max(peak[0], anonymous_bytes())

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield peak
    finally:
        done.set()
        watcher.join()


def anonymous_bytes() -> int:
    """Resident memory of this process that belongs to no file, as Linux counts it."""
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("RssAnon"))
