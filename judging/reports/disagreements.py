"""The disagreements of a corpus in the order in which a lead settles them, and how far the lead is today."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from string import ascii_uppercase

from django.db.models import Count, QuerySet

from curation.formats.records import JsonValue
from curation.models import Corpus, OpenDispute, Query, User
from curation.reports.moments import moment_in_words
from curation.reports.moves import left_at, waiting_disputes
from curation.reports.navigation import Visit
from curation.reports.schedule import day_start
from judging.models import Adjudication
from judging.reports.disputes import Opinion, opinions_in_dispute

MOST_LEFT = 20  # whose documents left the corpus; nobody has to act on them


@dataclass(frozen=True, slots=True)
class Voice:
    """An opinion under a name that does not tell whose it is: "Judge A"."""

    name: str
    opinion: Opinion

    def as_json(self) -> dict[str, JsonValue]:
        """What it says, without whose it is; `twin_of` is the text twin that was graded, "" for the answer itself."""
        said = self.opinion
        twin = said.on_twin.canonical_id if said.on_twin else ""
        how: dict[str, JsonValue] = {"swept": said.swept, "imported": said.is_imported, "twin_of": twin}
        return {"judge": self.name, "grade": said.grade, **how}


@dataclass(frozen=True, slots=True)
class Disagreement:
    """One open dispute with what each judge said; `splits` tells that they land on different sides of relevant."""

    dispute: OpenDispute
    voices: tuple[Voice, ...]
    splits: bool

    @property
    def query(self) -> Query:
        """The query in dispute."""
        return self.dispute.query

    def as_json(self) -> dict[str, JsonValue]:
        """The disagreement for a program."""
        stratum = self.query.stratum
        return {
            "query_id": self.query.external_id,
            "text": self.query.text,
            "query_language": stratum.query_language,
            "corpus_language": stratum.corpus_language,
            "canonical_id": self.dispute.canonical_id,
            "splits": self.splits,
            "opened_at": self.dispute.opened_at.isoformat(),
            "opinions": [voice.as_json() for voice in self.voices],
        }


@dataclass(frozen=True, slots=True)
class Departed:
    """A query on which opinions differ about a document that left the corpus, and a sentence that says so."""

    query: Query
    words: str


@dataclass(frozen=True, slots=True)
class Tally:
    """How many answers are in dispute, and of how many queries."""

    answers: int
    queries: int


def open_in(corpus: Corpus, *, locales: Collection[str] | None = None) -> QuerySet[OpenDispute]:
    """The disputes that wait for a lead (of `locales`; None for all), each of which blocks a freeze.

    Those of withdrawn queries wait no more, nor do those on documents that left the corpus.
    """
    return _of(waiting_disputes(corpus), locales)


def _of(disputes: QuerySet[OpenDispute], locales: Collection[str] | None) -> QuerySet[OpenDispute]:
    return disputes if locales is None else disputes.filter(query__stratum__query_language__in=locales)


def departed(corpus: Corpus, *, locales: Collection[str] | None = None, now: datetime) -> list[Departed]:
    """The disputes on documents that left the corpus, those that left last first: the first `MOST_LEFT`."""
    own = OpenDispute.objects.filter(query__corpus=corpus).exclude(query__status=Query.Status.RETIRED)
    gone = own.annotate(left_at=left_at()).exclude(left_at=None).order_by("-left_at", "query", "canonical_id")
    listed = _of(gone, locales).select_related("query__stratum")
    return [Departed(each.query, left_in_words(each, corpus=corpus, now=now)) for each in listed[:MOST_LEFT]]


def left_in_words(dispute: OpenDispute, *, corpus: Corpus, now: datetime) -> str:
    """That the document of a dispute annotated with `left_at` left the corpus, and when; "" while it stands."""
    at: datetime | None = getattr(dispute, "left_at", None)
    if at is None:
        return ""
    when = moment_in_words(at, corpus=corpus, now=now)
    return (
        f"Document {dispute.canonical_id} left the corpus {when}, so nothing is to settle. What was marked is kept, "
        "and the disagreement is open again when the document comes back."
    )


def open_for(visit: Visit) -> QuerySet[OpenDispute]:
    """What the menu counts beside Disagreements: those that the person may settle."""
    return open_in(visit.corpus, locales=visit.led)


def disagreements(
    corpus: Corpus, *, later: Sequence[int] = (), locales: Collection[str] | None = None
) -> list[Disagreement]:
    """The open ones: first where opinions land on different sides of relevant, then the other grades, oldest first.

    Those whose keys are in `later` come last, in that order. The number of database queries does not grow with them.
    """
    disputes = open_in(corpus, locales=locales).select_related(
        "query__stratum", "query__need", "query__corpus", "query__variant_of"
    )
    told = opinions_in_dispute(corpus)
    found = [_disagreement(each, told.get((each.query_id, each.canonical_id), [])) for each in disputes]
    last = {key: place for place, key in enumerate(later, 1)}
    return sorted(
        found,
        key=lambda one: (last.get(one.dispute.pk, 0), not one.splits, *_age(one.dispute)),
    )


def _age(dispute: OpenDispute) -> tuple[datetime, int, str]:
    """What the oldest come first by; of those of one moment each has its place too, settled and opened again or not."""
    return dispute.opened_at, dispute.query_id, dispute.canonical_id


def _disagreement(dispute: OpenDispute, opinions: Sequence[Opinion]) -> Disagreement:
    relevant_from = dispute.query.corpus.relevant_from
    sides = {opinion.grade >= relevant_from for opinion in opinions}
    return Disagreement(dispute, _voices(dispute, opinions), splits=len(sides) > 1)


def _voices(dispute: OpenDispute, opinions: Sequence[Opinion]) -> tuple[Voice, ...]:
    """Letters are dealt anew for each document, so that the names told of one settled do not tell those of the next."""
    dealt = sorted(
        opinions,
        key=lambda each: sha256(f"{dispute.query_id}:{dispute.canonical_id}:{each.assessor_id}".encode()).digest(),
    )
    return tuple(Voice(f"Judge {_letter(place)}", opinion) for place, opinion in enumerate(dealt))


def _letter(place: int) -> str:
    return ascii_uppercase[place] if place < len(ascii_uppercase) else str(place + 1)


def tally(corpus: Corpus, *, locales: Collection[str] | None = None) -> Tally:
    """What waits for a lead of `locales` (None: of all); one query."""
    return Tally(
        **open_in(corpus, locales=locales).aggregate(answers=Count("pk"), queries=Count("query", distinct=True))
    )


def settled_today(corpus: Corpus, *, now: datetime) -> int:
    """Decisions since midnight where the corpus is at home that stand."""
    return Adjudication.objects.filter(
        query__corpus=corpus, undone_at=None, decided_at__gte=day_start(corpus, now)
    ).count()


def last_decision(corpus: Corpus, lead: User) -> Adjudication | None:
    """What `lead` decided last and can take back."""
    own = Adjudication.objects.filter(query__corpus=corpus, decided_by=lead, undone_at=None)
    return (
        own.exclude(query__status=Query.Status.RETIRED).select_related("query").order_by("-decided_at", "-pk").first()
    )
