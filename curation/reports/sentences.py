"""Sentences that end in what a person wrote."""

from __future__ import annotations

ENDS = (".", "!", "?", "…", "。", "！", "？", "؟", "।")


def ended(sentence: str) -> str:
    """`sentence` with a full stop behind it, unless what it quotes ends one already."""
    told = sentence.rstrip()
    return told if told.endswith(ENDS) else f"{told}."
