"""My work: each person's first page."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone

from curation.access import CorpusRequest, PersonRequest, members, signed_in, writes_in
from curation.models import Corpus, Role
from curation.reports.navigation import doors
from judging.reports import my_work as reports


@signed_in
def my_work(request: PersonRequest) -> HttpResponse:
    """Send a member of one corpus to their work there; offer the choice to a member of several."""
    corpora = list(Corpus.objects.filter(memberships__user=request.user).distinct().order_by("name"))
    if len(corpora) == 1:
        return redirect("home", corpora[0].slug)
    return render(request, "judging/corpora.html", {"corpora": corpora})


@members()
def home(request: CorpusRequest) -> HttpResponse:
    """What the person does next in this corpus: as lead, else as adjuster, else as writer, or `?as=` they choose."""
    held = [role for role in reversed(Role) if role in {each.role for each in request.memberships}]
    asked = request.GET.get("as", "")
    role = Role(asked) if asked in held else held[0]
    shown = {"role": role, "roles": held, "doors": doors(request.memberships), "work": work(request, role)}
    return render(request, f"judging/home_{role}.html", shown)


def work(request: CorpusRequest, role: Role) -> reports.LeadWork | reports.AdjusterWork | reports.WriterWork:
    """The report behind the page of `role`."""
    now = timezone.now()
    if role == Role.LEAD:
        return reports.lead_work(request.corpus, request.user, led=request.reach.locales, now=now)
    if role == Role.ADJUSTER:
        return reports.adjuster_work(request.user, request.corpus, reviewed=request.reach.reviewed, now=now)
    told = reports.writer_work(request.user, request.corpus, languages=writes_in(request), now=now)
    request.stratum_counts = told.counts
    return told
