"""The renderings folded into a candidate, each with its declared facts beside those of the document that is shown."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache

from curation.miners.declared import FIELDS, comparable
from curation.models import Document
from curation.reports.prepared import KEY, Prepared
from judging.reports.countries import code_of
from judging.reports.pool_facts import COLUMNS, in_words

NAMES = {"effective_date": "date", "limit_amount": "limit", "jurisdiction": "territory"}
NO_FACTS = "{}"


@dataclass(frozen=True, slots=True)
class Rendering:
    """A document by its language and the facts declared beside it."""

    language: str
    facts: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Folded:
    """A folded rendering, by the key of its document, and what it declares beside the document that is shown.

    `same` names facts that both declare alike ("limit"), `others` says what it declares otherwise ("limit EUR
    250,000"), `single` names those that only one of the two declares. What neither declares stands nowhere.
    """

    key: int
    language: str
    same: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    single: tuple[str, ...] = ()


def renderings_of(documents: Iterable[int]) -> dict[int, Rendering]:
    """Documents by their keys; one SQL query."""
    rows = _renderings_asked().rows({KEY: list(documents)})
    return {pk: Rendering(language, {} if facts == NO_FACTS else json.loads(facts)) for pk, language, facts in rows}


@cache
def _renderings_asked() -> Prepared:
    return Prepared.of(Document.objects.filter(pk__in=[KEY]).values_list("pk", "language", "facts"))


def folded(key: int, rendering: Rendering, shown: Rendering) -> Folded:
    """The rendering `key` beside the one that is shown."""
    if rendering.facts == shown.facts:
        return Folded(key, rendering.language, tuple(NAMES[name] for name in COLUMNS if shown.facts.get(name)))
    same, others, single = [], [], []
    for name in COLUMNS:
        own, other = str(shown.facts.get(name) or ""), str(rendering.facts.get(name) or "")
        if own and other:
            if own == other or fact_key(name, own, shown.language) == fact_key(name, other, rendering.language):
                same.append(NAMES[name])
            else:
                others.append(f"{NAMES[name]} {in_words(name, other)}")
        elif own or other:
            single.append(NAMES[name])
    return Folded(key, rendering.language, tuple(same), tuple(others), tuple(single))


@lru_cache(maxsize=4096)
def fact_key(name: str, value: str, language: str) -> str:
    """What a declared fact is compared by, whichever language it was declared in: "amount EUR 250000"."""
    kind = FIELDS[name]
    key = comparable(value, kind, tag=language)
    return f"{kind} {code_of(key) if kind == 'jurisdiction' else key}"
