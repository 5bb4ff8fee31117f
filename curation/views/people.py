"""The people of a corpus, as its leads see them."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST

from curation.access import CorpusRequest, members
from curation.actions import people as actions
from curation.forms.people import MemberForm
from curation.models import Membership, Role
from curation.reports import people as reports


@members(Role.LEAD)
def people(request: CorpusRequest) -> HttpResponse:
    """List the members; add one."""
    form = MemberForm(request.POST or None)
    if request.method != "POST" or not form.is_valid():
        return page(request, form)
    try:
        membership = actions.add_member(corpus=request.corpus, **form.cleaned_data)
    except actions.PeopleRefused as refusal:
        form.add_error(refusal.field or None, str(refusal))
        return page(request, form)
    if reports.invitation(membership):
        return page(request, MemberForm(), invited=membership)
    messages.success(request, f"{membership.user} is {membership.get_role_display().lower()} in this corpus now.")
    return redirect("people", request.corpus.slug)


@members(Role.LEAD)
@require_POST
def person_invite(request: CorpusRequest, membership: int) -> HttpResponse:
    """Show the link for a member who has no password yet."""
    invited = get_object_or_404(Membership.objects.select_related("user"), corpus=request.corpus, pk=membership)
    if reports.invitation(invited):
        return page(request, MemberForm(), invited=invited)
    messages.error(request, f"{invited.user} gets no link here: the account has a password, or reaches further.")
    return redirect("people", request.corpus.slug)


@members(Role.LEAD)
@require_POST
def person_remove(request: CorpusRequest, membership: int) -> HttpResponse:
    """Take a membership away."""
    try:
        gone = actions.remove_member(corpus=request.corpus, membership=membership)
    except actions.PeopleRefused as refusal:
        messages.error(request, str(refusal))
    else:
        if gone:
            role = gone.get_role_display().lower()
            messages.success(request, f"{gone.user} is no longer {role} here. What they wrote and judged stays.")
    return redirect("people", request.corpus.slug)


def page(request: CorpusRequest, form: MemberForm, *, invited: Membership | None = None) -> HttpResponse:
    """The people page: members, the form, and the link of the one just invited."""
    path = reports.invitation(invited) if invited else None
    context = {
        "form": form,
        "held": reports.members_of(request.corpus),
        "invited": invited,
        "link": request.build_absolute_uri(path) if path else "",
    }
    return render(request, "curation/people.html", context, status=422 if form.errors else 200)
