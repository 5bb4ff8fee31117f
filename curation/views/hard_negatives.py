"""The hard negatives of each query; a suspicious one is sent to the query's pool with one key."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.views.decorators.http import require_POST

from curation import registry
from curation.access import CorpusRequest, members
from curation.actions.refusal import Refused
from curation.models import HardNegative, Role
from curation.reports import hard_negatives as reports
from curation.views.searches import searched

ORIGIN = "hard_negative"


@members(Role.ADJUSTER, Role.LEAD)
def hard_negatives(request: CorpusRequest) -> HttpResponse:
    """List what the newest run found, query by query."""
    matching, doubtful = searched(request), request.GET.get("show") == "unjudged"
    listing = reports.listing(request.corpus, matching=matching, doubtful=doubtful, page=request.GET.get("page"))
    pools = registry.pools()
    queries = [row.query.pk for row in listing.rows] if listing else []
    shown = {
        "listing": listing,
        "matching": matching,
        "doubtful": doubtful,
        "can_send": pools is not None,
        "waiting": pools.waiting(queries) if pools else set(),
    }
    return render(request, "curation/hard_negatives.html", shown)


@members(Role.ADJUSTER, Role.LEAD)
@require_POST
def hard_negative_send(request: CorpusRequest, negative: int) -> HttpResponse:
    """Send one document to the pool of its query."""
    rows = HardNegative.objects.filter(query__corpus=request.corpus).select_related("query", "document")
    found, pools = get_object_or_404(rows, pk=negative), registry.pools()
    if pools is None:
        raise Http404("This product judges nothing: no pools are here.")
    try:
        pools.send(query=found.query, document=found.document, origin=ORIGIN, now=timezone.now())
    except Refused as refusal:
        messages.error(request, str(refusal))
    else:
        sent = f"{found.document.external_id} waits in the pool of query {found.query.external_id} to be judged."
        messages.success(request, sent)
    asked = {name: request.GET[name] for name in ("q", "show", "page") if request.GET.get(name)}
    address = reverse("hard_negatives", args=[request.corpus.slug])
    return redirect(f"{address}?{urlencode(asked)}#negative-{found.pk}")
