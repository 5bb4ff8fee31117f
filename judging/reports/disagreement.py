"""One disagreement in full: the text that was judged, and each opinion with how it came about."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from curation.models import DocumentText, Query, User
from judging.models import Assignment, Candidate, Judgment
from judging.reports.disagreements import Disagreement, Voice
from judging.reports.disputes import Opinion
from judging.reports.findings import Finder, texts_of
from judging.reports.groups import near_duplicates
from judging.reports.pool_page import shown_order
from judging.reports.pool_rows import Known, Row, row_of
from judging.reports.rereading import reread

GLANCE = 2000  # milliseconds on screen; a passage takes longer to read
LATE = 2 / 3  # of a list; what stands behind it is likelier to be missed


@dataclass(frozen=True, slots=True)
class Account:
    """An opinion with how it came about.

    `place` (from 1) of `listed` is where the document stood in the judge's own list; `seconds` is the active time at
    which they marked it, of a swept one the time they took for the whole list. None where that is not known.
    """

    voice: Voice
    is_own: bool
    place: int | None = None
    listed: int = 0
    blind: bool = False
    seconds: int | None = None

    @property
    def screen_ms(self) -> int | None:
        """How long an unmarked document was on screen, None where that is not known."""
        return self.voice.opinion.judgment.screen_ms if self.voice.opinion.swept else None

    @property
    def is_glance(self) -> bool:
        """Whether an unmarked document was on screen too briefly to be read."""
        return self.screen_ms is not None and self.screen_ms < GLANCE

    @property
    def is_late(self) -> bool:
        """Whether it stood near the end of the list."""
        return self.place is not None and self.place > self.listed * LATE


@dataclass(frozen=True, slots=True)
class Past:
    """What the judges of one answer did: their finished assignments by (pool, judge), and every mark they made."""

    assignments: Mapping[tuple[int, int], Assignment]
    marks: Sequence[Judgment]

    def assignment_of(self, opinion: Opinion) -> Assignment | None:
        """The assignment that an opinion comes from; an imported one has none."""
        candidate = opinion.judgment.candidate
        return self.assignments.get((candidate.pool_id, opinion.assessor_id)) if candidate else None

    def seconds_until(self, opinion: Opinion) -> int:
        """The active seconds that had passed on the query when the judge marked it so."""
        own = (mark for mark in self.marks if mark.assessor_id == opinion.assessor_id)
        return sum(mark.seconds_active for mark in own if mark.judged_at <= opinion.mark.judged_at)


@dataclass(frozen=True, slots=True)
class Judged:
    """A document that was judged, in the version that the judge saw.

    Where its text moved on, the row tells what changed, and `present` is the document in its present text. A decision
    is stored for the present text of the one document that `takes_grade`.
    """

    row: Row
    takes_grade: bool
    present: Row | None = None


@dataclass(frozen=True, slots=True)
class Detail:
    """What a lead reads before deciding. `missed` is who probably missed the document while scanning.

    `is_author` tells that the reader wrote the query, or the wording that it is a variant of.
    """

    disagreement: Disagreement
    documents: tuple[Judged, ...]
    accounts: tuple[Account, ...]
    is_author: bool

    @property
    def missed(self) -> Account | None:
        """Who left unmarked, after a glance or near the end of their list, what somebody else found relevant."""
        if not self.disagreement.splits:
            return None
        return next(
            (each for each in self.accounts if each.voice.opinion.swept and (each.is_glance or each.is_late)), None
        )

    @property
    def has_own(self) -> bool:
        """Whether the reader is one of the judges."""
        return any(account.is_own for account in self.accounts)


def detail(disagreement: Disagreement, *, reader: User) -> Detail:
    """The whole of one disagreement as `reader` sees it: no names, but which opinion is their own."""
    opinions = [voice.opinion for voice in disagreement.voices]
    past = Past(_assignments(opinions), _marks(disagreement, opinions))
    accounts = tuple(
        _account(voice, past, is_own=voice.opinion.assessor_id == reader.pk) for voice in disagreement.voices
    )
    documents = tuple(_documents(disagreement, opinions))
    return Detail(disagreement, documents, accounts, is_author=disagreement.query.is_by(reader.pk))


def _assignments(opinions: Sequence[Opinion]) -> dict[tuple[int, int], Assignment]:
    """The finished assignments that the opinions come from, by pool and judge."""
    pools = {opinion.judgment.candidate.pool_id for opinion in opinions if opinion.judgment.candidate}
    judges = {opinion.assessor_id for opinion in opinions}
    found = Assignment.objects.filter(pool__in=pools, assessor__in=judges, finished_at__isnull=False)
    return {(each.pool_id, each.assessor_id): each for each in found.select_related("pool").order_by("finished_at")}


def _marks(disagreement: Disagreement, opinions: Sequence[Opinion]) -> list[Judgment]:
    """Every mark of these judges on the query, in the order they were made."""
    judges = [opinion.assessor_id for opinion in opinions]
    told = Judgment.objects.filter(query=disagreement.query, assessor__in=judges).order_by("judged_at", "pk")
    return [judgment for judgment in told if judgment.is_mark]


def _account(voice: Voice, past: Past, *, is_own: bool) -> Account:
    opinion = voice.opinion
    assignment = past.assignment_of(opinion)
    if assignment is None:
        return Account(voice, is_own)
    order = [candidate.pk for candidate in shown_order(assignment)]
    key = opinion.judgment.candidate_id
    return Account(
        voice,
        is_own,
        place=order.index(key) + 1 if key in order else None,
        listed=len(order),
        blind=assignment.blind,
        seconds=(assignment.seconds_active if opinion.swept else past.seconds_until(opinion)) or None,
    )


def _documents(disagreement: Disagreement, opinions: Sequence[Opinion]) -> Iterable[Judged]:
    """The documents that opinions are about, the one graded highest first: mostly there is one."""
    firsts: dict[int, Judgment] = {}
    for opinion in sorted(opinions, key=lambda each: (-each.grade, each.assessor_id)):
        firsts.setdefault(opinion.document_id, opinion.judgment)
    texts = list(DocumentText.objects.filter(document__in=firsts).order_by("current", "pk"))
    desk = _desk(disagreement.query, {judgment.canonical_id for judgment in firsts.values()})
    for place, judgment in enumerate(firsts.values()):
        own = [text for text in texts if text.document_id == judgment.document_id]
        seen = next((text for text in own if text.sha256 == judgment.text_sha256), own[-1] if own else None)
        row, present = desk.row(judgment, seen), next((text for text in own if text.current), None)
        if seen is None or seen.current or present is None:
            yield Judged(row, takes_grade=not place)
        else:
            now = desk.row(judgment, present)
            yield Judged(replace(row, reread=reread(seen, present, "")), takes_grade=not place, present=now)


@dataclass(frozen=True, slots=True)
class Desk:
    """What a document is shown with: what its query finds, and the near-duplicates of its article with their texts."""

    finder: Finder
    near: Mapping[str, Sequence[Candidate]]
    texts: Mapping[int, DocumentText]

    def row(self, judgment: Judgment, text: DocumentText | None) -> Row:
        """The document with one of its texts, as the judging page shows a candidate."""
        shown = Candidate(document=judgment.document, canonical_id=judgment.canonical_id)
        own = {judgment.document_id: text} if text else {}
        known = Known({**self.texts, **own}, {}, {}, {}, {})
        return row_of([shown, *self.near.get(judgment.canonical_id, ())], known, self.finder)


def _desk(query: Query, articles: Collection[str]) -> Desk:
    near = near_duplicates(query, articles)
    return Desk(Finder(query), near, texts_of([each for found in near.values() for each in found]))
