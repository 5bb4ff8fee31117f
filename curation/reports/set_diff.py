"""Two set versions side by side, or a draft against the newest: what came, what went, what changed in what stayed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from curation.formats.set_form import FrozenMember, Rules
from curation.models import QueryType, SetVersion, Slice

from .run_words import counted
from .set_content import OF_STRATUM, Content, content_frozen
from .set_versions import NoSuchVersion

Counts = Counter[str]
FIELDS: Mapping[str, str] = {
    "text": "",
    "gold_canonical_id": "gold ",
    "slice": "slice ",
    "query_type": "type ",
    "script": "script ",
    "query_language": "locale ",
    "corpus_language": "documents in ",
    "use": "use ",
    "need": "need ",
    "variant_of": "variant of ",
}
"""What may change of a query that stays, and what stands before its value in words."""
RULES: Mapping[str, str] = {
    "relevant_from": "Relevant from grade",
    "generation": "Generation",
    "traffic": "Searches by locale",
    "plan": "Planned",
}
"""What is true of all queries and may change, and what it is called."""
OF_PLAN = (*OF_STRATUM, "planned")


@dataclass(frozen=True, slots=True)
class Regrade:
    """A document whose grade changed; None where it had none, or has none any more."""

    canonical_id: str
    before: int | None
    now: int | None


@dataclass(frozen=True, slots=True)
class Change:
    """A query in both, with each field that changed (before, now) and each grade that did."""

    member: FrozenMember
    fields: Mapping[str, tuple[str, str]]
    grades: tuple[Regrade, ...]

    @property
    def rows(self) -> list[tuple[str, str, str]]:
        """(field, before, now) in words, a line for each change; grades together on one."""
        told = [(name, _worded(name, before), _worded(name, now)) for name, (before, now) in self.fields.items()]
        if self.grades:
            told.append(("grades", _grades(self.grades, "before"), _grades(self.grades, "now")))
        return told

    def as_json(self) -> dict[str, Any]:
        """The change for a program."""
        grades = [{"canonical_id": each.canonical_id, "before": each.before, "now": each.now} for each in self.grades]
        fields = {name: {"before": before, "now": now} for name, (before, now) in self.fields.items()}
        return {"query_id": self.member.external_id, "fields": fields, "grades": grades}


@dataclass(frozen=True, slots=True)
class SliceDiff:
    """One slice: its queries before and now; `moved` came from other slices, less what went there."""

    slice: str
    before: int
    added: int
    withdrawn: int
    moved: int
    now: int


@dataclass(frozen=True, slots=True)
class SetDiff:
    """The whole comparison; queries stand in the order of their ids. `rules` changed for all of them (before, now)."""

    slices: tuple[SliceDiff, ...]
    added: Sequence[FrozenMember]
    withdrawn: Sequence[FrozenMember]
    changed: Sequence[Change]
    rules: Mapping[str, tuple[Any, Any]]

    @property
    def rule_rows(self) -> list[tuple[str, str, str]]:
        """What changed for all queries, as (what, before, now) in words."""
        told = [(RULES[name], *(_rule_in_words(name, value) for value in pair)) for name, pair in self.rules.items()]
        return [
            (title, was, f"{is_now}, otherwise divided" if was == is_now else is_now) for title, was, is_now in told
        ]

    @property
    def total(self) -> SliceDiff:
        """All slices together."""
        figures = ("before", "added", "withdrawn", "moved", "now")
        return SliceDiff("", *(sum(getattr(each, name) for each in self.slices) for name in figures))

    @property
    def moves(self) -> bool:
        """Whether a query moved from one slice to another."""
        return any(each.moved for each in self.slices)

    @property
    def is_empty(self) -> bool:
        """Whether both hold the same."""
        return not (self.added or self.withdrawn or self.changed or self.rules)

    def as_json(self) -> dict[str, Any]:
        """The comparison for a program."""
        figures = ("slice", "before", "added", "withdrawn", "moved", "now")
        return {
            "slices": [{name: getattr(each, name) for name in figures} for each in self.slices],
            "added": [member.external_id for member in self.added],
            "withdrawn": [member.external_id for member in self.withdrawn],
            "changed": [each.as_json() for each in self.changed],
            "rules": {name: {"before": before, "now": now} for name, (before, now) in self.rules.items()},
        }


def diff_of(before: SetVersion, now: SetVersion) -> SetDiff:
    """Compare two set versions; four SQL queries.

    Raises:
        NoSuchVersion: they are of different corpora, and have no query in common.
    """
    if before.corpus_id != now.corpus_id:
        raise NoSuchVersion(f"{before} and {now} are of different corpora; compare versions of one corpus.")
    return diff(content_frozen(before), content_frozen(now))


def diff(before: Content, now: Content) -> SetDiff:
    """What became of `before`. Queries are told apart by their keys, so both are of one corpus."""
    added = [now.members[key] for key in now.members.keys() - before.members.keys()]
    withdrawn = [before.members[key] for key in before.members.keys() - now.members.keys()]
    counts = [_counted(each.members.values()) for each in (before, now)]
    both = before.members.keys() & now.members.keys()
    changes = (change_of(before.members[key], now.members[key]) for key in both)
    return SetDiff(
        tuple(slices_of(*counts, came=_counted(added), went=_counted(withdrawn))),
        _ordered(added),
        _ordered(withdrawn),
        tuple(sorted((each for each in changes if each), key=lambda each: each.member.external_id)),
        rules_changed(before.rules, now.rules),
    )


def _ordered(members: list[FrozenMember]) -> tuple[FrozenMember, ...]:
    return tuple(sorted(members, key=lambda member: member.external_id))


def rules_changed(before: Rules, now: Rules) -> dict[str, tuple[Any, Any]]:
    """What is true of all queries and was not the same, as (before, now)."""
    pairs = {name: (_rule(before, name), _rule(now, name)) for name in RULES}
    return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}


def _rule(rules: Rules, name: str) -> Any:  # noqa: ANN401  (JSON)
    value = getattr(rules, name)
    return sorted(value, key=lambda row: [str(row[field]) for field in OF_PLAN]) if name == "plan" else value


def _rule_in_words(name: str, value: Any) -> str:  # noqa: ANN401  (JSON)
    if name == "traffic":
        return ", ".join(f"{locale} {share:.1%}" for locale, share in value.items()) or "not stated"
    if name == "plan":
        planned = sum(row["planned"] for row in value)
        return f"{counted(planned, 'query', 'queries')} in {counted(len(value), 'stratum', 'strata')}"
    return "none" if value is None else str(value)


def slices_of(before: Counts, now: Counts, *, came: Counts, went: Counts) -> Iterator[SliceDiff]:
    """Each slice with its counts, and with what moved into it from others, less what moved out."""
    for name in Slice.values:
        moved = now[name] - before[name] - came[name] + went[name]
        yield SliceDiff(name, before[name], came[name], went[name], moved, now[name])


def _counted(members: Iterable[FrozenMember]) -> Counts:
    return Counter(member.slice for member in members)


def change_of(before: FrozenMember, now: FrozenMember) -> Change | None:
    """What changed of a query that stayed; None where nothing did that a reader is told."""
    if before == now:
        return None
    pairs = {name: (getattr(before, name), getattr(now, name)) for name in FIELDS}
    fields = {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}
    grades = _regraded(before, now)
    return Change(now, fields, grades) if fields or grades else None


def _regraded(before: FrozenMember, now: FrozenMember) -> tuple[Regrade, ...]:
    was, is_now = ({grade.canonical_id: grade.grade for grade in member.grades} for member in (before, now))
    names = sorted(was.keys() | is_now.keys())
    return tuple(Regrade(name, was.get(name), is_now.get(name)) for name in names if was.get(name) != is_now.get(name))


def _worded(name: str, value: str) -> str:
    told = QueryType(value).label.lower() if name == "query_type" else value
    return f"{FIELDS[name]}{told or 'none'}"


MOST_GRADES = 3


def _grades(grades: tuple[Regrade, ...], side: str) -> str:
    shown = [f"{each.canonical_id}: {_grade(getattr(each, side))}" for each in grades[:MOST_GRADES]]
    more = f" and {len(grades) - MOST_GRADES:,} more" if len(grades) > MOST_GRADES else ""
    return ", ".join(shown) + more


def _grade(grade: int | None) -> str:
    return "not judged" if grade is None else f"grade {grade}"
