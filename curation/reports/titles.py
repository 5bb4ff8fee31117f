"""What a document is called on a page beside its id."""

from __future__ import annotations

from django.db.models import Case, F, OuterRef, Subquery, TextField, When
from django.db.models.functions import Left

from curation.models import DocumentText

BEGINNING = 60  # characters of a text without a title


def title_of(document: str) -> Subquery:
    """The title of the present text of the document that the rows name in their column `document`, or its beginning."""
    present = DocumentText.objects.filter(document=OuterRef(document), current=True)
    told = Case(When(title="", then=Left("text", BEGINNING)), default=F("title"), output_field=TextField())
    return Subquery(present.values_list(told)[:1])
