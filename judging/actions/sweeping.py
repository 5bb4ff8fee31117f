"""What becomes of the candidates that nobody marked when their query is finished."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from curation.actions.lookups import insert, overwrite
from curation.actions.refusal import Refused
from curation.models import DocumentText
from curation.reports.twins_as_read import twins_as_read
from judging.models import Assignment, Candidate, Judgment, State
from judging.reports.meant import is_for_twins, spoken_for, texts_read
from judging.reports.mismatches import candidates_of
from judging.reports.opinions import (
    inherited_grades,
    inherited_here,
    own_judgments,
    present_texts,
    said_here,
    shown_value,
)

WRITTEN = ["state", "grade", "candidate", "token", "text_sha256", "judged_at", "screen_ms"]
JOINED = "Documents joined this query since you opened it. The list shows them now."
REPLACED = "Marks of this query were changed in another window, or their text was. The list shows those that stand."
MOST_MS = 3_600_000  # on screen; a window left open says nothing more


class Replaced(Refused):
    """A mark that the page showed is not the one that stands, or a document is asked about that it did not show."""


@dataclass(frozen=True, slots=True)
class Ending:
    """How a query is finished: the candidates (by key) that were on screen long enough to count as seen.

    With each comes what the fingerprint of the text on screen begins with ("" for the present one). `nothing_because`
    says why no document is relevant (`Assignment.NothingBecause`); `seconds` is the active time since the last mark,
    `screen_ms` how long each candidate (by key) was on screen; `shown` what it showed as marked, where the page told.
    """

    seen: Mapping[int, str] = field(default_factory=dict)
    nothing_because: str = ""
    seconds: int = 0
    screen_ms: Mapping[int, int] = field(default_factory=dict)
    shown: Mapping[int, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Sweep:
    """One assessor's pool at the moment of finishing."""

    assignment: Assignment
    ending: Ending
    known: dict[int, Judgment] = field(default_factory=dict)

    def opinions(self, *, now: datetime) -> list[Judgment]:
        """Write a judgment for every candidate without a mark; the judgments of all candidates, in their order.

        A document that is gone from the corpus is not spoken of: what was marked before stays. So does what was said
        of an earlier text where the present one was not seen. Of a text that changed while it was read, the one on
        screen is spoken of.

        Raises:
            Replaced: a mark that the page showed was replaced in another window, or a document joined the list.
        """
        self.known.update(own_judgments(self.assignment))
        candidates = [each for each in candidates_of(self.assignment) if each.document.gone_at is None]
        texts = self._texts(candidates)
        self._refuse_replaced(candidates, texts)
        spoken_of = [candidate for candidate in candidates if not self._stays(candidate, texts)]
        self._sweep([candidate for candidate in spoken_of if not self._is_marked(candidate, texts)], texts, now)
        return [self.known[candidate.document_id] for candidate in spoken_of]

    def taken_back(self, *, now: datetime) -> list[Judgment]:
        """Say alone of the rows whose mark was taken back what they are now; the judgments of all candidates there are.

        For a query that was finished and is opened again: what was left unmarked then was spoken of.
        """
        self.known.update(own_judgments(self.assignment))
        candidates = [each for each in candidates_of(self.assignment) if each.document.gone_at is None]
        texts = self._texts(candidates)
        here = {each.pk: self._said(each, texts) for each in candidates}
        self._sweep([each for each in candidates if _is_cleared(here[each.pk])], texts, now)
        return [judgment for judgment in here.values() if judgment is not None]

    @property
    def has_begun(self) -> bool:
        """Whether a mark was begun beside what the assessor said in another pool."""
        return any(judgment.begun for judgment in self.known.values())

    def _refuse_replaced(self, candidates: Collection[Candidate], texts: Mapping[int, str]) -> None:
        if self.ending.shown and not self.ending.shown.keys() >= {each.pk for each in candidates}:
            raise Replaced(JOINED)
        inherited = inherited_grades(self.assignment.pool.query)
        for each in candidates:
            stands = shown_value(self._said(each, texts), inherited_here(each, inherited))
            if self.ending.shown.get(each.pk, stands) != stands:
                raise Replaced(REPLACED)

    def _texts(self, candidates: Collection[Candidate]) -> dict[int, str]:
        """The fingerprint of each document's text: of the one that was on screen, else of the present one."""
        texts = present_texts(candidates)
        shown = {each.document_id: self.ending.seen.get(each.pk, "") for each in candidates}
        changed = {document for document, begins in shown.items() if not texts.get(document, "").startswith(begins)}
        if changed:
            earlier = DocumentText.objects.filter(document__in=changed).order_by("pk").values_list("document", "sha256")
            texts |= {document: sha256 for document, sha256 in earlier if sha256.startswith(shown[document])}
        return texts

    def _said(self, candidate: Candidate, texts: Mapping[int, str]) -> Judgment | None:
        own, present = self.known.get(candidate.document_id), texts.get(candidate.document_id, "")
        return said_here(own, candidate, present=present)

    def _stays(self, candidate: Candidate, texts: Mapping[int, str]) -> bool:
        """Whether the assessor spoke of an earlier text and did not see the present one."""
        earlier = candidate.document_id in self.known and self._said(candidate, texts) is None
        return earlier and not self._on_screen(candidate)

    def _on_screen(self, candidate: Candidate) -> bool:
        return candidate.pk in self.ending.seen

    def _is_marked(self, candidate: Candidate, texts: Mapping[int, str]) -> bool:
        judgment = self._said(candidate, texts)
        return judgment is not None and judgment.is_mark

    def _sweep(self, candidates: list[Candidate], texts: Mapping[int, str], now: datetime) -> None:
        inherited = inherited_grades(self.assignment.pool.query)
        swept = [self._read(candidate, texts) for candidate in candidates]
        told = self._told_by_twins(swept)
        for judgment, candidate in zip(swept, candidates, strict=True):
            self._unmark(judgment, candidate, inherited_here(candidate, inherited), told=told)
            judgment.judged_at = now
        stored = [judgment for judgment in swept if judgment.pk is not None]
        insert([judgment for judgment in swept if judgment.pk is None])
        overwrite(stored, WRITTEN)

    def _read(self, candidate: Candidate, texts: Mapping[int, str]) -> Judgment:
        """What a candidate without a mark is said of: the text on screen, else the one it was left with before."""
        judgment = self._judgment(candidate)
        if self._on_screen(candidate) or not judgment.text_sha256:
            judgment.text_sha256 = texts.get(candidate.document_id, "")
        return judgment

    def _told_by_twins(self, left: Collection[Judgment]) -> Collection[str]:
        """The articles of `left` for which a text twin was graded: one of the same text as they were read with.

        Nothing is said of those: swept, they would be not relevant where their twin is.
        """
        documents = {each.document_id for each in left}
        said = [each for each in self.known.values() if each.document_id not in documents]
        meant = {each.canonical_id for each in said if is_for_twins(each)}
        if not meant:
            return ()
        read = texts_read(self.known.values())
        (twins,) = twins_as_read(self.assignment.pool.query.corpus, [read], articles=meant)
        return spoken_for(said, twins)

    def _judgment(self, candidate: Candidate) -> Judgment:
        return self.known.setdefault(
            candidate.document_id,
            Judgment(
                query_id=self.assignment.pool.query_id,
                document_id=candidate.document_id,
                canonical_id=candidate.canonical_id,
                assessor_id=self.assignment.assessor_id,
                state=State.UNSEEN,
            ),
        )

    def _unmark(
        self, judgment: Judgment, candidate: Candidate, inherited: int | None, *, told: Collection[str]
    ) -> None:
        """Say what a candidate without a mark is; a grade the variant inherited stands unless it was cleared."""
        seen = self._on_screen(candidate) or judgment.was_seen
        keeps = seen and inherited is not None and judgment.state != State.CLEARED
        judgment.candidate, judgment.token = candidate, ""  # a mark that was cleared, or a note alone, marks no more
        on_screen = self.ending.screen_ms.get(candidate.pk)
        judgment.screen_ms = None if on_screen is None else min(on_screen, MOST_MS)
        judgment.grade = inherited if keeps else None
        judgment.state = State.GRADED if keeps else self._state(seen=seen and candidate.canonical_id not in told)

    def _state(self, *, seen: bool) -> State:
        if not seen:
            return State.UNSEEN
        return State.CANT_TELL if self.ending.nothing_because in Assignment.UNDECIDED else State.SWEPT


def _is_cleared(judgment: Judgment | None) -> bool:
    return judgment is not None and judgment.state == State.CLEARED
