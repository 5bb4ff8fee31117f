"""What stands beside every export: the stratum of each query, the renderings that carry grades, and what it all is."""

from __future__ import annotations

from pathlib import Path

from curation.formats.export.files import files_in, hash_of, text_file, write_json
from curation.formats.export.rows import ExportedSet

STRATA = "strata.tsv"
RENDERINGS = "renderings.tsv"
ABOUT = "set.json"
_COLUMNS = (
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
        out.write("\t".join(_COLUMNS) + "\n")
        for query in exported.queries:
            row = query.row
            stratum = (row.language, query.corpus_language, row.script, row.query_type, row.slice)
            out.write("\t".join((row.external_id, *stratum, query.use, query.gold)) + "\n")


def write_renderings(folder: Path, exported: ExportedSet) -> None:
    """`renderings.tsv`: the canonical id of each document that carries a grade, to fold an evaluator's hits by."""
    canonical = {document: qrel.canonical_id for qrel in exported.qrels for document in qrel.documents}
    with text_file(folder / RENDERINGS) as out:
        out.write("document_id\tcanonical_id\n")
        out.writelines(f"{document}\t{name}\n" for document, name in sorted(canonical.items()))


def write_about(folder: Path, exported: ExportedSet, *, form: str, by: str) -> None:
    """`set.json`, written last: whose grades these are, from which grade on is relevant, counts, and every file's hash.

    `grades` counts a query and a canonical id once, `qrels` counts lines; they differ where `by` is "document".
    `gone` counts the grades whose canonical id no document of the corpus has any more.
    """
    grades = exported.qrels
    lines = len(grades) if by == "canonical_id" else sum(len(qrel.documents) for qrel in grades)
    files = {name: hash_of(folder / name) for name in files_in(folder) if name != ABOUT}
    write_json(
        folder / ABOUT,
        {
            "set": exported.name,
            "sha256": exported.sha256,
            "corpus": exported.corpus,
            "relevant_from": exported.relevant_from,
            "format": form,
            "qrels_by": by,
            "queries": len(exported.queries),
            "grades": len(grades),
            "relevant": sum(qrel.grade >= exported.relevant_from for qrel in grades),
            "gone": sum(not qrel.standing for qrel in grades),
            "qrels": lines,
            "files": files,
        },
    )
