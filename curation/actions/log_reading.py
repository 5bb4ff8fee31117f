"""The classes of log lines: read after the import, so that the mix of a log is one GROUP BY however long it is.

A guess at the language needs a model that takes seconds to load, so lines are read in a job or a command, never while
a page waits. Lines that were imported before there were classes are found by the sweep like any others.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import Exists, OuterRef, QuerySet

from curation.actions import jobs
from curation.actions.families.short_keyword import hinter
from curation.actions.holds import Held
from curation.actions.lookups import MOST_VALUES
from curation.actions.writing import Guard, one_write
from curation.miners.progress import Progress, silent
from curation.models import Corpus, Job, LogQuery
from curation.reports.due import TRY_AGAIN
from curation.reports.review_evidence import corpus_locales
from curation.retrieval.locales import UNDETERMINED
from curation.retrieval.query_types import query_type
from curation.retrieval.scripts import script_class
from curation.retrieval.tokens import words

KIND = "read_log"


class Classes(NamedTuple):
    """What is read of a line: the columns of `LogQuery` by their names."""

    language: str
    script: str
    query_type: str
    words: int


def read_lines(*, corpus: Corpus, progress: Progress = silent, guard: Guard | None = None) -> int:
    """Read every line of the corpus's log that was not read yet; how many. Interrupted, it goes on where it stopped."""
    unread = unread_lines(corpus)
    total = unread.count()
    if not total:
        return 0
    classes = reader(hinter(corpus_locales(corpus)))
    done = 0
    while page := list(unread.order_by("pk").values_list("pk", "text", "locale")[:MOST_VALUES]):
        alike: defaultdict[Classes, list[int]] = defaultdict(list)
        for pk, text, locale in page:
            alike[classes(text, locale)].append(pk)
        with one_write(guard):
            for found, those in alike.items():
                LogQuery.objects.filter(pk__in=those).update(**found._asdict())
        done += len(page)
        progress(done, max(done, total))
    return done


def reader(hint: Callable[[str], str]) -> Callable[[str, str], Classes]:
    """A function from a text and its stated locale ("" where there is none) to its classes; `hint` guesses its locale.

    A log repeats itself: each text is read once.
    """
    known: dict[tuple[str, str], Classes] = {}

    def classes(text: str, locale: str) -> Classes:
        if (text, locale) not in known:
            language = hint(text)
            own = locale or language or UNDETERMINED
            known[text, locale] = Classes(
                language, script_class(text, own), query_type(text, own), len(words(text, own))
            )
        return known[text, locale]

    return classes


def unread_lines(corpus: Corpus) -> QuerySet[LogQuery]:
    """The lines whose classes are not known yet."""
    return LogQuery.objects.filter(corpus=corpus, words__isnull=True)


def forget(*, corpus: Corpus) -> int:
    """Have the whole log read again, as when a locale has joined the corpus; how many lines."""
    return LogQuery.objects.filter(corpus=corpus, words__isnull=False).update(words=None)


def ask_where_due(*, now: datetime) -> list[Job]:
    """A job for each corpus with lines to read; one that failed is tried again after an hour."""
    waiting = Corpus.objects.filter(Exists(LogQuery.objects.filter(corpus=OuterRef("pk"), words__isnull=True)))
    return [_ask(corpus, now) for corpus in waiting if not _failed_lately(corpus, now)]


def read(held: Held) -> dict[str, Any]:
    """Read the log of the job's corpus."""
    return {"lines": read_lines(corpus=held.corpus, progress=held.counting("log lines read"), guard=held.writing)}


def _ask(corpus: Corpus, now: datetime) -> Job:
    key = f"{KIND}:{corpus.pk}"
    return jobs.ask(kind=KIND, unique_key=key, params={}, corpus=corpus, asked_by=None, now=now)


def _failed_lately(corpus: Corpus, now: datetime) -> bool:
    tried = corpus.jobs.filter(kind=KIND).order_by("pk").last()
    return bool(tried and tried.state == Job.State.FAILED and tried.created_at > now - TRY_AGAIN)
