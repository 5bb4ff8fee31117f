"""The part of a search service's configuration that a manifest is held against, from JSON or TOML."""

import json
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from curation.formats.manifest import ManifestRefused
from curation.retrieval.transforms import TRANSFORM_STEPS


@dataclass(frozen=True, slots=True)
class Configuration:
    """The width to which the service cuts a query's vector, and the steps that it takes, in their order."""

    truncate_to: int
    transform_order: tuple[str, ...]


def read_configuration(content: bytes, *, name: str) -> Configuration:
    """The keys truncate_to and transform_order of the file called `name`, at its top or under `embedding`.

    A name that ends in .toml is read as TOML, every other as JSON.

    Raises:
        ManifestRefused: it cannot be read so, or lacks a key.
    """
    parse: Callable[[str], Any] = tomllib.loads if name.lower().endswith(".toml") else json.loads
    try:
        found = parse(content.decode("utf-8-sig"))
    except (ValueError, RecursionError) as fault:
        raise ManifestRefused(f"{name} cannot be read as JSON, or as TOML where its name ends in .toml.") from fault
    keys = found.get("embedding", found) if isinstance(found, dict) else {}
    width, order = (keys.get(key) if isinstance(keys, dict) else None for key in ("truncate_to", "transform_order"))
    if not isinstance(width, int) or isinstance(width, bool):
        raise ManifestRefused(f"{name} names no whole number truncate_to; add it, or give --truncate-to.")
    if not isinstance(order, list) or not all(isinstance(step, str) for step in order):
        raise ManifestRefused(f"{name} names no list transform_order; add it, or give --transform-order.")
    return Configuration(width, tuple(order))


def order_in(words: str) -> tuple[str, ...]:
    """The steps in `words`, with commas between them.

    Raises:
        ManifestRefused: one of them is no step.
    """
    order = tuple(filter(None, (word.strip() for word in words.split(","))))
    if unknown := [step for step in order if step not in TRANSFORM_STEPS]:
        raise ManifestRefused(f"{unknown[0]!r} is no transform step; known are {', '.join(TRANSFORM_STEPS)}.")
    return order
