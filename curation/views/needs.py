"""The information needs of a corpus: their list and pages, which writers read, and what leads state and change."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST

from curation.access import LEADS, CorpusRequest, members, writes_in
from curation.actions.english_needs import make_needs
from curation.actions.refusal import Refused
from curation.actions.stated_needs import NeedRefused, Stated, restate_need, state_need, stated_in
from curation.forms.needs import NeedFilter, NeedForm
from curation.models import Need, Role
from curation.reports import needs as reports
from curation.reports.desk import locales_of

ON_A_PAGE = 50
MOST_TOLD = 5


@members(*LEADS, Role.WRITER)
def needs(request: CorpusRequest) -> HttpResponse:
    """List the needs, with the locales that lack a wording of each."""
    corpus, locales = request.corpus, locales_of(request.corpus)
    form = NeedFilter(request.GET.dict(), locales=locales)
    found = reports.needs_of(corpus, form.asked, locales=locales) if form.is_valid() else Need.objects.none()
    page = Paginator(found, ON_A_PAGE).get_page(request.GET.get("page"))
    leads = request.reach.leads_any
    context = {
        "form": form,
        "page": page,
        "rows": reports.rows_of(corpus, list(page), locales=locales),
        "lacking": reports.lacking_by_locale(corpus, locales),
        "is_lead": leads,
        "writes": writes_in(request),
        "unneeded": reports.unneeded(corpus).count() if request.reach.leads_all else 0,
    }
    return render(request, "curation/needs.html", context, status=200 if form.is_valid() else 400)


@members(*LEADS, Role.WRITER)
def need(request: CorpusRequest, need: int) -> HttpResponse:
    """One need: its wordings by locale, and the locales that lack one."""
    found = get_object_or_404(Need.objects.select_related("corpus"), corpus=request.corpus, pk=need)
    page = reports.page_of(found, locales_of(request.corpus))
    leads = request.reach.leads_any
    context = {
        "page": page,
        "need": found,
        "is_lead": leads,
        "may_edit": leads and all(map(request.reach.leads, reports.worded_in(found))),
        "opens": reports.visible_to(request.user, page, leads=leads),
        "writes": [tag for tag in writes_in(request) if tag in page.lacking],
    }
    return render(request, "curation/need.html", context)


@members(Role.LEAD)
@require_POST
def needs_make(request: CorpusRequest) -> HttpResponse:
    """Make needs of the English queries that word none."""
    try:
        made = make_needs(corpus=request.corpus, by=request.user)
    except Refused as refusal:
        messages.error(request, str(refusal))
        return redirect("needs", request.corpus.slug)
    messages.success(request, f"{made.needs:,} needs made; {made.queries:,} queries word a need now.")
    for sentence in made.left[:MOST_TOLD]:
        messages.warning(request, sentence)
    return redirect("needs", request.corpus.slug)


@members(*LEADS)
def need_add(request: CorpusRequest) -> HttpResponse:
    """State a new need."""

    def store(stated: Stated) -> Need:
        return state_need(corpus=request.corpus, stated=stated, by=request.user)

    return need_form(request, NeedForm(request.POST or None), store)


@members(*LEADS)
def need_edit(request: CorpusRequest, need: int) -> HttpResponse:
    """Change a need: whoever leads every locale that it is worded in."""
    found = get_object_or_404(Need, corpus=request.corpus, pk=need)
    request.reach.require(*reports.worded_in(found))
    shown = stated_in(found)
    initial = {name: getattr(shown, name) for name in NeedForm.base_fields}
    form = NeedForm(request.POST or None, initial=initial)
    return need_form(request, form, lambda stated: restate_need(need=found, stated=stated), need=found)


def need_form(
    request: CorpusRequest, form: NeedForm, store: Callable[[Stated], Need], *, need: Need | None = None
) -> HttpResponse:
    """Show the form, or store what it says and go back to the list."""
    if form.is_valid():
        try:
            store(Stated(**form.cleaned_data))
        except NeedRefused as refusal:
            form.add_error(refusal.field, str(refusal))
        else:
            messages.success(request, "Need saved. Writers find it from now on.")
            return redirect("needs", request.corpus.slug)
    status = 422 if form.errors else 200
    judged = reports.page_of(need, ()).judged if need else 0
    return render(request, "curation/need_form.html", {"form": form, "need": need, "judged": judged}, status=status)
