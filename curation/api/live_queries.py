"""The endpoint that takes in live queries."""

from __future__ import annotations

from dataclasses import asdict

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from ninja import Router

from curation.actions.live_queries import take
from curation.api import shapes
from curation.api.answers import Detail, Plain, Words, answer, problem
from curation.api.bodies import Body
from curation.api.doors import TokenDoor, entered
from curation.api.indexes import index_of
from curation.formats.live_queries import LiveQueryRefused, LiveText, read_object
from curation.models import Scope

router = Router(tags=["indexes"])


class LiveQuery(Body):
    """One search: the same fields as a line of a live file (docs/formats.md)."""

    text: Plain
    asked_at: Plain
    locale: Plain | None = None
    served: list[Plain] | None = None
    token: Plain | None = None


class LiveQueries(Body):
    """At most 1,000 searches."""

    queries: list[LiveQuery]


@router.post(
    "/corpora/{slug:slug}/indexes/{str:index}/live-queries",
    auth=TokenDoor(Scope.LIVE_QUERIES),
    response={200: shapes.Taken},
    operation_id="take_live_queries",
    url_name="api_take_live_queries",
)
def taken(request: HttpRequest, slug: str, *, index: Words, told: LiveQueries) -> HttpResponse:
    """Take in what people searched for; told again, a search (its token, else its fields) is stored once."""
    target = index_of(entered(request).corpus, index)
    read: list[LiveText] = []
    refused: list[Detail] = []
    for place, query in enumerate(told.queries):
        try:
            read.append(read_object(query.model_dump(exclude_unset=True)))
        except LiveQueryRefused as refusal:
            refused.append(Detail(where=f"queries.{place}", reason=str(refusal)))
    if refused:
        return problem(422, f"Nothing was stored, because {len(refused):,} of the live queries are refused.", refused)
    return answer(asdict(take(index=target, queries=read, now=timezone.now())))
