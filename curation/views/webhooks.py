"""Webhooks: who is told of a corpus's alarms."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from curation.access import CorpusRequest, members
from curation.actions.refusal import Refused
from curation.actions.webhooks import add_webhook, remove_webhook
from curation.forms.webhooks import WebhookForm
from curation.models import Role, Webhook
from curation.reports.webhooks import deliveries_of, webhooks_of


@members(Role.LEAD)
@never_cache
def webhooks(request: CorpusRequest) -> HttpResponse:
    """List them; a press adds one, whose secret stands on the answer and nowhere else."""
    form = WebhookForm(request.POST if request.method == "POST" else None)
    secret = ""
    if request.method == "POST" and form.is_valid():
        address = form.cleaned_data["address"]
        try:
            added = add_webhook(corpus=request.corpus, address=address, added_by=request.user, now=timezone.now())
        except Refused as refusal:
            form.add_error("address", str(refusal))
        else:
            form, secret = WebhookForm(), added.secret
    shown = {
        "form": form,
        "secret": secret,
        "rows": webhooks_of(request.corpus),
        "deliveries": deliveries_of(request.corpus),
    }
    return render(request, "curation/webhooks.html", shown, status=422 if form.errors else 200)


@members(Role.LEAD)
@require_POST
def webhook_remove(request: CorpusRequest, webhook: int) -> HttpResponse:
    """Tell it nothing more."""
    found = get_object_or_404(Webhook, corpus=request.corpus, pk=webhook)
    remove_webhook(webhook=found, now=timezone.now())
    messages.success(request, f"{found.address} is told nothing more.")
    return redirect("webhooks", request.corpus.slug)
