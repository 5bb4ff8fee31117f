"""The documents that judges flagged, for whoever looks after the corpus."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from curation.access import LEADS, CorpusRequest, members
from curation.actions.refusal import Refused
from curation.reports.moments import moment_in_words
from judging.actions import dealing
from judging.forms import DealingForm
from judging.models import Mismatch
from judging.reports.mismatches import dealt_with, open_flags, standing

LISTED = 200
leads = members(*LEADS)


@leads
@never_cache
def mismatches(request: CorpusRequest) -> HttpResponse:
    """List those that nobody dealt with, and apart those that somebody did, the newest first."""
    led, reader = request.reach.locales, request.user
    waiting = open_flags(request.corpus, locales=led, reader=reader)
    dealt = dealt_with(request.corpus, locales=led, reader=reader)
    shown = {"flags": waiting[:LISTED], "waiting": waiting.count(), "dealt": dealt[:LISTED], "done": dealt.count()}
    return render(request, "judging/mismatches.html", shown)


@leads
@require_POST
def mismatch_deal(request: CorpusRequest) -> HttpResponse:
    """Take a flag off the list, or put it back."""
    form = DealingForm(request.POST)
    if form.is_valid():
        _deal(request, form)
    else:
        messages.warning(request, "This could not be read, so nothing was changed. Press again.")
    return redirect("mismatches", request.corpus.slug)


def _locale_of(request: CorpusRequest, flag: int) -> list[str]:
    flagged = standing(request.corpus).filter(pk=flag)
    return list(flagged.values_list("assignment__pool__query__stratum__query_language", flat=True))


def _deal(request: CorpusRequest, form: DealingForm) -> None:
    key, now = form.cleaned_data["flag"], timezone.now()
    request.reach.require(*_locale_of(request, key))
    try:
        if form.cleaned_data["again"]:
            flag = dealing.open_again(corpus=request.corpus, flag_id=key)
            messages.success(request, f"The flag on {flag.candidate} is open again.")
            return
        flag = dealing.deal_with(corpus=request.corpus, person=request.user, flag_id=key, now=now)
    except Mismatch.DoesNotExist as missing:
        raise Http404("There is no such flag in this corpus.") from missing
    except Refused as refusal:
        messages.warning(request, str(refusal))
        return
    if flag.dealt_with_at == now:
        messages.success(request, f"The flag on {flag.candidate} is dealt with.")
    elif flag.dealt_with_at:
        when = moment_in_words(flag.dealt_with_at, corpus=request.corpus, now=now)
        messages.info(request, f"{flag.dealt_with_by} dealt with the flag on {flag.candidate} {when}.")
