"""Freezing: a corpus's counted queries and settled grades become a set version, which nobody edits any more."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import datetime

from django.core.exceptions import ValidationError
from django.core.validators import validate_slug
from django.db import IntegrityError, transaction

from curation.actions.refusal import Refused
from curation.formats.set_form import FrozenMember
from curation.models import Corpus, FrozenQrel, FrozenQuery, SetVersion, User
from curation.reports.certificate import certificate_of
from curation.reports.freeze_checks import Checks, freeze_checks
from curation.reports.set_content import Content, Standing, content_of, is_intact, standing_of

MOST_NAME = 60
BATCH = 500


class Blocked(Refused):
    """Something must be put right before the freeze; `checks` say what."""

    def __init__(self, checks: Checks) -> None:
        super().__init__(" ".join(["This cannot be frozen yet.", *(block.words for block in checks.blocks)]))
        self.checks = checks


@dataclass(frozen=True, slots=True)
class Prepared:
    """A version as it would be frozen, with nothing written; `standing` is what must not move meanwhile."""

    version: SetVersion
    content: Content
    standing: Standing


def prepare(*, corpus: Corpus, name: str, frozen_by: User | None, now: datetime) -> Prepared:
    """Read, check and hash what `corpus` counts now as the next version of `name`; write nothing.

    Raises:
        Blocked: a disagreement is open, a gold is missing, or the partition is broken.
        Refused: the name is no set's or another corpus's, there is nothing to freeze, or the newest version holds the
            same.
    """
    _require_name(name)
    standing = standing_of(corpus)
    checks = freeze_checks(corpus)
    if checks.blocks:
        raise Blocked(checks)
    content = content_of(corpus)
    if not content.members:
        raise Refused(f"No query of {corpus.slug} counts yet; judge some before you freeze a set.")
    version = SetVersion(corpus=corpus, name=name, frozen_by=frozen_by, frozen_at=now)
    version.sha256, version.relevant_from = content.sha256, content.rules.relevant_from
    version.generation, version.documents = content.generation, standing.documents - standing.gone
    version.traffic, version.plan = dict(content.rules.traffic), [dict(row) for row in content.rules.plan]
    version.number = _number(version)
    version.certificate = certificate_of(corpus, content, checks)
    return Prepared(version, content, standing)


def freeze(*, corpus: Corpus, name: str, frozen_by: User | None, now: datetime) -> SetVersion:
    """Freeze what `corpus` counts now as the next version of `name`.

    All is read and hashed first; the rows are written in one short transaction, which looks whether anything moved
    meanwhile. Of two people who freeze at once, one wins. Nothing else writes a set version, and nothing edits one.

    Raises:
        Blocked, Refused: as `prepare`; or somebody settled, edited, imported or froze meanwhile.
    """
    prepared = prepare(corpus=corpus, name=name, frozen_by=frozen_by, now=now)
    try:
        with transaction.atomic():
            return _store(prepared)
    except IntegrityError as clash:
        raise Refused(
            f"Somebody else froze a set called {name} at this moment; look at it, then freeze yours."
        ) from clash


def _require_name(name: str) -> None:
    try:
        validate_slug(name)
    except ValidationError as fault:
        raise Refused('A set is named in plain letters, digits, "-" and "_", such as hard.') from fault
    if len(name) > MOST_NAME:
        raise Refused(f"The name of a set has at most {MOST_NAME} characters; this has {len(name)}.")


def _store(prepared: Prepared) -> SetVersion:
    version = prepared.version
    corpus = Corpus.objects.select_for_update().get(pk=version.corpus_id)
    version.number = _number(version)
    if standing_of(corpus) != prepared.standing or corpus.relevant_from != version.relevant_from:
        raise Refused("The corpus moved while it was being frozen: somebody settled, edited or imported; freeze again.")
    version.save(force_insert=True)
    _store_members(version, prepared.content)
    return version


def _number(version: SetVersion) -> int:
    """The number that comes next under the version's name."""
    newest = SetVersion.objects.filter(name=version.name).order_by("-number").first()
    if newest is None:
        return 1
    if newest.corpus_id != version.corpus_id:
        raise Refused(f"{version.name} is the name of another corpus's set; choose another name.")
    if newest.sha256 == version.sha256 and is_intact(newest):
        raise Refused(f"Nothing has changed since: this is the same as {newest}.")
    return newest.number + 1


def _store_members(version: SetVersion, content: Content) -> None:
    rows = [_row(version, query_id, member) for query_id, member in content.members.items()]
    FrozenQuery.objects.bulk_create(rows, batch_size=BATCH)
    grades = zip(rows, content.members.values(), strict=True)
    FrozenQrel.objects.bulk_create(
        (FrozenQrel(query=row, **asdict(grade)) for row, member in grades for grade in member.grades),
        batch_size=BATCH,
    )


def _row(version: SetVersion, query_id: int, member: FrozenMember) -> FrozenQuery:
    told = {name: value for name, value in asdict(member).items() if name != "grades"}
    return FrozenQuery(set_version=version, query_id=query_id, **told)
