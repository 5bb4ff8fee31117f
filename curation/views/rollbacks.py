"""The way back of an index: what a rollback leads its alias to, and the rollback itself."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST

from curation.access import CorpusRequest, members
from curation.actions import rollback as action
from curation.actions.refusal import Refused
from curation.forms.rollback import PreviousForm, RollbackForm
from curation.indexes.aliases import Swapped
from curation.models import Role, TargetIndex
from curation.reports.aliases import rollback_command
from curation.reports.swaps import swaps_of


@members(Role.LEAD)
def index_rollback(request: CorpusRequest, index: int) -> HttpResponse:
    """Show where a rollback leads, and do it on a press that gives a reason."""
    found = own_index(request, index)
    form = RollbackForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            done = action.rollback(
                index=found, reason=form.cleaned_data["reason"], asker=asker(request), now=timezone.now()
            )
        except Refused as refusal:
            form.add_error(None, str(refusal))
        else:
            tell(request, done)
            return redirect("index_rollback", request.corpus.slug, found.pk)
    return page(request, found, form=form)


@members(Role.LEAD)
@require_POST
def index_previous(request: CorpusRequest, index: int) -> HttpResponse:
    """Name the alias and the previous target."""
    found = own_index(request, index)
    naming = PreviousForm(found, request.POST)
    if naming.is_valid():
        given = naming.cleaned_data
        try:
            action.name_previous(index=found, previous=given["previous"], alias=given["alias"])
        except Refused as refusal:
            naming.add_error(None, str(refusal))
        else:
            messages.success(request, f"The way back of {found.name} is stored.")
            return redirect("index_rollback", request.corpus.slug, found.pk)
    return page(request, found, naming=naming)


def page(
    request: CorpusRequest,
    index: TargetIndex,
    *,
    form: RollbackForm | None = None,
    naming: PreviousForm | None = None,
) -> HttpResponse:
    """The page of both forms; 422 where one of them was refused."""
    form, naming = form or RollbackForm(), naming or PreviousForm(index)
    index.refresh_from_db()  # what was refused is not stored
    shown = {
        "index": index,
        "form": form,
        "naming": naming,
        "command": rollback_command(index),
        "swaps": swaps_of(index.corpus, index=index),
    }
    return render(request, "curation/rollback.html", shown, status=422 if form.errors or naming.errors else 200)


def own_index(request: CorpusRequest, index: int) -> TargetIndex:
    """An index of this corpus."""
    indexes = TargetIndex.objects.select_related("previous_target", "corpus")
    return get_object_or_404(indexes, corpus=request.corpus, pk=index)


def asker(request: CorpusRequest) -> action.Asker:
    """Who pressed."""
    return action.Asker(request.user.name or request.user.username, request.user)


def tell(request: CorpusRequest, done: action.Rollback) -> None:
    """What became of it."""
    if done.outcome is Swapped.ALREADY:
        messages.info(request, f"{done.alias} leads to {done.to} already; nothing was changed.")
    else:
        messages.success(request, f"{done.alias} leads to {done.to} now; it led to {done.before}.")
