"""A BEIR folder: corpus.jsonl, queries.jsonl and qrels/*.tsv (github.com/beir-cellar/beir), packed or not."""

from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Literal

from curation.formats.faults import FileRefused
from curation.formats.kinds import bare_name
from curation.formats.opening import Part

Content = Literal["corpus", "queries", "qrels", "judgments", "run", "query log", "needs", "plan"]

_BY_NAME: Mapping[str, Content] = {
    "corpus.jsonl": "corpus",
    "queries.jsonl": "queries",
    "qrels.tsv": "qrels",
    "qrels.jsonl": "qrels",
    "qrels.txt": "qrels",
}
_BY_FOLDER: Mapping[str, Content] = {"corpus": "corpus", "queries": "queries", "qrels": "qrels"}
_TABLES = frozenset({".tsv", ".jsonl", ".parquet"})


def content_of(name: str) -> Content | None:
    """What a file of that name holds inside a BEIR folder, or one that `export_set` wrote."""
    path = PurePosixPath(bare_name(name))
    if path.name in _BY_NAME:
        return _BY_NAME[path.name]
    return _BY_FOLDER.get(path.parent.name) if path.suffix in _TABLES else None


def parts_with(content: Content, parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """The only part, whatever its name, else those that hold `content`: one, or for qrels and judgments several.

    Raises:
        FileRefused: none, or more than one where one is wanted.
    """
    wanted = "qrels" if content == "judgments" else content
    chosen = parts if len(parts) == 1 else tuple(part for part in parts if content_of(part.name) == wanted)
    if not chosen or (len(chosen) > 1 and wanted != "qrels"):
        raise FileRefused(
            f"{len(chosen) or 'None'} of the {len(parts):,} files inside could be the {content}. "
            "Choose one file, or a BEIR folder with corpus.jsonl, queries.jsonl and qrels/*.tsv."
        )
    return chosen
