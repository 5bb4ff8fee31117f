"""Answers whose text changed since they were judged, and which of them wait for a judge already."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from curation.formats.records import JsonValue
from curation.models import Corpus, DocumentText, Qrel, Query
from curation.reports.moves import on_changed_text
from curation.reports.navigation import Visit
from judging.models import Candidate
from judging.reports.opinions import TEXT_CHANGED


@dataclass(frozen=True, slots=True)
class Moved:
    """How many answers were graded on an earlier text, of how many queries, and how many of them wait for a judge."""

    answers: int
    queries: int
    sent: int

    @property
    def unsent(self) -> int:
        """How many nobody has sent."""
        return self.answers - self.sent


def changed_answers(corpus: Corpus, *, unsent: bool = False, locales: Collection[str] | None = None) -> QuerySet[Qrel]:
    """The settled grades that were given to an earlier text; `is_sent` tells those that wait to be judged again.

    With `locales`, those of queries in them alone.

    Those that nobody sent come first, then by query and document. Answers of withdrawn queries are left out.
    With `unsent`, so are those that were sent.
    """
    moved = _on_earlier_text(corpus).filter(query__status__in=[Query.Status.READY, Query.Status.JUDGED])
    if locales is not None:
        moved = moved.filter(query__stratum__query_language__in=locales)
    waiting = Candidate.objects.filter(
        pool__closed_at=None,
        pool__query=OuterRef("query"),
        canonical_id=OuterRef("canonical_id"),
        origins__has_key=TEXT_CHANGED,
    )
    told = moved.annotate(is_sent=Exists(waiting)).select_related("query__stratum", "gold_document")
    told = told.filter(is_sent=False) if unsent else told
    return told.order_by("is_sent", "query__external_id", "canonical_id")


def _on_earlier_text(corpus: Corpus) -> QuerySet[Qrel]:
    """Looked for from the documents that have an earlier text: few, where a corpus has grades by the 100,000."""
    earlier = DocumentText.objects.filter(current=False).values("document")
    return Qrel.objects.filter(on_changed_text(), gold_document__in=earlier, gold_document__corpus=corpus)


def to_send(visit: Visit) -> QuerySet[Qrel]:
    """What the menu counts beside Text changed: the answers that nobody sent to a judge."""
    return changed_answers(visit.corpus, unsent=True, locales=visit.led)


def tally(answers: QuerySet[Qrel]) -> Moved:
    """The counts of `changed_answers`; one database query."""
    sent = Count("pk", filter=Q(is_sent=True))
    found = answers.order_by().aggregate(answers=Count("pk"), queries=Count("query", distinct=True), sent=sent)
    return Moved(**found)


def as_json(qrel: Qrel) -> dict[str, JsonValue]:
    """One of `changed_answers` as it is exported."""
    document = qrel.gold_document
    return {
        "query_id": qrel.query.external_id,
        "document_id": document.external_id if document else None,
        "canonical_id": qrel.canonical_id,
        "grade": qrel.grade,
        "source": qrel.source,
        "graded_at": qrel.settled_at.isoformat(),
        "sent": bool(getattr(qrel, "is_sent", False)),
    }
