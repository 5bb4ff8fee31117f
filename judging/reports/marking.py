"""What a mark asks before it is written: few and prepared queries, because a judge waits for each press of a key."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from django.db.models import F, OuterRef, Subquery
from django.db.models.lookups import IsNull

from curation.reports.prepared import KEY, OTHER, PRESS, Prepared
from judging.models import Assignment, Candidate, Judgment, JudgmentEvent


@dataclass(frozen=True, slots=True)
class Shown:
    """A candidate, its document, and the fingerprints of the document's texts: the current one, then the newest."""

    candidate_id: int
    pool_id: int
    document_id: int
    canonical_id: str
    is_gone: bool
    texts: tuple[str, ...]

    def text_seen(self, begins: str) -> str:
        """The fingerprint of the text version that was on screen; of the current one where that is not known."""
        return next((text for text in self.texts if text.startswith(begins)), next(iter(self.texts), ""))


def shown_to_mark(candidate_id: int) -> Shown:
    """The candidate with the texts of its document.

    Raises:
        Candidate.DoesNotExist: there is none.
    """
    rows = _shown_asked().rows({KEY: candidate_id})
    if not rows:
        raise Candidate.DoesNotExist
    pool, document, name, is_gone, _ = rows[0]
    return Shown(candidate_id, pool, document, name, bool(is_gone), tuple(row[-1] for row in rows if row[-1]))


def known_before(assignment: Assignment, document_id: int, token: str) -> tuple[int | None, int | None]:
    """The key of the judgment that the press with this token marked, if it is saved already.

    Beside it the key of what the assessor said of the document for this query last.
    """
    [(of_press, before)] = _known_asked().rows({KEY: assignment.pk, OTHER: document_id, PRESS: token})
    return of_press, before


@cache
def _shown_asked() -> Prepared:
    candidates = Candidate.objects.filter(pk=KEY).order_by("-document__texts__current", "-document__texts__pk")
    candidates = candidates.annotate(is_gone=IsNull(F("document__gone_at"), False))  # noqa: FBT003  (Django's own)
    return Prepared.of(candidates.values_list("pool", "document", "canonical_id", "is_gone", "document__texts__sha256"))


@cache
def _known_asked() -> Prepared:
    pressed = JudgmentEvent.objects.filter(token=PRESS).order_by()
    own = Judgment.with_begun.filter(query=OuterRef("pool__query"), assessor=OuterRef("assessor"), document=OTHER)
    # Side by side, each by its own index: for one or the other PostgreSQL would read all that was ever judged.
    known = Subquery(pressed.values("judgment")), Subquery(own.order_by("-begun").values("pk")[:1])
    return Prepared.of(Assignment.objects.filter(pk=KEY).values_list(*known))
