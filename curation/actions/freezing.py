"""Freezing: a corpus's counted queries and settled grades become a set version, which nobody edits any more."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime

from django.core.exceptions import ValidationError
from django.core.validators import validate_slug
from django.db import IntegrityError, transaction

from curation.actions.refusal import Refused
from curation.formats.set_form import FrozenMember
from curation.models import Corpus, FrozenQrel, FrozenQuery, SetVersion, User
from curation.reports.set_content import Content, Standing, content_of, standing_of

MOST_NAME = 60
BATCH = 500


def freeze(*, corpus: Corpus, name: str, frozen_by: User | None, now: datetime) -> SetVersion:
    """Freeze what `corpus` counts now as the next version of `name`.

    All is read and hashed first; the rows are written in one short transaction, which looks whether anything moved
    meanwhile. Of two people who freeze at once, one wins.

    Raises:
        Refused: the name is no set's or another corpus's, there is nothing to freeze, the newest version holds the
            same, or somebody settled, edited or imported meanwhile.
    """
    _require_name(name)
    standing = standing_of(corpus)
    content = content_of(corpus)
    if not content.members:
        raise Refused(f"No query of {corpus.slug} counts yet; judge some before you freeze a set.")
    version = SetVersion(corpus=corpus, name=name, frozen_by=frozen_by, frozen_at=now)
    try:
        with transaction.atomic():
            return _store(version, content, standing)
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


def _store(version: SetVersion, content: Content, standing: Standing) -> SetVersion:
    corpus = Corpus.objects.select_for_update().get(pk=version.corpus_id)
    newest = SetVersion.objects.filter(name=version.name).select_related("corpus").order_by("-number").first()
    _refuse_taken(version, content, newest)
    if standing_of(corpus) != standing or corpus.relevant_from != content.rules.relevant_from:
        raise Refused("The corpus moved while it was being frozen: somebody settled, edited or imported; freeze again.")
    version.number = newest.number + 1 if newest else 1
    version.sha256, version.relevant_from = content.sha256, corpus.relevant_from
    version.generation, version.documents = content.generation, standing.documents - standing.gone
    version.traffic, version.plan = dict(content.rules.traffic), [dict(row) for row in content.rules.plan]
    version.save(force_insert=True)
    _store_members(version, content)
    return version


def _refuse_taken(version: SetVersion, content: Content, newest: SetVersion | None) -> None:
    if newest is None:
        return
    if newest.corpus_id != version.corpus_id:
        raise Refused(f"{version.name} is the name of another corpus's set; choose another name.")
    if newest.sha256 == content.sha256:
        raise Refused(f"Nothing has changed since: this is the same as {newest}.")


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
