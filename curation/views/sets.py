"""Sets: the draft beside the newest version, freezing it, the certificate of a version, and any two side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.views.decorators.http import require_POST

from curation import tasks
from curation.access import LEADS, CorpusRequest, members
from curation.actions import freeze_job
from curation.actions.refusal import Refused
from curation.models import Corpus, Job, Role, SetVersion
from curation.reports.set_content import is_intact
from curation.reports.set_diff import SetDiff, diff_of
from curation.reports.set_page import draft_of
from curation.reports.set_versions import NoSuchVersion, set_version, set_versions
from curation.views.jobs import cards

FIRST_NAME = "hard"
ON_A_PAGE = 50


@members(*LEADS)
def sets(request: CorpusRequest) -> HttpResponse:
    """The page; `?name=` chooses among several sets, `?show=` what of the comparison is listed."""
    versions = list(set_versions(request.corpus))
    names = list(dict.fromkeys(version.name for version in versions))
    name = request.GET.get("name") or (names[0] if names else FIRST_NAME)
    draft = draft_of(request.corpus, next((each for each in versions if each.name == name), None))
    request.stratum_counts = draft.checks.counts
    shown = {"draft": draft, "versions": versions, "names": names, "name": name, **listed(request, draft.diff)}
    jobs = at_work(request.corpus, versions)
    shown |= {"jobs": cards(jobs, poll=True), "live": any(job.state in Job.LIVE for job in jobs)}
    return render(request, "curation/sets.html", shown)


def at_work(corpus: Corpus, versions: Sequence[SetVersion]) -> list[Job]:
    """The freezes that wait or run, and the last one where it failed and nothing of `versions` was frozen since."""
    asked = corpus.jobs.filter(kind=freeze_job.KIND).select_related("corpus").order_by("-pk")
    live, newest = asked.filter(state__in=Job.LIVE), asked.filter(state=Job.State.FAILED)[:1]
    since = max((version.frozen_at for version in versions), default=None)
    return [*live, *(job for job in newest if since is None or job.created_at > since)]


@members(Role.LEAD)
@require_POST
def set_freeze(request: CorpusRequest) -> HttpResponse:
    """Have the draft frozen in the background; refused, say why where it was asked."""
    corpus, name = request.corpus, request.POST.get("name", "").strip()
    try:
        job = freeze_job.ask_to_freeze(corpus=corpus, name=name, asked_by=request.user, now=timezone.now())
    except Refused as refusal:
        messages.error(request, str(refusal))
        return redirect(f"{reverse('sets', args=[corpus.slug])}?{urlencode({'name': name})}")
    tasks.send(job.pk)
    return redirect("sets", corpus.slug)


@members(*LEADS)
def set_certificate(request: CorpusRequest, name: str, number: int) -> HttpResponse:
    """The certificate of one version; `?check=1` reads its rows and says whether they still give its hash."""
    version = version_of(request.corpus, f"{name}@{number}")
    others = [each for each in set_versions(request.corpus) if each.pk != version.pk]
    checked = {"is_intact": is_intact(version)} if request.GET.get("check") else {}
    shown = {"version": version, "others": others, **checked}
    return render(request, "curation/set_version.html", shown)


@members(*LEADS)
def set_diff(request: CorpusRequest, name: str, number: int) -> HttpResponse:
    """One version against the one that `?with=` names, else against the one before."""
    now = version_of(request.corpus, f"{name}@{number}")
    others = [each for each in set_versions(request.corpus) if each.pk != now.pk]
    older = older_of(now, others, request.GET.get("with", ""))
    if older is None:
        messages.info(request, f"There is no other version to compare {now} with.")
        return redirect("set_version", request.corpus.slug, now.name, now.number)
    found = diff_of(older, now)
    shown = {"before": older, "now": now, "others": others, **listed(request, found)}
    return render(request, "curation/set_diff.html", shown)


def version_of(corpus: Corpus, spec: str) -> SetVersion:
    """The version of that name and number in this corpus.

    Raises:
        Http404: the corpus has none.
    """
    try:
        version = set_version(spec)
    except NoSuchVersion as missing:
        raise Http404(str(missing)) from missing
    if version.corpus_id != corpus.pk:
        raise Http404(f"This corpus has no set version {spec}.")
    return version


def older_of(version: SetVersion, others: Sequence[SetVersion], asked: str) -> SetVersion | None:
    """The version called `asked`, else the one frozen just before, else any other."""
    before = (each for each in others if each.frozen_at <= version.frozen_at and not asked)
    named = (each for each in others if str(each) == asked)
    return next(named, None) or next(before, None) or next(iter(others), None)


def listed(request: CorpusRequest, found: SetDiff) -> dict[str, Any]:
    """What of a comparison is listed: the tab that the address asks, its page, and all tabs with their counts."""
    counts = {"added": found.added, "withdrawn": found.withdrawn, "changed": found.changed}
    asked = request.GET.get("show", "")
    page = Paginator(counts.get(asked, ()), ON_A_PAGE).get_page(request.GET.get("page"))
    tabs = [("", "Summary"), *((name, f"{len(rows):,} {name}") for name, rows in counts.items())]
    return {"tab": asked if asked in counts else "", "tabs": tabs, "page": page, "diff": found}
