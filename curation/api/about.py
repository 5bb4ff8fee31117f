"""Endpoints about the server and the token itself."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from ninja import Router

from curation.access import public
from curation.api import shapes
from curation.api.answers import Problem, answer
from curation.api.doors import TokenDoor, entered
from curation.models import Corpus
from curation.reports.workers import silence

router = Router(tags=["about"])


@router.get("/health", response=shapes.Health, operation_id="health", url_name="api_health")
@public
def health(request: HttpRequest) -> HttpResponse:
    """Whether the database answers, and whether a worker does."""
    return answer({"status": "ok", "workers": silence(now=timezone.now())})


@router.get(
    "/token", auth=TokenDoor(), response={200: shapes.Token, 401: Problem}, operation_id="token", url_name="api_token"
)
def token(request: HttpRequest) -> HttpResponse:
    """What the token of this request opens."""
    own = entered(request).auth
    corpora = Corpus.objects.filter(memberships__user=own.person).distinct().order_by("slug")
    found = [corpus.slug for corpus in corpora if own.corpus_id in {None, corpus.pk}]
    told = {"name": own.name, "person": own.person.username, "corpora": found, "scopes": own.scopes}
    return answer({**told, "expires_at": own.expires_at.isoformat()})
