"""Latent semantic analysis over hashed character n-grams: an encoder fitted to the corpus itself, offline.

It places texts by their letters, so it works in every script and does not translate. Deerwester et al.,
"Indexing by latent semantic analysis", JASIS 41 (1990); hashing after Weinberger et al., ICML 2009; the
randomised decomposition stands in `decomposition`.
"""

import hashlib
import json
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from curation.retrieval.encoders.base import TextsRefused, counted_texts, require_texts
from curation.retrieval.encoders.decomposition import apart, right_directions, steps_of
from curation.retrieval.vectors import Matrix, replacing, sha256_of, transform

DIMS = 512
_COLUMNS = 2**15
_FIT_TEXTS = 20_000  # about a minute and 200 MiB on one core; more texts move the axes very little
_BATCH = 4_096
_COUNTED = 1_024  # texts in one step of a fit: to count n-grams sorts them at once, which nobody can call off
_NOISE = 1e-5  # singular values below this share of the largest are float32 rounding
_RECIPE = "nfc casefold, char_wb 2-4, 32768 columns, 1 + log tf, idf, l2, svd 512 in 2 iterations"

_Sparse = Any  # scipy ships no types
Progress = Callable[[int, int], None]
"""Called with the steps done and the steps in all; whatever it raises ends the fit."""


def silent(_done: int, _total: int) -> None:
    """For callers that do not watch."""


@dataclass(frozen=True, slots=True, eq=False)
class Lsa:
    """A fit: `axes`, shape (32768, native_dims), turns weighted n-gram counts into vectors."""

    revision: str
    sha256: str
    axes: Matrix

    name: ClassVar[str] = "lsa"
    near_duplicate_cosine: ClassVar[float] = 0.85  # F1 0.90 against the version groups of us-consumer-rules

    @property
    def native_dims(self) -> int:
        """At most 512, fewer where the corpus has fewer independent texts."""
        return int(self.axes.shape[1])

    @classmethod
    def load(cls, folder: Path) -> "Lsa":
        """The fit that `fit` left in a folder.

        Raises:
            TextsRefused: there is none, or it is of another recipe or damaged.
        """
        try:
            record = json.loads((folder / "lsa.json").read_bytes())
            fits = record["recipe"] == _RECIPE and record["sha256"] == sha256_of(folder / "lsa.npy")
        except FileNotFoundError as error:
            raise TextsRefused("The encoder lsa has not been fitted to this corpus; embed the corpus first.") from error
        except (ValueError, KeyError):
            fits = False
        if not fits:
            raise TextsRefused("The fit of lsa is damaged or of another version of Hardset; embed the corpus again.")
        axes = np.load(folder / "lsa.npy", mmap_mode="r", allow_pickle=False)
        return cls(revision=record["revision"], sha256=record["sha256"], axes=np.asarray(axes))

    def encode(self, texts: Sequence[str]) -> Matrix:
        """Unit vectors, shape (len(texts), native_dims); a text gets the same bits alone and in any batch.

        Raises:
            TextsRefused: a text is empty, or shares no run of letters with the corpus.
        """
        require_texts(texts)
        vectors = np.empty((len(texts), self.native_dims), dtype=np.float32)
        for first in range(0, len(texts), _BATCH):
            vectors[first : first + _BATCH] = _damped_counts(texts[first : first + _BATCH]) @ self.axes
        lost = np.flatnonzero(~vectors.any(axis=1)).tolist()
        if lost:
            raise TextsRefused(
                f"{counted_texts(lost)} no run of letters known from the corpus; lsa cannot place it.", lost
            )
        return transform(vectors, dims=self.native_dims, order=("l2_normalise",))


def revision_of(texts: Sequence[str], *, seed: int) -> str:
    """The revision that `fit` gives these texts in any order: a hash of the recipe, the seed and the texts."""
    digest = hashlib.sha256(json.dumps([_RECIPE, seed]).encode())
    for text in sorted(set(texts)):
        digest.update(hashlib.sha256(text.encode()).digest())
    return digest.hexdigest()[:12]


def fit(texts: Sequence[str], *, seed: int, folder: Path, progress: Progress = silent) -> Lsa:
    """Fit the axes to a corpus and keep them in a folder as `lsa.npy` and `lsa.json`.

    The same texts and seed give the same revision in any order, and on one machine the same axes. Beyond
    20,000 different texts the fit takes a fixed choice of 20,000 by hash. A folder holds one fit; another one
    replaces it.

    Raises:
        TextsRefused: there is no text, or one is empty.
    """
    if not texts:
        raise TextsRefused("There are no texts to fit lsa to.")
    require_texts(texts)
    axes = _axes(_chosen(texts, seed), seed, progress)
    folder.mkdir(parents=True, exist_ok=True)
    record = folder / "lsa.json"
    record.unlink(missing_ok=True)
    with replacing(folder / "lsa.npy") as file:
        np.lib.format.write_array(file, axes, version=(1, 0), allow_pickle=False)
    fields = {
        "recipe": _RECIPE,
        "revision": revision_of(texts, seed=seed),
        "seed": seed,
        "native_dims": axes.shape[1],
        "sha256": sha256_of(folder / "lsa.npy"),
    }
    with replacing(record) as file:
        file.write(json.dumps(fields, indent=1).encode())
    return Lsa.load(folder)


def _chosen(texts: Sequence[str], seed: int) -> list[str]:
    different = sorted(set(texts))
    if len(different) <= _FIT_TEXTS:
        return different
    by_chance = sorted(different, key=lambda text: hashlib.sha256(f"{seed} {text}".encode()).digest())
    return sorted(by_chance[:_FIT_TEXTS])


def _axes(texts: Sequence[str], seed: int, progress: Progress) -> Matrix:
    """Inverse document frequency times the right singular vectors, so that encoding is one product."""
    from threadpoolctl import threadpool_limits

    firsts = range(0, len(texts), _COUNTED)
    steps, total = count(1), len(firsts) + steps_of(min(DIMS, len(texts)))

    def step() -> None:
        progress(min(next(steps), total), total)

    parts, frequency = [], np.zeros(_COLUMNS, dtype=np.int64)
    for first in firsts:
        parts.append(_damped_counts(texts[first : first + _COUNTED]))
        frequency += np.bincount(parts[-1].indices, minlength=_COLUMNS)
        step()
    used = np.flatnonzero(frequency)
    idf = np.log((1 + len(texts)) / (1 + frequency[used])) + 1
    rows = apart(lambda: _weighted(parts, used, idf))
    with threadpool_limits(1, user_api="blas"):  # more threads sum in another order
        values, directions = right_directions(rows, min(DIMS, *rows.shape), seed=seed, step=step)
    directions = directions[values > _NOISE * values[0]]
    axes = np.zeros((_COLUMNS, len(directions)), dtype=np.float32)
    axes[used] = (directions * idf).T
    return axes


def _weighted(parts: Sequence[_Sparse], used: npt.NDArray[np.int64], idf: npt.NDArray[np.float64]) -> _Sparse:
    """Rows of length 1, float32, sparse: the counts in the columns that are used, each times its column's weight."""
    from scipy.sparse import diags_array, vstack

    weighted = vstack(parts, format="csr")[:, used] @ diags_array(idf)
    lengths = np.sqrt(np.asarray(weighted.multiply(weighted).sum(axis=1)).ravel())
    return (diags_array(1 / lengths) @ weighted).tocsr().astype(np.float32)


def _damped_counts(texts: Sequence[str]) -> _Sparse:
    """1 + log of each n-gram's count, shape (len(texts), 32768), sparse."""
    from sklearn.feature_extraction.text import HashingVectorizer

    vectorizer = HashingVectorizer(
        analyzer="char_wb",
        ngram_range=(2, 4),
        n_features=_COLUMNS,
        preprocessor=_plain,
        alternate_sign=False,
        norm=None,
        dtype=np.float32,
    )
    counts = vectorizer.transform(texts)
    counts.data = 1 + np.log(counts.data)
    return counts


def _plain(text: str) -> str:
    return unicodedata.normalize("NFC", text).casefold()
