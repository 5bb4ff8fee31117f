"""The pool of one query, as a lead reads it."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render

from curation.access import LEADS, CorpusRequest, members
from curation.models import Query
from judging.reports.origins import is_judging, origins_of
from judging.reports.undecided import undecided_on


@members(*LEADS)
def query_pool(request: CorpusRequest, query: int) -> HttpResponse:
    """The candidates of a query with who found them; hidden from a lead who is judging it."""
    rows = Query.objects.filter(corpus=request.corpus).select_related("stratum")
    found = get_object_or_404(rows, pk=query)
    request.reach.require(found.stratum.query_language)
    pools = None if is_judging(request.user, found) else origins_of(found)
    told = {"query": found, "pools": pools, "undecided": undecided_on(found, request.user)}
    return render(request, "judging/query_pool.html", told)
