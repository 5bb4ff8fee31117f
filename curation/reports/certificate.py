"""The certificate of a set version: its counts, who judged it and how far they agree, and what it does not show."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from curation.models import CannotTell, Corpus, SetVersion, Slice

from .freeze_checks import Checks
from .run_words import queries
from .set_content import Content
from .testimony import testimony_on

PAIR = ("query_language", "corpus_language")


def certificate_of(corpus: Corpus, content: Content, checks: Checks) -> dict[str, Any]:
    """What is frozen beside the rows, as JSON; nothing of it goes into the hash.

    `cells` are pairs of languages, the fewest queries first; a planned one without a query is among them.
    """
    members = content.members.values()
    slices = Counter(member.slice for member in members)
    grades = [grade for member in members for grade in member.grades]
    return {
        "queries": len(members),
        "judgments": len(grades),
        "sources": dict(Counter(grade.source for grade in grades).most_common()),
        "swept": sum(grade.swept for grade in grades),
        "no_answer": sum(count.no_answer for count in checks.counts),
        "cannot_tell": CannotTell.objects.filter(query__in=content.members).count(),
        "slices": {name: slices[name] for name in Slice.values},
        "cells": _cells(content, checks),
        "holes": [finding.words for finding in checks.warnings],
        **testimony_on(corpus, content.members.keys()),
    }


def _cells(content: Content, checks: Checks) -> list[dict[str, Any]]:
    planned = ((count.query_language, count.corpus_language) for count in checks.counts if count.planned)
    cells = Counter(dict.fromkeys(planned, 0))
    cells.update((member.query_language, member.corpus_language) for member in content.members.values())
    return [
        {**dict(zip(PAIR, pair, strict=True)), "queries": n}
        for pair, n in sorted(cells.items(), key=lambda each: (each[1], each[0]))
    ]


def version_as_json(version: SetVersion) -> dict[str, Any]:
    """A set version with its certificate, for a program."""
    number = version.generation.number if version.generation else None
    told = {"set": str(version), "sha256": version.sha256, "generation": number}
    return {**told, "frozen_at": version.frozen_at.isoformat(), **version.certificate}


def in_words(certificate: Mapping[str, Any]) -> Iterator[str]:
    """The certificate for a reader, a fact a line."""
    yield f"{certificate['queries']:,} queries, {certificate['judgments']:,} settled grades"
    yield "Slices: " + ", ".join(f"{name} {n:,}" for name, n in certificate["slices"].items())
    cells = [f"{cell[PAIR[0]]} × {cell[PAIR[1]]} {cell['queries']:,}" for cell in certificate["cells"]]
    yield f"Cells, the emptiest first: {', '.join(cells)}"
    yield "Grades: " + ", ".join(f"{name} {n:,}" for name, n in certificate["sources"].items())
    yield f"Left out: {certificate['no_answer']:,} queries judged without an answer"
    if certificate["cannot_tell"]:
        yield f"Nobody could tell of {certificate['cannot_tell']:,} documents: they are no grade 0"
    judges = [f"{judge['name']} {judge['judgments']:,}" for judge in certificate.get("judges", ())]
    yield f"Judgments: {', '.join(judges) or 'none given here'}"
    yield agreement_in_words(certificate.get("agreement", {}))
    yield from (f"Exact lists by {exact_list_in_words(each)}" for each in certificate.get("exact_lists", ()))
    yield from (f"Known hole: {hole}" for hole in certificate["holes"])


def agreement_in_words(agreement: Mapping[str, Any]) -> str:
    """How far two opinions on the same answer agree, or how few there are to say it."""
    pairs, share, kappa = (agreement.get(name) for name in ("pairs", "agree_share", "kappa"))
    if not pairs:
        return "Agreement: no document was judged twice"
    if share is None:
        return f"Agreement: {pairs:,} pairs of opinions, too few to say"
    beyond = "" if kappa is None else f", kappa {kappa:.2f}"
    return f"Agreement: {100 * share:.1f} % of {pairs:,} pairs of opinions{beyond}"


def exact_list_in_words(told: Mapping[str, Any]) -> str:
    """The encoder that made the vectors of an exact list, and of how many queries."""
    made_by = f"{told['encoder']} {told['revision']}".strip()
    return f"{made_by}, {told['dims']:,} of {told['native_dims']:,} dimensions: {queries(told['queries'])}"
