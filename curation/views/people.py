"""The team of a corpus: who writes, adjusts and leads each locale, and who is invited."""

from __future__ import annotations

from collections.abc import Sequence

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST

from curation.access import LEADS, CorpusRequest, members
from curation.actions import people as actions
from curation.actions.invitations import Invited, Wanted, invite
from curation.actions.mailing import mail_invitation
from curation.forms.people import InviteForm
from curation.models import Membership, Role
from curation.reports import people as reports
from curation.reports.desk import locales_of


@members(*LEADS)
def people(request: CorpusRequest) -> HttpResponse:
    """Show the team; give a member another role, or invite somebody."""
    if request.method != "POST":
        asked = {"role": Role.WRITER, "languages": request.GET.get("language", "")}
        return page(request, InviteForm(initial=asked))
    form = InviteForm(request.POST)
    if not form.is_valid():
        return page(request, form)
    wanted = form.wanted
    request.reach.require_appointing(wanted.role, wanted.languages)
    absent = reports.not_here(request.corpus, wanted.languages)
    known = Membership.objects.filter(corpus=request.corpus, user__username=wanted.username).first()
    if known is None:
        made = invite(corpus=request.corpus, wanted=wanted, by=request.user, now=timezone.now())
        warn(request, absent)
        return handed_over(request, made)
    try:
        membership = appoint(request, known, wanted)
    except actions.PeopleRefused as refusal:
        form.add_error(None, str(refusal))
        return page(request, form)
    messages.success(request, f"{membership.user} is {membership.title.lower()} in this corpus now.")
    warn(request, absent)
    return redirect("people", request.corpus.slug)


def warn(request: CorpusRequest, words: str) -> None:
    """Say what somebody should know of what was done, where there is such a thing."""
    if words:
        messages.warning(request, words)


def appoint(request: CorpusRequest, known: Membership, wanted: Wanted) -> Membership:
    """Give a member a role. What other languages they have in it is only for a lead of the corpus to take."""
    if request.reach.leads_all:
        return actions.add_member(
            corpus=request.corpus,
            username=wanted.username,
            role=wanted.role,
            now=timezone.now(),
            languages=wanted.languages,
        )
    return actions.widen_member(corpus=request.corpus, user=known.user, role=wanted.role, languages=wanted.languages)


def handed_over(request: CorpusRequest, made: Invited) -> HttpResponse:
    """The page with the link, which is shown this once, and mailed where the operator set that up."""
    link = request.build_absolute_uri(reverse("invitation", args=[made.token]))
    told = mail_invitation(made.invitation, link)
    return page(request, InviteForm(initial={"role": Role.WRITER}), made=made, link=link, told=told)


@members(*LEADS)
@require_POST
def person_invite(request: CorpusRequest, membership: int) -> HttpResponse:
    """Show the link for a member whose account has no password yet."""
    rows = Membership.objects.select_related("user")
    found = get_object_or_404(rows, corpus=request.corpus, pk=membership)
    request.reach.require_appointing(found.role, found.languages)
    if path := reports.invitation(found):
        return page(request, InviteForm(), unopened=found, link=request.build_absolute_uri(path))
    messages.error(request, f"{found.user} gets no link here: the account has a password, or reaches further.")
    return redirect("people", request.corpus.slug)


@members(*LEADS)
@require_POST
def person_remove(request: CorpusRequest, membership: int) -> HttpResponse:
    """Take a membership away."""
    held = Membership.objects.filter(corpus=request.corpus, pk=membership).first()
    if held is None:
        messages.info(request, "Nobody here has that role any more. Look at the list again.")
        return page(request, InviteForm(), status=404)
    request.reach.require_appointing(held.role, held.languages)
    try:
        gone = actions.remove_member(corpus=request.corpus, membership=membership, now=timezone.now())
    except actions.PeopleRefused as refusal:
        messages.error(request, str(refusal))
    else:
        if gone:
            role = gone.title.lower()
            messages.success(request, f"{gone.user} is no longer {role} here. What they wrote and judged stays.")
    return redirect("people", request.corpus.slug)


def page(request: CorpusRequest, form: InviteForm, *, status: int = 200, **shown: object) -> HttpResponse:
    """The team: locales, members, open invitations, and the form."""
    held = reports.members_of(request.corpus)
    may = request.reach.may_appoint
    context = {
        "form": form,
        "teams": reports.teams(held, locales_of(request.corpus)),
        "held": [(each, may(each.role, each.languages)) for each in held],
        "invitations": with_permission(request),
        "now": timezone.now(),
        **shown,
    }
    return render(request, "curation/people.html", context, status=422 if form.errors else status)


def with_permission(request: CorpusRequest) -> Sequence[tuple[object, bool]]:
    """The open invitations, each with whether the person may withdraw it."""
    may = request.reach.may_appoint
    return [(each, may(each.role, each.languages)) for each in reports.open_invitations(request.corpus)]
