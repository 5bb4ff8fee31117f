"""Corpora: made by their first import, filled by every one."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import validate_slug

from curation.actions.documents import (
    DocumentPlan,
    find_gone,
    known_ids,
    moved_articles,
    plan_documents,
    write_documents,
)
from curation.actions.measuring import rank_moved_golds
from curation.actions.qrels import hold, settle_golds_again
from curation.actions.receipts import Intake, Ledger, Receipt
from curation.actions.refusal import Refused
from curation.actions.traffic import Statement, checked_shares, state_traffic
from curation.actions.writing import one_write
from curation.formats.documents import read_documents
from curation.formats.ids import IdForms
from curation.models import Corpus, TargetIndex, TrafficReading
from curation.reports.schedule import quarters_after
from curation.reports.traffic import traffic_shares

MOST_SLUG = 60
NAMED = 5


@dataclass(frozen=True, slots=True)
class CorpusAsked:
    """Which corpus a file goes into, and what else is asked of it.

    A `whole` file holds every document, so that those it lacks are gone. `traffic` gives shares by locale that sum to
    1. `vectors_of` are the ids of vectors brought along: the corpus must then hold exactly these documents.
    """

    slug: str
    name: str = ""
    whole: bool = False
    traffic: Mapping[str, float] = field(default_factory=dict)
    vectors_of: Collection[str] | None = None


def import_corpus(*, asked: CorpusAsked, intake: Intake, now: datetime) -> Receipt:
    """Import documents; the corpus is made where it is new.

    Raises:
        Refused: the corpus, its traffic or its vectors cannot be as asked; nothing is stored.
    """
    if asked.whole and intake.reading.where:
        raise Refused("A file cut by --where cannot be the whole corpus; leave out one of the two.")
    shares = checked_shares(asked.traffic) if asked.traffic else {}
    corpus = Corpus.objects.filter(slug=asked.slug).first()
    ledger = Ledger(intake)
    forms = IdForms(known_ids(corpus))
    rows = ledger.rows(read_documents(intake.path, intake.reading, ids=forms))
    plan = plan_documents(corpus, rows, ledger)
    if asked.whole and corpus is not None:
        find_gone(corpus, plan, ledger)
    if asked.vectors_of is not None:
        _require_vectors(corpus, plan, set(asked.vectors_of))
    if ledger.stores:
        with ledger.writing():
            corpus = corpus or create_corpus(slug=asked.slug, name=asked.name, today=now.date())
            moved = moved_articles(plan)
            write_documents(corpus, plan, now=now, progress=intake.progress)
            _set_traffic(corpus, shares, now)
            if moved:
                hold(corpus=corpus)
            if plan.gone:
                settle_golds_again(corpus=corpus, now=now)
            rank_moved_golds(corpus=corpus, articles=moved)
    return ledger.receipt()


def create_corpus(*, slug: str, name: str = "", today: date) -> Corpus:
    """A new corpus with its exact index in production, to be mined again a quarter from today.

    Its times are those of the installation's zone until a lead sets another.

    Raises:
        Refused: the slug cannot be part of an address, or is taken.
    """
    try:
        validate_slug(slug)
    except ValidationError as fault:
        raise Refused(f'"{slug}" cannot be part of an address; use letters, digits, - and _.') from fault
    if len(slug) > MOST_SLUG:
        raise Refused(f"The short name of a corpus has at most {MOST_SLUG} characters; this has {len(slug)}.")
    if Corpus.objects.filter(slug=slug).exists():
        raise Refused(f"There is a corpus {slug} already.")
    with one_write():
        name = name or slug.replace("-", " ").replace("_", " ").capitalize()
        corpus = Corpus.objects.create(slug=slug, name=name, time_zone=settings.TIME_ZONE)
        TargetIndex.objects.create(
            corpus=corpus,
            name="exact",
            kind=TargetIndex.Kind.EXACT,
            is_production=True,
            remine_anchor=today,
            remine_due_on=quarters_after(today, 1),
        )
    return corpus


def _set_traffic(corpus: Corpus, shares: Mapping[str, float], now: datetime) -> None:
    """The shares given are stated as of today, unless the reading in use says the same already."""
    if shares and shares != traffic_shares(corpus):
        statement = Statement(shares, TrafficReading.Source.FILE, "Imported with the documents")
        state_traffic(corpus=corpus, statement=statement, now=now)


def _require_vectors(corpus: Corpus | None, plan: DocumentPlan, named: set[str]) -> None:
    here = set(corpus.documents.filter(gone_at=None).values_list("external_id", flat=True)) if corpus else set()
    gone = {document.external_id for document in plan.gone}
    documents = (here | plan.created.keys() | plan.described.keys() | plan.retold.keys()) - gone
    without, strange = sorted(documents - named), sorted(named - documents)
    if without:
        raise Refused(f"{_counted(without)} no vector in the file; a space needs one for each document of the corpus.")
    if strange:
        raise Refused(f"The vectors name {_counted(strange, found=False)} the corpus does not hold.")


def _counted(names: list[str], *, found: bool = True) -> str:
    listed = ", ".join(names[:NAMED]) + (f" and {len(names) - NAMED:,} more" if len(names) > NAMED else "")
    if not found:
        return f"{len(names):,} document{'s' if len(names) > 1 else ''} ({listed}) that"
    return f"1 document ({listed}) has" if len(names) == 1 else f"{len(names):,} documents ({listed}) have"
