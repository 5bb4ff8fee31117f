"""What corpus moves do to settled grades: documents go, and texts change. Grades stay; these tell which ones moved."""

from __future__ import annotations

from django.db.models import Exists, OuterRef, Q, QuerySet

from curation.models import Corpus, Document, DocumentText, Qrel


def gone_articles(corpus: Corpus) -> QuerySet[Document, str]:
    """The canonical ids that the corpus held and holds no more: every document of theirs is gone."""
    standing = Document.objects.filter(corpus=corpus, canonical_id=OuterRef("canonical_id"), gone_at=None)
    gone = Document.objects.filter(~Exists(standing), corpus=corpus, gone_at__isnull=False)
    return gone.values_list("canonical_id", flat=True)


def on_changed_text() -> Q:
    """Whether a qrel's grade was given to another text than its document has now.

    A document that is gone has no present text, and a grade that does not say which text it was given to is taken as
    one of the present text.
    """
    present = DocumentText.objects.filter(document=OuterRef("gold_document"), current=True)
    other = present.exclude(sha256=OuterRef("text_sha256"))
    return Q(Exists(other), gold_document__gone_at=None) & ~Q(text_sha256="") & ~Q(source=Qrel.Source.DERIVED)
