"""What stands beside every export: each query's stratum, the graded renderings, what moved, and what it all is."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from curation.formats.export.files import files_in, hash_of, text_file, write_json
from curation.formats.export.rows import ExportedSet

STRATA = "strata.tsv"
RENDERINGS = "renderings.tsv"
MOVED = "moved.tsv"
CHANGES = ("text", "new", "gone")
ABOUT = "set.json"
STRATUM = (
    "query_id",
    "query_language",
    "corpus_language",
    "script",
    "query_type",
    "slice",
    "use",
    "gold_canonical_id",
)


def write_strata(folder: Path, exported: ExportedSet) -> None:
    """`strata.tsv`: each query's five dimensions, what its figure is for, and its gold."""
    with text_file(folder / STRATA) as out:
        out.write("\t".join(STRATUM) + "\n")
        out.writelines("\t".join(row.values()) + "\n" for row in strata_of(exported))


def strata_of(exported: ExportedSet) -> Iterator[dict[str, str]]:
    """The rows of that table, their columns in order."""
    for query in exported.queries:
        row = query.row
        dimensions = (row.language, query.corpus_language, row.script, row.query_type, row.slice)
        yield dict(zip(STRATUM, (row.external_id, *dimensions, query.use, query.gold), strict=True))


def write_renderings(folder: Path, exported: ExportedSet) -> None:
    """`renderings.tsv`: the canonical id of each document that carries a grade, to fold an evaluator's hits by."""
    canonical = {document: qrel.canonical_id for qrel in exported.qrels for document in qrel.documents}
    with text_file(folder / RENDERINGS) as out:
        out.write("document_id\tcanonical_id\n")
        out.writelines(f"{document}\t{name}\n" for document, name in sorted(canonical.items()))


def write_moved(folder: Path, exported: ExportedSet) -> None:
    """`moved.tsv`: each document that is not what it was when the set was frozen, and how many grades it carries."""
    grades = grades_carried(exported)
    with text_file(folder / MOVED) as out:
        out.write("document_id\tchange\tgrades\n")
        for moved in exported.moved:
            out.write(f"{moved.document_id}\t{moved.change}\t{grades[moved.document_id]}\n")


def grades_carried(exported: ExportedSet) -> Counter[str]:
    """How many grades each document carries, by its id."""
    return Counter(document for qrel in exported.qrels for document in qrel.documents)


def counted_moves(exported: ExportedSet) -> dict[str, int]:
    """How many documents have another text, are new, or are gone since the freeze; `graded` of them carry grades."""
    counts = Counter[str](moved.change for moved in exported.moved)
    grades = grades_carried(exported)
    told = {change: counts[change] for change in CHANGES}
    return told | {"graded": sum(moved.document_id in grades for moved in exported.moved)}


def moves_in_words(exported: ExportedSet) -> str:
    """Such as "3 texts changed, 1 gone since the freeze, 2 of them with grades"; "" where nothing moved."""
    counts = counted_moves(exported)
    words = zip(CHANGES, ("text changed" if counts["text"] == 1 else "texts changed", "new", "gone"), strict=True)
    told = ", ".join(f"{counts[change]:,} {said}" for change, said in words if counts[change])
    return f"{told} since the freeze, {counts['graded']:,} of them with grades" if told else ""


def write_about(folder: Path, exported: ExportedSet, *, form: str, by: str) -> None:
    """`set.json`, written last: whose grades these are, from which grade on is relevant, counts, and every file's hash.

    `grades` counts a query and a canonical id once, `qrels` counts lines; they differ where `by` is "document".
    `gone` counts the grades whose canonical id no document of the corpus has any more, `moved` the documents that are
    not what they were at the freeze. `generation`, `traffic` and `plan` are what `relevant_from` is: rules as frozen.
    `exact_lists` names the encoders behind the lists that judges read, null where the freeze did not keep them yet.
    """
    grades = exported.qrels
    lines = len(grades) if by == "canonical_id" else sum(len(qrel.documents) for qrel in grades)
    files = {name: hash_of(folder / name) for name in files_in(folder) if name != ABOUT}
    plan = sorted((dict(sorted(row.items())) for row in exported.plan), key=json.dumps)
    write_json(
        folder / ABOUT,
        {
            "set": exported.name,
            "sha256": exported.sha256,
            "corpus": exported.corpus,
            "relevant_from": exported.relevant_from,
            "generation": exported.generation,
            "traffic": dict(sorted(exported.traffic.items())),
            "plan": plan,
            "exact_lists": exported.exact_lists,
            "format": form,
            "qrels_by": by,
            "queries": len(exported.queries),
            "grades": len(grades),
            "relevant": sum(qrel.grade >= exported.relevant_from for qrel in grades),
            "gone": sum(not qrel.standing for qrel in grades),
            "qrels": lines,
            "moved": counted_moves(exported),
            "files": files,
        },
    )
