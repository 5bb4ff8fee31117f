"""API tokens: a person makes and revokes their own."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from curation.access import PersonRequest, signed_in
from curation.actions.refusal import Refused
from curation.actions.tokens import make_token, revoke_token
from curation.forms.tokens import TokenForm
from curation.reports.tokens import opens_nothing, tokens_of


@signed_in
@never_cache
def tokens(request: PersonRequest) -> HttpResponse:
    """List them; a press makes one, whose secret stands on the answer and nowhere else."""
    form, made, now = TokenForm(request.POST or None, person=request.user), None, timezone.now()
    if request.method == "POST" and form.is_valid():
        try:
            made = make_token(person=request.user, terms=form.terms, now=now)
        except Refused as refusal:
            form.add_error(None, str(refusal))
        else:
            form = TokenForm(person=request.user)
    idle = opens_nothing(made.token) if made else ""
    shown = {"form": form, "made": made, "idle": idle, "rows": tokens_of(request.user), "now": now}
    return render(request, "curation/tokens.html", shown, status=422 if form.errors else 200)


@signed_in
@require_POST
def token_revoke(request: PersonRequest, token: int) -> HttpResponse:
    """End a token at once."""
    ended = revoke_token(person=request.user, token=token, now=timezone.now())
    if ended is None:
        raise Http404("You have no such token.")
    messages.success(request, f"{ended.name} opens nothing any more.")
    return redirect("tokens")
