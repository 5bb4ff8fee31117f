"""The information needs of a corpus, as its leads see them."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render

from curation.access import CorpusRequest, members
from curation.actions.stated_needs import NeedRefused, Stated, restate_need, state_need, stated_in
from curation.forms.needs import NeedForm
from curation.models import Need, Role
from curation.reports import needs as reports

ON_A_PAGE = 50


@members(Role.LEAD)
def needs(request: CorpusRequest) -> HttpResponse:
    """List the needs."""
    page = Paginator(reports.needs_of(request.corpus), ON_A_PAGE).get_page(request.GET.get("page"))
    return render(request, "curation/needs.html", {"page": page, "rows": reports.rows_of(list(page))})


@members(Role.LEAD)
def need_add(request: CorpusRequest) -> HttpResponse:
    """State a new need."""

    def store(stated: Stated) -> Need:
        return state_need(corpus=request.corpus, stated=stated, by=request.user)

    return need_form(request, NeedForm(request.POST or None), store)


@members(Role.LEAD)
def need_edit(request: CorpusRequest, need: int) -> HttpResponse:
    """Change a need."""
    found = get_object_or_404(Need, corpus=request.corpus, pk=need)
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
    return render(request, "curation/need.html", {"form": form, "need": need}, status=status)
