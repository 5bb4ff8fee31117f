"""The canonical form of a set version, and its hash: the same content always gives the same bytes.

One JSON object a line, in UTF-8: first the rules (`Rules`), then one line a query, in code point order of the external
id, with its grades in code point order of the canonical id. Keys are sorted, nothing is spaced, and every line ends in
a line feed. The form holds what a measure or an export reads of the set; neither its name and number nor who froze it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from hashlib import sha256
from operator import attrgetter
from typing import Any


@dataclass(frozen=True, slots=True)
class FrozenGrade:
    """A settled grade of a frozen query; `gold_document` is the external id of the document it was given to."""

    canonical_id: str
    gold_document: str
    grade: int
    original_score: str
    source: str
    swept: bool
    opinions: int | None
    exact_only: bool | None


@dataclass(frozen=True, slots=True)
class FrozenMember:
    """A query of the set with its text, stratum and gold; `variant_of` is the external id of its original wording."""

    external_id: str
    text: str
    query_language: str
    corpus_language: str
    script: str
    query_type: str
    slice: str
    use: str
    origin: str
    need: str
    need_external_id: str
    variant_of: str
    gold_canonical_id: str
    judged_depth: int | None
    grades: Sequence[FrozenGrade]


GRADE = tuple(field.name for field in fields(FrozenGrade))
MEMBER = tuple(field.name for field in fields(FrozenMember) if field.name != "grades")


@dataclass(frozen=True, slots=True)
class Rules:
    """What is true of the whole set: the corpus's slug, what counts as relevant, the generation it was frozen in.

    `traffic` is locale → share of the searches; `plan` the planned strata, each its dimensions, `use` and `planned`.
    """

    corpus: str
    relevant_from: int
    generation: int | None
    traffic: Mapping[str, float]
    plan: Sequence[Mapping[str, Any]]


def form(rules: Rules, members: Iterable[FrozenMember]) -> Iterator[bytes]:
    """The lines of the canonical form."""
    yield _line({**asdict(rules), "plan": sorted(rules.plan, key=_line)})
    for member in sorted(members, key=attrgetter("external_id")):
        grades = sorted(member.grades, key=attrgetter("canonical_id"))
        yield _line({**of_member(member), "grades": [of_grade(grade) for grade in grades]})


def of_grade(grade: FrozenGrade) -> dict[str, Any]:
    """A grade by field; `dataclasses.asdict` copies each value, which takes a large set ten times as long."""
    return {name: getattr(grade, name) for name in GRADE}


def of_member(member: FrozenMember) -> dict[str, Any]:
    """A query by field, without its grades."""
    return {name: getattr(member, name) for name in MEMBER}


def sha256_of_form(rules: Rules, members: Iterable[FrozenMember]) -> str:
    """The hash of the canonical form, 64 hexadecimal digits."""
    digest = sha256()
    for line in form(rules, members):
        digest.update(line)
    return digest.hexdigest()


def _line(told: Mapping[str, Any]) -> bytes:
    return json.dumps(told, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode() + b"\n"
