"""The review of mined proposals: one open at a time, a verdict a key."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST

from curation import tasks
from curation.access import LEADS, CorpusRequest, members
from curation.actions import proposals as actions
from curation.actions.pooling import ask_for_pools
from curation.actions.refusal import Refused
from curation.actions.tightening import tighten
from curation.actions.version_ranks import ask_to_rank
from curation.forms.review import AcceptForm, RejectForm, ThresholdForm, keyed_reasons
from curation.models import Miner, MiningRun, Proposal, Role
from curation.reports import review as reports
from curation.reports import review_evidence as evidence
from curation.reports.group_history import history_of
from curation.reports.keywords import keyword_of
from curation.reports.rare_terms import term_of
from curation.reports.review_draft import Draft, checked, first_draft
from curation.reports.sentences import ended
from curation.reports.thresholds import threshold_of
from curation.reports.version_ranks import ranks_of
from curation.retrieval.locales import UNDETERMINED
from curation.views.searches import searched

TEMPLATES = {
    Miner.NEAR_DUPLICATE: "curation/_review_group.html",
    Miner.RARE_ENTITY: "curation/_review_term.html",
    Miner.SHORT_KEYWORD: "curation/_review_keyword.html",
}


@members(*LEADS, Role.ADJUSTER)
def review(request: CorpusRequest) -> HttpResponse:
    """Open the first family that has something for the person to review; of who reviews one language, in that one."""
    reviewed = request.reach.reviewed
    family = reports.first_to_review(request.corpus, reviewed)
    query = {"locale": reviewed[0]} if reviewed is not None and len(reviewed) == 1 else None
    return redirect(reverse("review", args=[request.corpus.slug, family], query=query))


@members(*LEADS, Role.ADJUSTER)
def review_family(request: CorpusRequest, family: str) -> HttpResponse:
    """Show the queue of a family, and in it the proposal `?at=`, else the first to review."""
    return review_page(request, asked_of(request, family))


@members(*LEADS, Role.ADJUSTER)
@require_POST
def review_check(request: CorpusRequest, family: str, proposal: int) -> HttpResponse:
    """Check a draft without accepting it: the fragments for live checks, the page where there is no script."""
    found = proposal_of(request, family, proposal)
    return drafted(request, family, draft_of(request, found))


@members(*LEADS, Role.ADJUSTER)
@require_POST
def review_rank(request: CorpusRequest, family: str, proposal: int) -> HttpResponse:
    """Ask exact search where the versions of a group stand for a draft, and answer as a check does."""
    draft = draft_of(request, proposal_of(request, family, proposal))
    job = ask_to_rank(corpus=request.corpus, draft=draft, asked_by=request.user, now=timezone.now())
    if job is not None:
        tasks.send(job.pk)
    return drafted(request, family, draft)


def drafted(request: CorpusRequest, family: str, draft: Draft) -> HttpResponse:
    """A draft as it stands: the fragments for live checks, the page where there is no script."""
    if "HX-Request" not in request.headers:
        return review_page(request, asked_of(request, family, at=draft.proposal.pk), draft=draft)
    shown = {"oob": True, "asked": asked_of(request, family), **shown_of(request, draft)}
    return render(request, "curation/_review_checks.html", shown)


@members(*LEADS, Role.ADJUSTER)
@require_POST
def review_accept(request: CorpusRequest, family: str, proposal: int) -> HttpResponse:
    """Make a proposal a query, and go on to the next."""
    found = proposal_of(request, family, proposal)
    draft, now = draft_of(request, found), timezone.now()
    if draft.locale:
        request.reach.require_review(draft.locale)
    try:
        query = actions.accept(corpus=request.corpus, draft=draft, reviewer=request.user, now=now)
    except Refused as refusal:
        messages.error(request, str(refusal))
        return review_page(request, asked_of(request, family, at=found.pk), draft=draft, status=422)
    tasks.send(ask_for_pools(corpus=request.corpus, asked_by=request.user, now=now).pk)
    messages.success(request, f"Accepted: “{query.text}” is query {query.external_id} and waits to be judged.")
    return to_next(request, family, after=found.pk)


@members(*LEADS, Role.ADJUSTER)
@require_POST
def review_reject(request: CorpusRequest, family: str, proposal: int) -> HttpResponse:
    """Put a proposal aside with a reason, and go on to the next."""
    found = proposal_of(request, family, proposal)
    if found.locale not in {"", UNDETERMINED}:
        request.reach.require_review(found.locale)
    form = RejectForm(request.POST)
    reason = form.cleaned_data["reason"] if form.is_valid() else ""
    try:
        actions.reject(corpus=request.corpus, proposal=found, reason=reason, reviewer=request.user, now=timezone.now())
    except Refused as refusal:
        messages.error(request, str(refusal))
        return review_page(request, asked_of(request, family, at=found.pk), status=422)
    messages.success(request, ended(f"Rejected: {reports.title_of(found)}, {reason}"))
    return to_next(request, family, after=found.pk)


@members(*LEADS, Role.ADJUSTER)
@require_POST
def review_undo(request: CorpusRequest, family: str, proposal: int) -> HttpResponse:
    """Take back a verdict of one's own, and open that proposal again."""
    found = proposal_of(request, family, proposal)
    try:
        actions.undo(corpus=request.corpus, proposal=found, reviewer=request.user, now=timezone.now())
    except Refused as refusal:
        messages.error(request, str(refusal))
    else:
        messages.success(request, f"Verdict taken back: {reports.title_of(found)} waits for review again.")
    return to_queue(request, family, at=found.pk)


@members(Role.LEAD)
@require_POST
def review_threshold(request: CorpusRequest) -> HttpResponse:
    """Ask for the groups of the kept scores at another threshold, and show how far they are."""
    form = ThresholdForm(request.POST)
    if not form.is_valid():
        messages.error(request, " ".join(map(str, form.errors["threshold"])))
        return to_queue(request, Miner.NEAR_DUPLICATE, at=None)
    threshold = form.cleaned_data["threshold"]
    try:
        asked = tighten(corpus=request.corpus, threshold=threshold, asked_by=request.user, now=timezone.now())
    except Refused as refusal:
        messages.error(request, str(refusal))
        return to_queue(request, Miner.NEAR_DUPLICATE, at=None)
    if isinstance(asked, MiningRun):
        messages.info(request, f"These are the groups from a similarity of {threshold:g} on already.")
        return to_queue(request, Miner.NEAR_DUPLICATE, at=None)
    tasks.send(asked.pk)
    told = f"Grouping from a similarity of {threshold:g} on. Until it ends, the review shows the groups as they were."
    messages.info(request, told)
    return redirect("mining", request.corpus.slug)


def review_page(
    request: CorpusRequest, asked: reports.Asked, *, draft: Draft | None = None, status: int = 200
) -> HttpResponse:
    """The page: tabs, queue, and the current proposal with `draft` (its own first one where None)."""
    queue = reports.queue(request.corpus, asked, reviewer=request.user)
    shown: dict[str, Any] = {"queue": queue, "asked": asked, "in_field": request.POST.get("in_field", "")}
    shown["queue_locales"] = known = evidence.corpus_locales(request.corpus)
    if asked.family == Miner.NEAR_DUPLICATE:
        shown |= {"threshold": threshold_of(queue.run), "may_tighten": request.reach.leads_all}
    if queue.current is not None:
        locales = evidence.locales_of(known, queue.current)
        shown |= shown_of(request, draft or first_draft(queue.current, locale=locales.chosen))
        shown |= {
            "locales": locales,
            "reasons": keyed_reasons(asked.family),
            "family_template": TEMPLATES[asked.family],
        }
        shown["term"] = term_of(request.corpus, queue.current)
        shown |= past_of(request, queue.current)
        if queue.current.status != Proposal.Status.PENDING:
            shown["verdict"] = actions.verdict_in_words(request.corpus, queue.current)
    return render(request, "curation/review.html", shown, status=status)


def past_of(request: CorpusRequest, proposal: Proposal) -> dict[str, Any]:
    """What became of a group since the last generation, with the verdict it was given there."""
    history = history_of(proposal)
    before = history.before if history and history.words else None
    if before is None or before.status == Proposal.Status.PENDING:
        return {"history": history}
    return {"history": history, "earlier_verdict": actions.verdict_in_words(request.corpus, before)}


def shown_of(request: CorpusRequest, draft: Draft) -> dict[str, Any]:
    """A draft with its evidence and what the checks say of it."""
    found, ranks = checked(request.corpus, draft), ranks_of(request.corpus, draft)
    return {
        "draft": draft,
        "proposal": draft.proposal,
        "checked": found,
        "columns": evidence.columns_of(draft),
        "ranks": ranks,
        "versions": evidence.versions_of(draft, found, ranks),
        "named": evidence.named_of(found),
        "source": evidence.source_of(request.corpus, draft),
        "keyword": keyword_of(request.corpus, draft),
    }


def draft_of(request: CorpusRequest, proposal: Proposal) -> Draft:
    """What the posted form makes of a proposal."""
    locales = evidence.locales_of(evidence.corpus_locales(request.corpus), proposal)
    form = AcceptForm(request.POST, locales=locales.choices)
    form.is_valid()
    given = form.cleaned_data
    target = given.get("target")
    text = given.get("text", "") if Miner(proposal.run.miner) != Miner.SHORT_KEYWORD else proposal.text
    draft = Draft(proposal, text, given.get("locale", ""), target - 1 if target else None, given.get("need", ""))
    return draft.following_target()


def proposal_of(request: CorpusRequest, family: str, proposal: int) -> Proposal:
    """The proposal of this corpus and family, or 404."""
    rows = Proposal.objects.filter(run__generation__index__corpus=request.corpus, run__miner=family_of(family))
    related = ("run__generation__index", "group", "document", "reviewer")
    return get_object_or_404(rows.select_related(*related), pk=proposal)


def family_of(name: str) -> Miner:
    """A reviewable family by its name in the address, or 404."""
    if name not in reports.FAMILIES:
        raise Http404(f"There is no family {name} to review.")
    return Miner(name)


def asked_of(request: CorpusRequest, family: str, *, at: int | None = None) -> reports.Asked:
    """Where the address says the reviewer wants to stand."""
    given = request.GET.get("at", "")
    asked_at = int(given) if given.isascii() and given.isdecimal() and len(given) < 10 else None
    locale = searched(request, "locale")
    known = locale if locale and locale in evidence.corpus_locales(request.corpus) else ""
    return reports.Asked(family_of(family), at or asked_at, searched(request), known)


def to_next(request: CorpusRequest, family: str, *, after: int) -> HttpResponse:
    """Go to the next proposal to review after this one."""
    asked = asked_of(request, family, at=after)
    return to_queue(request, family, at=reports.next_to_review(request.corpus, asked))


def to_queue(request: CorpusRequest, family: str, *, at: int | None) -> HttpResponse:
    """Go to a proposal of the queue, with the filter kept."""
    questions = {"at": at, "q": searched(request), "locale": searched(request, "locale")}
    given = urlencode({name: value for name, value in questions.items() if value})
    address = reverse("review", args=[request.corpus.slug, family])
    return redirect(f"{address}?{given}" if given else address)
