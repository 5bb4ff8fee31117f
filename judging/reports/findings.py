"""What a query finds in its candidates, found once: spans and the passage are kept beside each candidate.

They are kept under a key of all they depend on. What is kept under another key is not read but found anew, so a text,
a fact, or a wording that changed is never shown with the highlights of before.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass
from functools import cache, cached_property
from hashlib import sha256
from itertools import chain
from typing import NotRequired, TypedDict, cast

from curation.models import Document, DocumentText, Query
from curation.reports.prepared import KEY, PreparedRows
from curation.retrieval.tokens import SEGMENTER
from judging.models import Candidate, Pool
from judging.reports.groups import groups_of, versions_together
from judging.reports.highlights import Highlighter, Span, Wording
from judging.reports.passages import Passage, best_passage
from judging.reports.pool_facts import COLUMNS, fact_spans
from judging.reports.stated import Stated, stated_in

FINDS_AS = 4
"""Raised when the same texts come to be highlighted otherwise: what was kept until then is found anew."""
LONGEST = 8000  # characters of one text on the page
KEY_LENGTH = 32  # hexadecimal digits
NEED_LOCALE = "en"


class Kept(TypedDict):
    """Findings as JSON: starts and ends of spans in one list, the passage as its four fields.

    Of near-duplicates also what the text states: each of `values` once, and in `stated` its place among them, where it
    starts and where it ends.
    """

    key: str
    title: list[int]
    body: list[int]
    passage: list[int]
    facts: list[list[int]]
    values: NotRequired[list[str]]
    stated: NotRequired[list[int]]


@dataclass(frozen=True, slots=True)
class Findings:
    """What is highlighted in the title, the text and each fact of a document, and what of the text is read first.

    `stated` are the facts of the text, of a near-duplicate alone.
    """

    title: Sequence[Span]
    body: Sequence[Span]
    passage: Passage
    facts: Sequence[Sequence[Span]]
    stated: Sequence[Stated] = ()


class Finder:
    """Finds what a query and its need name in candidates. `fresh` holds what was not kept yet, by candidate."""

    def __init__(self, query: Query) -> None:
        self._wordings = [Wording(query.text, query.stratum.query_language)]
        if query.need:
            self._wordings.append(Wording(query.need.text, NEED_LOCALE))
        asked = chain.from_iterable(astuple(wording) for wording in self._wordings)
        self._asked = _joined([str(FINDS_AS), SEGMENTER, *asked])
        self.fresh: dict[int, Kept] = {}

    def found_in(self, candidate: Candidate, text: DocumentText | None, *, compared: bool = False) -> Findings:
        """The findings in `text` and in the facts of the document, as they were kept or found now.

        One that is `compared` stands beside its near-duplicates: of it, also what the text states.
        """
        kept = cast("Kept", candidate.highlights)
        if not kept or kept["key"] != self._key(candidate.document, text):
            kept = self.fresh[candidate.pk] = self.to_keep(candidate.document, text)
        if not compared:
            return _read(kept)
        if "stated" not in kept:
            kept = self.fresh[candidate.pk] = _with_stated(kept, candidate.document, text)
        return _read(kept, _stated(kept))

    def to_keep(self, document: Document, text: DocumentText | None) -> Kept:
        """What a candidate keeps of the findings in `text` and in the facts of `document`."""
        return _written(self._key(document, text), self._find(document, text))

    def _key(self, document: Document, text: DocumentText | None) -> str:
        facts = (str(document.facts.get(name) or "") for name in COLUMNS)
        own = _joined([document.language, *facts, text.sha256 if text else ""])
        return sha256(f"{self._asked}\0{own}".encode()).hexdigest()[:KEY_LENGTH]

    @cached_property
    def _highlighter(self) -> Highlighter:
        return Highlighter(self._wordings)

    def _find(self, document: Document, text: DocumentText | None) -> Findings:
        title, body = (text.title, text.text[:LONGEST]) if text else ("", "")
        spans = self._highlighter.spans(body, document.language)
        return Findings(
            title=self._highlighter.spans(title, document.language),
            body=spans,
            passage=best_passage(body, spans),
            facts=fact_spans(document.facts, self._highlighter),
        )


def _joined(parts: Iterable[str]) -> str:
    """Parts with their lengths, so that no two lists of parts read alike."""
    return "\0".join(f"{len(part)} {part}" for part in parts)


def texts_of(candidates: Sequence[Candidate]) -> dict[int, DocumentText]:
    """The current text of each document of `candidates` that has one."""
    texts = _texts_asked().rows({KEY: [candidate.document_id for candidate in candidates]})
    return {text.document_id: text for text in texts}


@cache
def _texts_asked() -> PreparedRows[DocumentText]:
    return PreparedRows(DocumentText.objects.filter(document__in=[KEY], current=True))


def fresh_findings(pool: Pool) -> dict[int, Kept]:
    """What is not kept yet of the findings in the candidates of `pool`."""
    candidates = list(pool.candidates.select_related("document"))
    texts, finder = texts_of(candidates), Finder(pool.query)
    groups = groups_of(pool.query.corpus_id, {candidate.canonical_id for candidate in candidates})
    for block in versions_together(candidates, groups):
        for candidate in block:
            finder.found_in(candidate, texts.get(candidate.document_id), compared=len(block) > 1)
    return finder.fresh


def _written(key: str, findings: Findings) -> Kept:
    return Kept(
        key=key,
        title=_flat(findings.title),
        body=_flat(findings.body),
        passage=[int(each) for each in astuple(findings.passage)],
        facts=[_flat(spans) for spans in findings.facts],
    )


def _with_stated(kept: Kept, document: Document, text: DocumentText | None) -> Kept:
    found = stated_in(text.text, document.language) if text else []
    values = {value: place for place, value in enumerate(dict.fromkeys(value for value, _, _ in found))}
    places = chain.from_iterable((values[value], start, end) for value, start, end in found)
    return {**kept, "values": list(values), "stated": list(places)}


def _stated(kept: Kept) -> list[Stated]:
    values, flat = kept["values"], kept["stated"]
    return [(values[at], start, end) for at, start, end in zip(flat[::3], flat[1::3], flat[2::3], strict=True)]


def _read(kept: Kept, stated: Sequence[Stated] = ()) -> Findings:
    start, end, before, after = kept["passage"]
    passage = Passage(start, end, cut_before=bool(before), cut_after=bool(after))
    return Findings(
        _pairs(kept["title"]), _pairs(kept["body"]), passage, [_pairs(each) for each in kept["facts"]], stated
    )


def _flat(spans: Sequence[Span]) -> list[int]:
    return list(chain.from_iterable(spans))


def _pairs(ends: Sequence[int]) -> list[Span]:
    return list(zip(ends[::2], ends[1::2], strict=True))
