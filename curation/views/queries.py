"""The list of queries, the page of one, retiring it, and adding it in another spelling."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST

from curation import registry, tasks
from curation.access import LEADS, CorpusRequest, members
from curation.actions.pooling import ask_for_pools
from curation.actions.refusal import Refused
from curation.actions.retiring import retire_query
from curation.actions.retyping import correct_type
from curation.actions.variants import add_variants
from curation.forms.queries import QueryFilter, RetireForm, TypeForm
from curation.forms.write import respelt_in
from curation.models import Query, Role
from curation.reports import query_list as reports
from curation.reports.checks import Respelt
from curation.reports.variants import original_of, variants
from curation.templatetags.strata import stratum_name

ON_A_PAGE = 50


@members(*LEADS, Role.WRITER)
def queries(request: CorpusRequest) -> HttpResponse:
    """List queries by stratum and status: a lead sees all, a writer their own."""
    form = QueryFilter(request.GET.dict(), choices=reports.choices(request.corpus))
    found = Query.objects.none()
    if form.is_valid():
        found = reports.chosen(seen_by(request), request.corpus, replace(form.choice, reader=request.user.pk))
    page = Paginator(found, ON_A_PAGE).get_page(request.GET.get("page"))
    shown = list(page.object_list)
    rows = reports.with_depths(request.corpus, shown, candidates_of(shown))
    context = {"form": form, "page": page, "rows": rows, "is_lead": is_lead(request)}
    return render(request, "curation/queries.html", context, status=200 if form.is_valid() else 400)


@members(*LEADS, Role.WRITER)
def query(request: CorpusRequest, query: int) -> HttpResponse:
    """One query: its wording, need, stratum, and what is settled about it."""
    return query_page(request, query, RetireForm())


@members(*LEADS)
@require_POST
def query_retire(request: CorpusRequest, query: int) -> HttpResponse:
    """Retire a query with a reason."""
    form = RetireForm(request.POST)
    found = get_object_or_404(seen_by(request), pk=query)
    request.reach.require(found.stratum.query_language)
    if not form.is_valid():
        return query_page(request, query, form)
    retire_query(query=found, reason=form.cleaned_data["reason"], by=request.user, now=timezone.now())
    messages.success(request, f"Query {found.external_id} is retired and counts nowhere.")
    return redirect("query", request.corpus.slug, found.pk)


@members(*LEADS, Role.WRITER)
@require_POST
def query_type(request: CorpusRequest, query: int) -> HttpResponse:
    """Correct the type of a query."""
    form = TypeForm(request.POST)
    found = changed_by(request, query)
    if not form.is_valid():
        return query_page(request, query, RetireForm(), fault="There is no such type; choose one of the list.")
    try:
        moved = correct_type(
            query=found, query_type=form.cleaned_data["query_type"], by=request.user, now=timezone.now()
        )
    except Refused as refusal:
        return query_page(request, query, RetireForm(), fault=str(refusal))
    messages.success(request, f"It counts here now: {stratum_name(moved.stratum)}.")
    return redirect("query", request.corpus.slug, found.pk)


@members(*LEADS, Role.WRITER)
@require_POST
def query_variants(request: CorpusRequest, query: int) -> HttpResponse:
    """Add a query in other spellings: each a query of its own in its own cell."""
    found = changed_by(request, query)
    respelt = respelt_in(request.POST, found.stratum.query_language)
    try:
        added = add_variants(query=found, respelt=respelt, by=request.user)
    except Refused as refusal:
        return query_page(request, query, RetireForm(), respelt=respelt, fault=str(refusal))
    if added:
        tasks.send(ask_for_pools(corpus=request.corpus, asked_by=request.user, now=timezone.now()).pk)
        messages.success(request, f"Added in another spelling: {', '.join(each.text for each in added)}.")
    else:
        messages.info(request, "No spelling was ticked that is not here already.")
    return redirect("query", request.corpus.slug, found.pk)


def query_page(
    request: CorpusRequest, query: int, form: RetireForm, *, respelt: Sequence[Respelt] = (), fault: str = ""
) -> HttpResponse:
    """The page of one query, with the forms that retire it and add other spellings of it."""
    found = get_object_or_404(seen_by(request).select_related("need", "variant_of"), pk=query)
    may_change = may_change_it(request, found)
    takes_more = may_change and found.variant_of_id is None and found.status != Query.Status.RETIRED
    context = {
        "page": reports.page_of(found, candidates_of([found])),
        "undecided": undecided_on(request, found),
        "query": found,
        "form": form,
        "types": TypeForm({"query_type": found.stratum.query_type}),
        "is_lead": is_lead(request),
        "leads_it": request.reach.leads(found.stratum.query_language),
        "may_change": may_change,
        "spellings": variants(request.corpus, original_of(found), respelt) if takes_more else [],
        "fault": fault,
    }
    return render(request, "curation/query.html", context, status=422 if form.errors or fault else 200)


def candidates_of(queries: Sequence[Query]) -> Mapping[int, int]:
    """How many articles the pools of each of these queries hold."""
    pools = registry.pools()
    return pools.candidates([query.pk for query in queries]) if pools else {}


def undecided_on(request: CorpusRequest, query: Query) -> Sequence[registry.Undecided]:
    """Who could not decide it; told to whoever leads its locale."""
    pools = registry.pools()
    leads = request.reach.leads(query.stratum.query_language)
    return pools.undecided(query, request.user) if pools and leads else ()


def seen_by(request: CorpusRequest) -> QuerySet[Query]:
    """The queries that the person may see here: their own, and who leads a locale sees all."""
    return reports.queries_of(request.corpus, author=None if is_lead(request) else request.user)


def changed_by(request: CorpusRequest, query: int) -> Query:
    """A query that the person may change: one of a locale they lead, or their own.

    Raises:
        PermissionDenied: they see it and may not change it.
    """
    found = get_object_or_404(seen_by(request), pk=query)
    if not may_change_it(request, found):
        request.reach.require(found.stratum.query_language)
    return found


def may_change_it(request: CorpusRequest, query: Query) -> bool:
    """Whether the query is the person's own or of a locale they lead."""
    return query.author_id == request.user.pk or request.reach.leads(query.stratum.query_language)


def is_lead(request: CorpusRequest) -> bool:
    """Whether the person leads this corpus or a locale of it."""
    return request.reach.leads_any
