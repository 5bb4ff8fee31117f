"""Taking queries out of the counts; what was judged about them stays."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from curation.actions.refusal import Refused
from curation.models import Query, User
from curation.reports.moments import moment_in_words
from curation.reports.sent_back import TAKEN_BACK
from curation.reports.sentences import ended


@transaction.atomic
def retire_query(*, query: Query, reason: str, by: User, now: datetime) -> Query:
    """Retire a query with a reason, and return it; one that is retired already keeps its first reason.

    Raises:
        Refused: the reason is empty.
    """
    if not reason.strip():
        raise Refused("A query is retired with a reason. Say in a few words why.")
    held = Query.objects.select_for_update(of=("self",), no_key=True).select_related("stratum").get(pk=query.pk)
    return held if held.status == Query.Status.RETIRED else _retire(held, reason.strip(), by=by, now=now)


@transaction.atomic
def take_back(*, query: Query, by: User, now: datetime) -> Query:
    """Let the writer of a query undo it, and their other spellings of it, while nobody has judged any of them.

    Done again, it changes nothing.

    Raises:
        Refused: the query is somebody else's, or it or a spelling of it is judged.
    """
    held = Query.objects.select_for_update(of=("self",), no_key=True).select_related("stratum").get(pk=query.pk)
    if held.author_id != by.pk:
        raise Refused("Someone else wrote this query; a lead can retire it with a reason.")
    if held.status == Query.Status.RETIRED:
        return held
    theirs = (
        held.variants.select_for_update(of=("self",), no_key=True)
        .filter(author=by)
        .exclude(status=Query.Status.RETIRED)
    )
    for each in (held, *theirs):
        if each.status == Query.Status.JUDGED:
            named = "This query" if each == held else f"Its spelling “{each.text}”"
            raise Refused(f"{named} is judged and counts already; a lead can retire it with a reason.")
        _retire(each, TAKEN_BACK, by=by, now=now)
    return held


def withdrawn_in_words(query: Query, *, now: datetime) -> str:
    """That a retired query is withdrawn, when and by whom where that is known, and why."""
    at, by = query.metadata.get("retired_at"), query.metadata.get("retired_by")
    when = f" {moment_in_words(datetime.fromisoformat(at), corpus=query.corpus, now=now)}" if at else ""
    who = f" by {User.objects.filter(username=by).first() or by}" if by else ""
    return ended(f"Query {query.external_id} was withdrawn{when}{who}: {query.retired_reason}")


def _retire(query: Query, reason: str, *, by: User, now: datetime) -> Query:
    query.status, query.retired_reason = Query.Status.RETIRED, reason
    query.metadata = {**query.metadata, "retired_by": by.username, "retired_at": now.isoformat()}
    query.save(update_fields=["status", "retired_reason", "metadata"])
    return query
