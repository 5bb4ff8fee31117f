"""A set version as exports take it: its frozen queries and grades, and its corpus's documents as they stand today."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from operator import attrgetter
from typing import TypeVar

from curation.formats.documents import DocumentRow
from curation.formats.export.rows import ExportedSet, SetQrel, SetQuery
from curation.formats.queries import QueryRow
from curation.formats.set_form import FrozenGrade, FrozenMember
from curation.models import Corpus, Document, DocumentText, Qrel, SetVersion
from curation.reports.set_content import content_intact

T = TypeVar("T")
HIGHEST = 3
BATCH = 500


@dataclass(frozen=True, slots=True)
class Renderings:
    """The documents of an article by id, in code point order, and whether they stand in the corpus."""

    documents: tuple[str, ...]
    standing: bool


def exported_set(version: SetVersion) -> ExportedSet:
    """All that an export of `version` holds; documents are read only as they are written.

    Raises:
        SetBelied: the rows of the set do not give its hash any more.
    """
    members = sorted(content_intact(version).members.values(), key=attrgetter("external_id"))
    named = {grade.canonical_id for member in members for grade in member.grades}
    renderings = renderings_of(version.corpus, named)
    return ExportedSet(
        name=str(version),
        sha256=version.sha256,
        corpus=version.corpus.slug,
        relevant_from=version.relevant_from,
        queries=_queries(members),
        qrels=list(_qrels(members, renderings)),
        documents=lambda: document_rows(version.corpus),
    )


def renderings_of(corpus: Corpus, canonical_ids: Iterable[str]) -> dict[str, Renderings]:
    """The documents of each article: those that stand, else those that are gone, else its canonical id itself."""
    found: defaultdict[tuple[str, bool], list[str]] = defaultdict(list)
    names = sorted(canonical_ids)
    for batch in _batches(names):
        documents = Document.objects.filter(corpus=corpus, canonical_id__in=batch)
        for external_id, canonical_id, gone_at in documents.values_list("external_id", "canonical_id", "gone_at"):
            found[canonical_id, gone_at is None].append(external_id)
    return {name: _renderings(found.get((name, True)), found.get((name, False)) or [name]) for name in names}


def document_rows(corpus: Corpus) -> Iterator[DocumentRow]:
    """The standing documents and their current texts, in code point order of their ids, a batch in memory at once."""
    standing = Document.objects.filter(corpus=corpus, gone_at=None)
    keys = [key for _, key in sorted(standing.values_list("external_id", "pk"))]
    for batch in _batches(keys):
        texts = DocumentText.objects.filter(document__in=batch, current=True).select_related("document")
        by_document = {text.document_id: text for text in texts}
        yield from (_document(by_document[key]) for key in batch if key in by_document)


def _renderings(standing: Sequence[str] | None, gone: Sequence[str]) -> Renderings:
    return Renderings(tuple(sorted(standing or gone)), standing=standing is not None)


def _queries(members: Sequence[FrozenMember]) -> list[SetQuery]:
    ids = {member.external_id for member in members}
    # A need without an English text is known by its first wording, which is no information need to hand on.
    wordings = {member.text for member in members if member.query_language.split("-")[0] != "en"}
    return [_query(member, ids=ids, wordings=wordings) for member in members]


def _query(member: FrozenMember, *, ids: set[str], wordings: set[str]) -> SetQuery:
    gold = member.gold_canonical_id
    full = {grade.canonical_id for grade in member.grades if grade.grade == HIGHEST}
    row = QueryRow(
        line=0,
        external_id=member.external_id,
        need_id=member.need_external_id,
        need_text="" if member.need in wordings else member.need,
        text=member.text,
        language=member.query_language,
        script=member.script,
        query_type=member.query_type,
        slice=member.slice,
        gold_canonical_id=gold if gold in full else "",
        gold_document_id="",
        extra={},
        variant_of=member.variant_of if member.variant_of in ids else "",
    )
    return SetQuery(row, member.corpus_language, member.use, gold)


def _qrels(members: Iterable[FrozenMember], renderings: Mapping[str, Renderings]) -> Iterator[SetQrel]:
    for member in members:
        for grade in sorted(member.grades, key=attrgetter("canonical_id")):
            yield _qrel(member.external_id, grade, renderings[grade.canonical_id])


def _qrel(query_id: str, grade: FrozenGrade, renderings: Renderings) -> SetQrel:
    return SetQrel(
        query_id=query_id,
        canonical_id=grade.canonical_id,
        gold_document=grade.gold_document,
        grade=grade.grade,
        score=grade.original_score,
        origin="" if grade.source == Qrel.Source.IMPORTED else grade.source,
        documents=renderings.documents,
        standing=renderings.standing,
    )


def _document(text: DocumentText) -> DocumentRow:
    document = text.document
    return DocumentRow(
        line=0,
        external_id=document.external_id,
        canonical_id=document.canonical_id,
        language="" if document.language == "und" else document.language,
        script=document.script,
        is_source=document.is_source,
        title=text.title,
        text=text.text,
        facts=document.facts,
        metadata=document.metadata,
    )


def _batches(values: Sequence[T]) -> Iterator[list[T]]:
    left = iter(values)
    while batch := list(islice(left, BATCH)):
        yield batch
