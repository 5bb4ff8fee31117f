"""Text changed, judge again: the answers whose text moved on, and the button that sends them to judges."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from curation.access import LEADS, CorpusRequest, members
from judging.actions.judging_again import Sent, send_changed
from judging.reports.judging_again import changed_answers, tally

LISTED = 200
leads = members(*LEADS)


@leads
@never_cache
def judge_again(request: CorpusRequest) -> HttpResponse:
    """List them, those that nobody sent first."""
    answers = changed_answers(request.corpus, locales=request.reach.locales)
    listed = list(answers[:LISTED])
    unsent = sum(not getattr(qrel, "is_sent", False) for qrel in listed)
    shown = {"answers": listed, "moved": tally(answers), "unsent": unsent}
    return render(request, "judging/judge_again.html", shown)


@leads
@require_POST
def judge_again_send(request: CorpusRequest) -> HttpResponse:
    """Send the ticked ones, or all that the page lists."""
    ticked, wants_all = set(request.POST.getlist("answer")), "all" in request.POST
    theirs = changed_answers(request.corpus, locales=request.reach.locales)
    listed = theirs.values_list("pk", flat=True)[:LISTED]
    chosen = {key for key in listed if wants_all or str(key) in ticked}
    if ticked or wants_all:
        _tell(request, send_changed(corpus=request.corpus, chosen=chosen, now=timezone.now()))
    else:
        messages.warning(request, "Nothing is ticked, so nothing was sent. Tick answers, or send all that are listed.")
    return redirect("judge_again", request.corpus.slug)


def _tell(request: CorpusRequest, sent: Sent) -> None:
    for words in sent.refused:
        messages.warning(request, words)
    if sent.answers:
        wait = "answer waits" if sent.answers == 1 else "answers wait"
        messages.success(request, f"{sent.answers} {wait} to be judged again.")
