"""What other apps say of queries on a certificate: curation freezes it and does not look into it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from curation.models import Corpus

# JSON by what it is about: "judges" ([{"name", "judgments"}], most first), "agreement" (figures by name), and
# "exact_lists" ([{"encoder", "revision", "native_dims", "dims", "sha256", "queries"}], most first).
Testimony = Callable[[Corpus, Collection[int]], Mapping[str, Any]]
_testimonies: list[Testimony] = []


def add_testimony(testimony: Testimony) -> None:
    """Let an app testify; it says so when it starts."""
    _testimonies.append(testimony)


def testimony_on(corpus: Corpus, query_ids: Collection[int]) -> dict[str, Any]:
    """All that is said now of the queries with these keys."""
    return {name: told for testimony in _testimonies for name, told in testimony(corpus, query_ids).items()}
