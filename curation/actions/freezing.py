"""Freezing: a corpus's counted queries and settled grades become a set version, which nobody edits any more."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime

from django.core.exceptions import ValidationError
from django.core.validators import validate_slug
from django.db import IntegrityError, transaction

from curation.actions.lookups import insert
from curation.actions.many_rows import look_again
from curation.actions.refusal import Refused
from curation.formats.set_form import of_grade, of_member
from curation.models import Corpus, FrozenQrel, FrozenQuery, SetVersion, User
from curation.reports.certificate import certificate_of
from curation.reports.freeze_checks import Checks, freeze_checks
from curation.reports.picture import one_picture
from curation.reports.set_content import Content, content_of, is_intact

MOST_NAME = 60
Tell = Callable[[int, str], None]
Rows = tuple[FrozenQuery, list[FrozenQrel]]
"""A query of the version with its grades, which take its key when it has one."""
STEPS = 3
"""Reading, hashing, writing: what `tell` counts."""


class Blocked(Refused):
    """Something must be put right before the freeze; `checks` say what."""

    def __init__(self, checks: Checks) -> None:
        super().__init__(" ".join(["This cannot be frozen yet.", *(block.words for block in checks.blocks)]))
        self.checks = checks


@dataclass(frozen=True, slots=True)
class Prepared:
    """A version as it would be frozen, with its rows; nothing is written."""

    version: SetVersion
    rows: Sequence[Rows]


def unblocked(*, corpus: Corpus, name: str) -> Checks:
    """What a freeze of `corpus` under `name` must say of it; quick, so that a page asks before it sends a job.

    Raises:
        Blocked: a disagreement is open, a gold is missing, or the partition is broken.
        Refused: the name is no set's, or another corpus's (`gate NAME@n` names none, so a name is given out once).
    """
    _require_name(name)
    _newest(name, corpus.pk)
    checks = freeze_checks(corpus)
    if checks.blocks:
        raise Blocked(checks)
    return checks


def prepare(
    *, corpus: Corpus, name: str, frozen_by: User | None, now: datetime, tell: Tell = lambda _step, _words: None
) -> Prepared:
    """Read, check and hash what `corpus` counts now as the next version of `name`; write nothing.

    All is read at one moment, so that who settles or imports meanwhile is wholly in the version or wholly left out.
    `tell` hears which of the steps begins, and may raise to stop.

    Raises:
        Blocked: as `unblocked`.
        Refused: as `unblocked`; or there is nothing to freeze, or the newest version holds the same.
    """
    tell(0, "reading what counts")
    with one_picture():
        corpus = Corpus.objects.get(pk=corpus.pk)
        checks = unblocked(corpus=corpus, name=name)
        content = content_of(corpus)
        if not content.members:
            raise Refused(f"No query of {corpus.slug} counts yet; judge some before you freeze a set.")
        version = SetVersion(corpus=corpus, name=name, frozen_by=frozen_by, frozen_at=now)
        version.documents = corpus.documents.filter(gone_at=None).count()
        version.certificate = certificate_of(corpus, content, checks)
    tell(1, f"hashing {content.judgments:,} grades")
    version.sha256, version.relevant_from = content.sha256, content.rules.relevant_from
    version.generation = content.generation
    version.traffic, version.plan = dict(content.rules.traffic), [dict(row) for row in content.rules.plan]
    version.number = _number(version)
    rows = list(_rows_of(version, content))
    tell(2, f"writing {content.judgments:,} grades")
    return Prepared(version, rows)


def freeze(*, corpus: Corpus, name: str, frozen_by: User | None, now: datetime) -> SetVersion:
    """Freeze what `corpus` counts now as the next version of `name`.

    Of two people who freeze at once, one wins. Nothing else writes a set version, and nothing edits one.

    Raises:
        Blocked, Refused: as `prepare`; or somebody froze meanwhile.
    """
    prepared = prepare(corpus=corpus, name=name, frozen_by=frozen_by, now=now)
    with one_wins(name), transaction.atomic():
        return store(prepared)


@contextmanager
def one_wins(name: str) -> Iterator[None]:
    """Around the transaction of a `store`.

    Raises:
        Refused: somebody stored a version of that name at the same moment.
    """
    try:
        yield
    except IntegrityError as clash:
        raise Refused(
            f"Somebody else froze a set called {name} at this moment; look at it, then freeze yours."
        ) from clash


def store(prepared: Prepared) -> SetVersion:
    """Write a version with its rows, inside a transaction of the caller's.

    Raises:
        Refused: the same or something newer was frozen meanwhile, or the name went to another corpus.
    """
    version = prepared.version
    Corpus.objects.select_for_update(no_key=True).get(
        pk=version.corpus_id
    )  # of two who freeze it, the second waits here
    version.number = _number(version)
    version.save(force_insert=True)
    _store_rows(version, prepared.rows)
    return version


def _require_name(name: str) -> None:
    try:
        validate_slug(name)
    except ValidationError as fault:
        raise Refused('A set is named in plain letters, digits, "-" and "_", such as hard.') from fault
    if len(name) > MOST_NAME:
        raise Refused(f"The name of a set has at most {MOST_NAME} characters; this has {len(name)}.")


def _newest(name: str, corpus_id: int) -> SetVersion | None:
    """The newest version of that name.

    Raises:
        Refused: it is another corpus's.
    """
    newest = SetVersion.objects.filter(name=name).order_by("-number").first()
    if newest is not None and newest.corpus_id != corpus_id:
        raise Refused(f"The name {name} is taken on this installation: choose another one.")
    return newest


def _number(version: SetVersion) -> int:
    """The number that comes next under the version's name."""
    newest = _newest(version.name, version.corpus_id)
    if newest is None:
        return 1
    if newest.sha256 == version.sha256 and is_intact(newest):
        raise Refused(f"Nothing has changed since: this is the same as {newest}.")
    if newest.frozen_at > version.frozen_at:  # or a newer version would hold older grades
        raise Refused(f"Somebody else froze {newest} meanwhile, of a later moment; look at it, then freeze yours.")
    return newest.number + 1


def _rows_of(version: SetVersion, content: Content) -> Iterator[Rows]:
    for query_id, member in content.members.items():
        row = FrozenQuery(set_version=version, query_id=query_id, **of_member(member))
        yield row, [FrozenQrel(**of_grade(grade)) for grade in member.grades]


def _store_rows(version: SetVersion, rows: Sequence[Rows]) -> None:
    """Queries first, whose keys their grades then take: read back at once, which is faster than row by row."""
    for query, _ in rows:
        query.set_version_id = version.pk
    insert([query for query, _ in rows])
    keys = dict(FrozenQuery.objects.filter(set_version=version).values_list("query_id", "pk"))
    for query, grades in rows:
        for grade in grades:
            grade.query_id = keys[query.query_id]
    insert([grade for _, grades in rows for grade in grades])
    look_again(len(rows), FrozenQuery, FrozenQrel)
