"""Fingerprints of document texts: what a judgment saw, and which two texts are the same."""

import hashlib

from curation.retrieval.folding import nfc


def text_sha256(title: str, text: str) -> str:
    """The fingerprint of one version of a text, as written (64 hexadecimal digits)."""
    return hashlib.sha256(f"{title}\0{text}".encode()).hexdigest()


def twin_sha256(title: str, text: str) -> str:
    """Equal for two texts that differ only in white space and composed letters: true duplicates."""
    return hashlib.sha256(" ".join(nfc(f"{title} {text}").split()).encode()).hexdigest()
