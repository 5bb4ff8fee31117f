"""Vectors that were brought along: the encoder has a name here, but it runs elsewhere."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from curation.retrieval.encoders.base import TextsRefused
from curation.retrieval.vectors import Matrix, replacing


@dataclass(frozen=True, slots=True)
class Precomputed:
    """What the person who brought the vectors said about their encoder."""

    name: str
    revision: str
    native_dims: int
    sha256: str = ""
    near_duplicate_cosine: float = 0.95

    @classmethod
    def load(cls, folder: Path) -> "Precomputed":
        """What `keep` left in a folder.

        Raises:
            TextsRefused: nothing is there.
        """
        try:
            return cls(**json.loads((folder / "precomputed.json").read_bytes()))
        except FileNotFoundError as error:
            raise TextsRefused("No vectors have been brought for this corpus; import them with --vectors.") from error

    def keep(self, folder: Path) -> None:
        """Write the particulars into a folder."""
        folder.mkdir(parents=True, exist_ok=True)
        with replacing(folder / "precomputed.json") as file:
            file.write(json.dumps(asdict(self), indent=1).encode())

    def encode(self, texts: Sequence[str]) -> Matrix:
        """Never a vector: the encoder is not here.

        Raises:
            TextsRefused: always, naming the way out.
        """
        raise TextsRefused(
            f"The vectors of this corpus were made by {self.name} outside Hardset, which cannot run it;"
            " bring vectors for the queries from the same encoder.",
            range(len(texts)),
        )
