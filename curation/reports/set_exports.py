"""A set version as exports take it: its frozen queries and grades, and its corpus's documents as they stand today."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from operator import attrgetter
from typing import TypeVar

from django.db.models import Exists, OuterRef, Q

from curation.formats.documents import DocumentRow
from curation.formats.export.rows import ExportedSet, Moved, SetQrel, SetQuery
from curation.formats.queries import QueryRow
from curation.formats.set_form import FrozenGrade, FrozenMember
from curation.models import Corpus, Document, DocumentText, Qrel, SetVersion
from curation.reports.picture import one_picture
from curation.reports.set_content import content_intact

T = TypeVar("T")
HIGHEST = 3
BATCH = 500


@dataclass(frozen=True, slots=True)
class Renderings:
    """The documents of an article by id, in code point order, and whether they stand in the corpus."""

    documents: tuple[str, ...]
    standing: bool


@contextmanager
def exported_set(version: SetVersion) -> Iterator[ExportedSet]:
    """All that an export of `version` holds, as of one moment; documents are read only as they are written, inside.

    Raises:
        SetBelied: the rows of the set do not give its hash any more.
    """
    with one_picture():
        yield _exported(version)


def _exported(version: SetVersion) -> ExportedSet:
    content = content_intact(version)
    members = sorted(content.members.values(), key=attrgetter("external_id"))
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
        moved=moved_since(version.corpus, version.frozen_at),
        generation=content.rules.generation,
        traffic=content.rules.traffic,
        plan=content.rules.plan,
        exact_lists=version.certificate.get("exact_lists"),
    )


def moved_since(corpus: Corpus, moment: datetime) -> list[Moved]:
    """The documents that are not what they were at `moment`, in code point order of their ids; two SQL queries.

    Texts are kept with the moment each became the present one, so nothing of a document is frozen beside it.
    """
    earlier = DocumentText.objects.filter(document=OuterRef("document"), created_at__lte=moment)
    later = Q(created_at__gt=moment) | Q(taken_up_at__gt=moment)
    texts = DocumentText.objects.filter(later, document__corpus=corpus, document__gone_at=None, current=True)
    rows = texts.annotate(was_here=Exists(earlier)).values_list("document__external_id", "was_here")
    moved = [Moved(name, "text" if was_here else "new") for name, was_here in rows]
    standing = Exists(DocumentText.objects.filter(document=OuterRef("pk"), created_at__lte=moment))
    gone = Document.objects.filter(standing, corpus=corpus, gone_at__gt=moment)
    moved += [Moved(name, "gone") for name in gone.values_list("external_id", flat=True)]
    return sorted(moved, key=attrgetter("document_id"))


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
    return [_query(member, ids) for member in members]


def _query(member: FrozenMember, ids: Container[str]) -> SetQuery:
    gold = member.gold_canonical_id
    full = {grade.canonical_id for grade in member.grades if grade.grade == HIGHEST}
    row = QueryRow(
        line=0,
        external_id=member.external_id,
        need_id=member.need_external_id,
        need_text=member.need,
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
        qrels: list[SetQrel] = []
        carried: set[str] = set()
        for grade in sorted(member.grades, key=lambda grade: not renderings[grade.canonical_id].standing):
            qrels.append(_qrel(member.external_id, grade, renderings[grade.canonical_id], carried=carried))
            carried.update(qrels[-1].documents)
        yield from sorted(qrels, key=attrgetter("canonical_id"))


def _qrel(query_id: str, grade: FrozenGrade, renderings: Renderings, *, carried: Container[str]) -> SetQrel:
    return SetQrel(
        query_id=query_id,
        canonical_id=grade.canonical_id,
        gold_document=grade.gold_document if grade.gold_document in renderings.documents else "",
        grade=grade.grade,
        score=grade.original_score,
        origin="" if grade.source == Qrel.Source.IMPORTED else grade.source,
        documents=tuple(name for name in renderings.documents if name not in carried),
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
