"""Invitations: the page behind a link, and what leads do with those that are open."""

from __future__ import annotations

from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth import login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from curation.access import LEADS, CorpusRequest, members, public
from curation.actions import invitations as actions
from curation.actions.refusal import Refused
from curation.forms.people import JoinForm
from curation.models import Invitation, User
from curation.views.people import handed_over


@public
@never_cache
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    """Accept an invitation: as who is signed in, else with a new account."""
    try:
        found = actions.opened(token, now=timezone.now())
        return accepted(request, token, found) if request.method == "POST" else join_page(request, token, found)
    except Refused as refusal:
        return render(request, "curation/invitation_gone.html", {"reason": str(refusal)}, status=410)


def accepted(request: HttpRequest, token: str, found: Invitation) -> HttpResponse:
    """Take the role, and go to work."""
    now = timezone.now()
    if isinstance(request.user, User):
        actions.accept(token=token, user=request.user, now=now)
        return redirect("home", found.corpus.slug)
    form = JoinForm(request.POST)
    if form.is_valid() and found.username not in {"", form.newcomer.username}:
        form.add_error("username", f"This invitation is for {found.username}.")
    if form.errors:
        return join_page(request, token, found, form=form)
    user = actions.accept_as(token=token, newcomer=form.newcomer, now=now)
    login(request, user)
    return redirect("home", found.corpus.slug)


def join_page(request: HttpRequest, token: str, found: Invitation, *, form: JoinForm | None = None) -> HttpResponse:
    """What the invitation is for, and how to accept it; to sign in leads back here."""
    form = form or JoinForm(initial={"username": found.username})
    has_account = bool(found.username) and User.objects.filter(username=found.username).exists()
    is_for_another = request.user.is_authenticated and found.username not in {"", request.user.get_username()}
    back = reverse("invitation", args=[token])
    shown = {
        "invitation": found,
        "form": form,
        "has_account": has_account,
        "is_for_another": is_for_another,
        "sign_in": f"{reverse('login')}?{urlencode({'next': back})}",
    }
    return render(request, "curation/invitation.html", shown, status=422 if form.errors else 200)


@members(*LEADS)
@require_POST
def invitation_again(request: CorpusRequest, invitation: int) -> HttpResponse:
    """Make a new link; the old one opens no more."""
    found = own_invitation(request, invitation)
    try:
        made = actions.send_again(invitation=found, by=request.user, now=timezone.now())
    except Refused as refusal:
        messages.error(request, str(refusal))
        return redirect("people", request.corpus.slug)
    return handed_over(request, made)


@members(*LEADS)
@require_POST
def invitation_withdraw(request: CorpusRequest, invitation: int) -> HttpResponse:
    """Close the link."""
    found = own_invitation(request, invitation)
    if actions.withdraw(invitation=found, now=timezone.now()):
        messages.success(request, f"The invitation of {found.who} is withdrawn; its link opens no more.")
    else:
        messages.info(request, f"The invitation of {found.who} is not open any more.")
    return redirect("people", request.corpus.slug)


def own_invitation(request: CorpusRequest, invitation: int) -> Invitation:
    """An invitation into this corpus that the person might have written."""
    found = get_object_or_404(Invitation, corpus=request.corpus, pk=invitation)
    request.reach.require_appointing(found.role, found.languages)
    return found
