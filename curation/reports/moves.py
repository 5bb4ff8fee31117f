"""What corpus moves do to settled grades: documents go, and texts change. Grades stay; these tell which ones moved."""

from __future__ import annotations

from django.db.models import Exists, OuterRef, Q, QuerySet

from curation.models import Corpus, Document, DocumentText, Qrel


def gone_articles(corpus: Corpus) -> QuerySet[Document, str]:
    """The canonical ids that the corpus held and holds no more: every document of theirs is gone."""
    standing = Document.objects.filter(corpus=corpus, canonical_id=OuterRef("canonical_id"), gone_at=None)
    gone = Document.objects.filter(~Exists(standing), corpus=corpus, gone_at__isnull=False)
    return gone.values_list("canonical_id", flat=True)


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
