"""Pairs as command lines write them: `--map text=inhalt`, `--where lang=en`."""

from collections.abc import Iterable

from curation.formats.faults import FileRefused


def lines_of(text: str) -> list[str]:
    """The pairs of a field that holds one a line."""
    return [line.strip() for line in text.splitlines() if line.strip()]


def split_pairs(words: Iterable[str], *, option: str) -> dict[str, str]:
    """Split each word at its first "="; what follows is kept as written, further "=" included.

    Raises:
        FileRefused: no "=", nothing before it, or the same left side twice.
    """
    pairs: dict[str, str] = {}
    for word in words:
        left, equals, right = word.partition("=")
        if not (equals and left):
            raise FileRefused(f"{option} {word} is not of the form left=right.")
        if left in pairs:
            raise FileRefused(f"{option} names {left} twice.")
        pairs[left] = right
    return pairs
