"""README.md of an export: what it is, how its reader takes it, and what that reader counts otherwise."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from curation.formats.export.beside import MOVED, moves_in_words
from curation.formats.export.files import text_file
from curation.formats.export.rows import ExportedSet

_HOW = {
    "jsonl": """Read it back with `manage.py import_set SLUG FOLDER`.
Grades stand by canonical id; a document carries the grades of its `canonical_id`.""",
    "beir": """Read it with `GenericDataLoader(FOLDER).load(split="test")`.
BEIR counts every grade above 0 as relevant.""",
    "trec": """Score a run with `trec_eval -l {level} qrels.txt RUN`,
or with ir-measures: `ir_measures qrels.txt RUN "R(rel={level})@10"`.""",
    "mteb": """Load it as a retrieval task. The subset `default` holds all query languages; each has its own, too
(`tr` for `tr-corpus`, `tr-queries` and `tr-qrels`). MTEB counts every grade above 0 as relevant.""",
    "ranx": """Read it with `Qrels.from_file("qrels.json")` and name the level in the metric: `recall-l{level}`.""",
    "quepid": """Import `ratings/LOCALE.csv` into a case of that language, as CSV. The scale is 0 to 3.
`ratings/LOCALE.json` holds the same ratings, of any text: import it as Rated Ranking Evaluator.""",
    "opensearch": """Send `query_set.json` and `judgments.json` of a language with
`PUT _plugins/_search_relevance/query_sets` and `PUT _plugins/_search_relevance/judgments`.
Ratings are the grades, 0 to 3. The workbench takes 1,000 queries a set unless
`plugins.search_relevance.query_set.maximum` says more.""",
    "hf": """Load a table with `datasets.load_dataset(FOLDER, "corpus", split="test")`;
the others are "queries", "qrels" and "strata".""",
}
_BY_DOCUMENT = """
A grade belongs to an article (its canonical id) and is written for every rendering of it that the corpus holds, so
that it meets the document ids an index gives back. Whether anything relevant is among the first k is the same as in
Hardset; recall counts each rendering apart, unless the hits are folded first by `renderings.tsv`.
"""


def write_card(
    folder: Path, exported: ExportedSet, *, form: str, by: str, subsets: Mapping[str, str], remark: str
) -> None:
    """`README.md`, headed by its subsets where the layout has any; `remark` is about what stands in this folder."""
    level = exported.relevant_from
    how = _HOW[form].replace("{level}", str(level))
    with text_file(folder / "README.md") as out:
        out.write(_front(subsets) if subsets else "")
        out.write(f"# {exported.name}\n\n")
        out.write(f"A frozen set of retrieval queries with settled grades, of the corpus {exported.corpus}.\n\n")
        out.write(f"- SHA-256 of the set: `{exported.sha256}`\n")
        out.write(f"- Grades are 0 to 3; relevant from {level}.\n")
        out.write("- What no judge could tell is in no file: a missing grade is not a 0.\n")
        out.write("- `strata.tsv` gives each query's stratum, use and gold; `set.json` counts and hashes.\n")
        if moves := moves_in_words(exported):
            out.write(f"- Documents are as they stood at the export: {moves}. `{MOVED}` names them.\n")
        out.write(f"\n{how}\n")
        out.write(f"\n{remark}\n" if remark else "")
        out.write(_BY_DOCUMENT if by == "document" else "")


def _front(subsets: Mapping[str, str]) -> str:
    lines = ["---", "task_categories:", "- text-retrieval", "configs:"]
    for name, path in subsets.items():
        lines += [f'- config_name: "{name}"', "  data_files:", "  - split: test", f'    path: "{path}"']
    return "\n".join([*lines, "---", "", ""])
