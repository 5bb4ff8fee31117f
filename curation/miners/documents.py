"""The corpus as a miner sees it: columns in ascending order of external id, one entry a row of the vectors file."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import regex

from curation.retrieval.folding import nfc


class DocumentsRefused(ValueError):
    """The columns of a corpus do not fit one another."""


class Texts(Protocol):
    """Texts by row: a list, or anything that fetches one when asked."""

    def __getitem__(self, row: int, /) -> str: ...


@dataclass(frozen=True)
class Documents:
    """Columns of a corpus, all in the same order.

    `texts` hold what was encoded, which may open with the title. `sources` mark the rendering an article was
    first written in. `facts` are declared ones, by field: `effective_date`, `limit_amount`, `jurisdiction`, `version`.

    Raises:
        DocumentsRefused: ids are not in strictly ascending order, or a column has another length.
    """

    external_ids: Sequence[str]
    canonical_ids: Sequence[str]
    languages: Sequence[str]
    titles: Sequence[str]
    texts: Texts
    sources: Sequence[bool]
    facts: Sequence[Mapping[str, str]]

    def __post_init__(self) -> None:
        """Refuse columns that cannot describe the same rows."""
        columns = {
            "canonical ids": self.canonical_ids, "languages": self.languages, "titles": self.titles,
            "source marks": self.sources, "facts": self.facts,
        }  # fmt: skip
        for name, column in columns.items():
            if len(column) != len(self):
                raise DocumentsRefused(f"There are {len(self)} external ids and {len(column)} {name}.")
        for before, after in zip(self.external_ids, self.external_ids[1:], strict=False):
            if before >= after:
                raise DocumentsRefused(f"External id {after} follows {before}: ids must ascend and not repeat.")

    def body(self, row: int) -> str:
        """The text without the title it opens with."""
        return self.texts[row].removeprefix(self.titles[row]).lstrip("\n")

    def described(self, row: int) -> str:
        """The hash of what is declared of a document."""
        about = self.canonical_ids[row], self.languages[row], self.facts[row]
        return description(*about, is_source=self.sources[row])

    def __len__(self) -> int:
        """Number of documents."""
        return len(self.external_ids)


def description(canonical_id: str, language: str, facts: Mapping[str, Any], *, is_source: bool) -> str:
    """SHA-256 over what is declared of a document beside its text, as far as mining goes by it."""
    told = [canonical_id, language, is_source, {name: str(value) for name, value in facts.items()}]
    return hashlib.sha256(json.dumps(told, ensure_ascii=True, sort_keys=True).encode()).hexdigest()


def fingerprint(text: str) -> str:
    """What text twins share: SHA-256 over the text in NFC with white space collapsed."""
    return hashlib.sha256(regex.sub(r"\s+", " ", nfc(text)).strip().encode()).hexdigest()
