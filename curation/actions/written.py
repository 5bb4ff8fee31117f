"""Queries as their writers save them, with the spellings they chose."""

from __future__ import annotations

import secrets

from django.db import IntegrityError, transaction

from curation.actions.drafts import drop_draft
from curation.actions.readings import store_reading
from curation.actions.refusal import Refused
from curation.actions.variants import store_variants
from curation.models import Corpus, Query, User
from curation.reports.checks import Reading, Typed, WordingRefused, read, rival_of, same_need, same_text, twin_of
from curation.reports.variants import Original, to_store


def new_token() -> str:
    """A token for one form, so that its copies make one query."""
    return secrets.token_urlsafe(24)


def write_query(*, corpus: Corpus, typed: Typed, author: User, token: str) -> Query:
    """Save a typed wording and its chosen spellings as READY queries; the wording.

    Every copy of a form (the same `token`) gets the same one. Where one of the texts cannot be stored, none is.

    Raises:
        WordingRefused: a text cannot be a query, it has a twin, or its need is worded in that stratum already.
        Refused: the token saved another text, or somebody else's.
    """
    reading = read(corpus, typed)
    try:
        return _write(corpus, typed, reading, author=author, token=token)
    except (IntegrityError, WordingRefused):  # someone came first: another copy of this form, or a colleague
        if saved_by(token, reading, author) is None:
            refuse_second(corpus, typed, reading)
            to_store(corpus, Original(reading.text, reading.place, typed.need), typed.respelt)
            raise
        return _write(corpus, typed, reading, author=author, token=token)


def saved_by(token: str, reading: Reading, author: User) -> Query | None:
    """The query this form has saved already, None where it has not.

    Raises:
        Refused: it saved something else.
    """
    saved = Query.objects.select_related("stratum").filter(form_token=token).first()
    if saved is None:
        return None
    if (saved.author_id, saved.text) != (author.pk, reading.text) or saved.status == Query.Status.RETIRED:
        raise Refused("This page has saved a query already. Save again to store this text as another one.")
    return saved


def refuse_second(corpus: Corpus, typed: Typed, reading: Reading) -> None:
    """Refuse what is there already, naming it.

    Raises:
        WordingRefused: the text has a twin, or the need a wording in this stratum.
    """
    if twin := twin_of(corpus, reading):
        raise WordingRefused(same_text(twin))
    if rival := rival_of(corpus, typed.need, reading.place):
        raise WordingRefused(same_need(rival))


@transaction.atomic
def _write(corpus: Corpus, typed: Typed, reading: Reading, *, author: User, token: str) -> Query:
    saved = saved_by(token, reading, author)
    query = saved or _store(corpus, typed, reading, author=author, token=token)
    store_variants(original=query, respelt=typed.respelt, author=author)
    drop_draft(typed=typed, user=author)
    return query


def _store(corpus: Corpus, typed: Typed, reading: Reading, *, author: User, token: str) -> Query:
    refuse_second(corpus, typed, reading)
    chosen = [each.key for each in typed.respelt if each.wanted]
    query = Query(
        corpus=corpus,
        need=typed.need,
        original_text=typed.text,
        asked_corpus_language=typed.asked,
        origin=Query.Origin.WRITTEN,
        author=author,
        form_token=token,
    )
    noted = {"spellings": chosen, "seconds": typed.seconds}
    return store_reading(reading, query, noted={name: value for name, value in noted.items() if value})
