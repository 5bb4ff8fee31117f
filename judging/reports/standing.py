"""Whether judgments still stand: a judgment keeps the fingerprint of the text it saw, and texts change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from django.db import models
from django.db.models import Exists, OuterRef, Q

from curation.models import Corpus, DocumentText
from judging.models import Judgment, State


class Standing(models.TextChoices):
    """What became of the document since it was judged."""

    VALID = "valid", "Still the text that was judged"
    CHANGED = "changed", "Text changed, judge again"
    GONE = "gone", "Document gone"


def standings(judgments: Iterable[Judgment]) -> dict[int, Standing]:
    """The standing of each judgment by its primary key; needs `document` selected."""
    judged = list(judgments)
    current = DocumentText.objects.filter(current=True, document__in={judgment.document_id for judgment in judged})
    texts = dict(current.values_list("document_id", "sha256"))
    return {judgment.pk: _standing(judgment, texts.get(judgment.document_id, "")) for judgment in judged}


def still_standing() -> Q:
    """What tells the judgments that are VALID, for a filter in the database."""
    seen = DocumentText.objects.filter(document=OuterRef("document"), current=True, sha256=OuterRef("text_sha256"))
    return Q(Exists(seen), document__gone_at=None)


def _standing(judgment: Judgment, present: str) -> Standing:
    if judgment.document.gone_at is not None:
        return Standing.GONE
    return Standing.VALID if judgment.text_sha256 == present else Standing.CHANGED


def standing_in_words(corpus: Corpus) -> list[str]:
    """A sentence on the corpus's judgments after its documents changed; none where there are no judgments."""
    opinions = Judgment.objects.filter(query__corpus=corpus).exclude(state=State.UNSEEN).select_related("document")
    counts = Counter(standings(opinions).values())
    if not counts:
        return []
    valid, changed, gone = (counts[standing] for standing in Standing)
    return [
        f"Judgments: {valid:,} still see the present text, {changed:,} saw another text (judge again), "
        f"{gone:,} saw a document that is gone. None is deleted."
    ]
