"""What every encoder is: texts in, float32 vectors out, and a name for exactly the weights that did it."""

import unicodedata
from collections.abc import Sequence
from typing import Protocol

from curation.retrieval.provenance import Provenance
from curation.retrieval.vectors import Matrix


class TextsRefused(ValueError):
    """Texts that an encoder cannot turn into vectors; `positions` are their places, from 0, among those given."""

    def __init__(self, sentence: str, positions: Sequence[int] = ()) -> None:
        super().__init__(sentence)
        self.positions = tuple(positions)


class EncoderAway(TextsRefused):
    """The encoder does not answer, whatever the texts: asking it for fewer of them changes nothing."""


class Encoder(Protocol):
    """Texts to vectors. Two encoders with the same name and revision give comparable vectors."""

    @property
    def name(self) -> str:
        """The encoder's name."""

    @property
    def revision(self) -> str:
        """Which edition of it: other weights, other revision."""

    @property
    def sha256(self) -> str:
        """Hash of its weights, in hexadecimal; empty where they are not here."""

    @property
    def native_dims(self) -> int:
        """Width of the vectors it makes."""

    @property
    def near_duplicate_cosine(self) -> float:
        """The cosine from which two texts count as near-duplicates with this encoder."""

    def encode(self, texts: Sequence[str]) -> Matrix:
        """The vectors of the texts, shape (len(texts), native_dims).

        Raises:
            TextsRefused: a text is empty, or the encoder cannot place it.
        """


def provenance_of(encoder: Encoder) -> Provenance:
    """What is to be stored beside vectors that this encoder makes."""
    return Provenance(name=encoder.name, dims=encoder.native_dims, revision=encoder.revision, sha256=encoder.sha256)


def require_texts(texts: Sequence[str]) -> None:
    """Refuse texts with nothing visible in them: encoders answer those with a vector all the same.

    Raises:
        TextsRefused: with their positions.
    """
    empty = [position for position, text in enumerate(texts) if not is_visible(text)]
    if empty:
        raise TextsRefused(f"{counted_texts(empty)} nothing to encode; write something or leave it out.", empty)


def is_visible(text: str) -> bool:
    """Whether a text holds anything but white space, controls and characters that nobody sees."""
    return any(unicodedata.category(character)[0] not in "CZ" for character in text)


def counted_texts(positions: Sequence[int]) -> str:
    """The start of a sentence about some texts, such as "2 texts (text 1, text 7) hold"."""
    named = ", ".join(f"text {position + 1}" for position in positions[:5])
    more = f" and {len(positions) - 5:,} more" if len(positions) > 5 else ""
    noun, verb = ("text", "holds") if len(positions) == 1 else ("texts", "hold")
    return f"{len(positions):,} {noun} ({named}{more}) {verb}"
