"""What corpus moves do to grades and disputes: documents go, and texts change. All stay; these tell which moved."""

from __future__ import annotations

from django.db.models import Exists, F, OuterRef, Q, QuerySet, Subquery

from curation.models import Corpus, Document, DocumentText, OpenDispute, Qrel, Query


def gone_articles(corpus: Corpus) -> QuerySet[Document, str]:
    """The canonical ids that the corpus held and holds no more: every document of theirs is gone."""
    standing = Document.objects.filter(corpus=corpus, canonical_id=OuterRef("canonical_id"), gone_at=None)
    gone = Document.objects.filter(~Exists(standing), corpus=corpus, gone_at__isnull=False)
    return gone.values_list("canonical_id", flat=True)


def left_at() -> Subquery:
    """When the last document of a dispute's article left the corpus; null while one of them is there.

    A dispute whose article left waits for nobody, and is open again when a document of it comes back.
    """
    own = Document.objects.filter(corpus=OuterRef("query__corpus"), canonical_id=OuterRef("canonical_id"))
    latest = own.order_by(F("gone_at").desc(nulls_first=True)).values("gone_at")
    return Subquery(latest[:1])


def standing_disputes() -> QuerySet[OpenDispute]:
    """The open disputes on what the corpus holds."""
    return OpenDispute.objects.annotate(left_at=left_at()).filter(left_at=None)


def waiting_disputes(corpus: Corpus) -> QuerySet[OpenDispute]:
    """The disputes that a lead has to settle; each of them blocks a freeze. Those of withdrawn queries wait no more."""
    return standing_disputes().filter(query__corpus=corpus).exclude(query__status=Query.Status.RETIRED)


def on_changed_text(qrel: str = "") -> Q:
    """Whether a qrel's grade was given to another text than its document has now; `qrel` leads the rows to their qrel.

    A document that is gone has no present text, and a grade that does not say which text it was given to is taken as
    one of the present text.
    """
    present = DocumentText.objects.filter(
        document=OuterRef(f"{qrel}gold_document"), document__gone_at=None, current=True
    )
    other = present.exclude(sha256=OuterRef(f"{qrel}text_sha256"))
    told = ~Q(**{f"{qrel}text_sha256": ""}) & ~Q(**{f"{qrel}source": Qrel.Source.DERIVED})
    return told & Q(Exists(other))
