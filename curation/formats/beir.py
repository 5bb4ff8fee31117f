"""A BEIR folder: corpus.jsonl, queries.jsonl and qrels/*.tsv (github.com/beir-cellar/beir), packed or not."""

from pathlib import PurePosixPath
from typing import Literal

from curation.formats.faults import FileRefused
from curation.formats.kinds import bare_name
from curation.formats.opening import Part

Content = Literal["corpus", "queries", "qrels", "judgments", "run", "query log", "needs", "plan"]


def content_of(name: str) -> Content | None:
    """What a file of that name holds inside a BEIR folder; `qrels.tsv` without a folder counts too."""
    path = PurePosixPath(bare_name(name))
    if path.name == "corpus.jsonl":
        return "corpus"
    if path.name == "queries.jsonl":
        return "queries"
    in_qrels = path.parent.name == "qrels" and path.suffix == ".tsv"
    return "qrels" if in_qrels or path.name == "qrels.tsv" else None


def parts_with(content: Content, parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """The only part, whatever its name, else those that hold `content`: one, or for qrels and judgments one a split.

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
