"""Judging: the next query, its list of candidates, and what each key does.

Every address answers the page's script with JSON and a form with a page.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_GET, require_POST

from curation.access import LEADS, CorpusRequest, members
from curation.actions.refusal import Refused
from curation.models import Role
from curation.reports.moments import moment_in_words
from judging.actions import assignments, finishing, marks, mismatches, sweeping, undoing
from judging.actions.keeping import keep_findings
from judging.actions.reasons import NothingRelevant
from judging.forms import TEXT, FinishForm, MarkForm, MismatchForm, UndoForm, marks_of_page
from judging.models import Assignment, Candidate
from judging.reports.opinions import value_of
from judging.reports.own import own_assignment
from judging.reports.pool_page import pool_page

P = ParamSpec("P")
judges = members(*LEADS, Role.ADJUSTER)
LEADS_ON = "Finish leads to the next query."
SURPLUS = "Your lease ran out and someone else judges this query now, so your marks are kept and not counted."


def wants_json(request: HttpRequest) -> bool:
    """Whether the page's script asks, and not a form."""
    return request.headers.get("Accept", "").startswith("application/json")


def is_of_someone_else(request: CorpusRequest) -> bool:
    """Whether the page that was posted was opened by another person than the one who is signed in now."""
    return request.POST.get("assessor", "") not in {"", str(request.user.pk)}


def answers_refusals(
    view: Callable[Concatenate[CorpusRequest, P], HttpResponse],
) -> Callable[Concatenate[CorpusRequest, P], HttpResponse]:
    """Let `view` answer 404 for what is not the person's own, and a refusal in its own words.

    What was pressed on another person's page is refused before anything is read of it.
    """

    @wraps(view)
    def answered(request: CorpusRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        if is_of_someone_else(request):
            return refused(request, f"You are signed in as {request.user} here now. Nothing was saved under that name.")
        try:
            return view(request, *args, **kwargs)
        except (Assignment.DoesNotExist, Candidate.DoesNotExist) as missing:
            if wants_json(request):
                return refused(request, "Nothing of yours is there any more.", status=404)
            raise Http404("Nothing of yours is there.") from missing
        except marks.Withdrawn as gone:
            return refused(request, f"{gone} {LEADS_ON}" if wants_json(request) else str(gone))
        except Refused as refusal:
            return refused(request, str(refusal))

    return answered


def refused(request: CorpusRequest, words: str, *, status: int = 409) -> HttpResponse:
    """What cannot be done, in words; a form goes on with the next query."""
    if wants_json(request):
        told = {"refused": words, "someone_else": is_of_someone_else(request)}
        return JsonResponse(told, status=status)
    messages.warning(request, words)
    return redirect("judge", request.corpus.slug)


def unreadable(request: CorpusRequest, assignment: int, words: str) -> HttpResponse:
    """What cannot be read, in words.

    Raises:
        Assignment.DoesNotExist: it is said of an assignment that is not the person's own.
    """
    own_assignment(request.corpus, request.user, assignment)
    return refused(request, words, status=400)


def page_of(request: CorpusRequest, assignment: Assignment) -> str:
    """The page on which `assignment` is judged."""
    page = pool_page(assignment, now=timezone.now())
    keep_findings(fresh=page.fresh)
    return render_to_string("judging/judge.html", {"page": page}, request)


def go_on(request: CorpusRequest, assignment: Assignment | None, **told_too: str | int | None) -> HttpResponse:
    """Lead to `assignment`; the page's script gets it with this very answer, so that the next query waits for nothing.

    It comes with all that is told of its query. None leads to the page that says that nothing waits. `told_too` is for
    the script alone.
    """
    slug = request.corpus.slug
    where = reverse("judge_query", args=[slug, assignment.pk]) if assignment else reverse("judge", args=[slug])
    if not wants_json(request):
        return redirect(where)
    told = {"next": where, **told_too}
    if assignment is not None:
        told["page"] = page_of(request, assignment)
    return JsonResponse(told, json_dumps_params={"ensure_ascii": False})


def next_one(request: CorpusRequest) -> HttpResponse:
    """Lease the next query to the person, who has ended one, and lead there."""
    return go_on(request, assignments.next_after(corpus=request.corpus, person=request.user, now=timezone.now()))


@judges
@require_GET
@never_cache
def judge(request: CorpusRequest) -> HttpResponse:
    """Lease the next query to the person, or say that nothing waits."""
    assignment = assignments.next_for(corpus=request.corpus, person=request.user, now=timezone.now())
    if assignment is None:
        return render(request, "judging/judge_empty.html")
    return redirect("judge_query", request.corpus.slug, assignment.pk)


@judges
@never_cache
@gzip_page
@answers_refusals
def judge_query(request: CorpusRequest, assignment: int) -> HttpResponse:
    """Show the candidates of one query with what the person marked so far."""
    taken = assignments.take_up(
        corpus=request.corpus, person=request.user, assignment_id=assignment, now=timezone.now()
    )
    return HttpResponse(page_of(request, taken))


@judges
@require_POST
@answers_refusals
def judge_mark(request: CorpusRequest, assignment: int) -> HttpResponse:
    """Save one mark."""
    form = MarkForm(request.POST)
    if not form.is_valid():
        return unreadable(request, assignment, "This mark could not be read, so it was not saved. Reload the page.")
    given, now = form.mark(), timezone.now()
    marked = marks.mark(corpus=request.corpus, person=request.user, assignment_id=assignment, given=given, now=now)
    if not wants_json(request):
        return redirect("judge_query", request.corpus.slug, assignment)
    judgment = marked.judgment
    return JsonResponse(
        {
            "candidate": judgment.candidate_id,
            "value": value_of(judgment.state, judgment.grade),
            "number": judgment.number,
            "note": judgment.note,
            "for_twins": judgment.for_twins,
            "stands": marked.stands,
            "when": "" if marked.stands else moment_in_words(judgment.judged_at, corpus=request.corpus, now=now),
            "words": "" if marked.counts else SURPLUS,
        }
    )


@judges
@require_POST
@answers_refusals
def judge_mismatch(request: CorpusRequest, assignment: int) -> HttpResponse:
    """Flag a candidate; without script, ask first what is wrong with it."""
    form = MismatchForm(request.POST)
    if not form.is_valid():
        return unreadable(request, assignment, "This flag could not be read, so it was not saved. Reload the page.")
    if not wants_json(request) and "reason" not in request.POST:
        save_page(request, assignment)
        own = own_assignment(request.corpus, request.user, assignment)
        page = pool_page(own, now=timezone.now())
        row = next((row for row in page.rows if row.key == form.cleaned_data["candidate"]), None)
        if row is None:
            raise Candidate.DoesNotExist
        return render(request, "judging/judge_mismatch.html", {"page": page, "row": row})
    flag = mismatches.flag(
        corpus=request.corpus, person=request.user, assignment_id=assignment, given=form.flag(), now=timezone.now()
    )
    if not wants_json(request):
        return redirect("judge_query", request.corpus.slug, assignment)
    return JsonResponse({"candidate": form.cleaned_data["candidate"], "reason": flag.reason if flag else ""})


@judges
@require_POST
@gzip_page
@answers_refusals
def judge_undo(request: CorpusRequest, assignment: int) -> HttpResponse:
    """Take back the last mark or flag; on a query without any, go back to the one before."""
    form = UndoForm(request.POST)
    if not form.is_valid():
        return unreadable(request, assignment, "This could not be read, so nothing was taken back. Reload the page.")
    given = undoing.Undo(form.cleaned_data["token"], marks_of_page(request.POST))
    undone = undoing.undo(
        corpus=request.corpus, person=request.user, assignment_id=assignment, given=given, now=timezone.now()
    )
    for words in undone.unsaved:
        messages.warning(request, words)
    if not wants_json(request) and undone.words:
        messages.info(request, undone.words)
    opened = own_assignment(request.corpus, request.user, undone.assignment.pk)
    return go_on(request, opened, words=undone.words, candidate=undone.candidate_id)


@judges
@require_POST
@gzip_page
@answers_refusals
def judge_skip(request: CorpusRequest, assignment: int) -> HttpResponse:
    """Put the query off until nothing else waits."""
    save_page(request, assignment)
    said = assignments.skip(corpus=request.corpus, person=request.user, assignment_id=assignment, now=timezone.now())
    messages.success(request, said)
    return next_one(request)


@judges
@require_POST
@gzip_page
@answers_refusals
def judge_finish(request: CorpusRequest, assignment: int) -> HttpResponse:
    """Finish the query; without script, ask first what the unmarked rows mean. A withdrawn one only leads on."""
    form = FinishForm(request.POST)
    if not form.is_valid():
        return refused(request, "This could not be read, so the query is not finished. Reload the page.", status=400)
    if not (wants_json(request) or (form.cleaned_data["read"] and "seen" in request.POST)):
        save_page(request, assignment)
        return ask(request, assignment, seen=list_posted(request))
    try:
        finished = finishing.finish(
            corpus=request.corpus,
            person=request.user,
            assignment_id=assignment,
            ending=form.ending(),
            now=timezone.now(),
        )
    except NothingRelevant as refusal:
        return (
            refused(request, str(refusal), status=422)
            if wants_json(request)
            else ask(request, assignment, seen=form.cleaned_data["seen"])
        )
    except sweeping.Replaced as refusal:
        return refused(request, str(refusal), status=412)
    except marks.Withdrawn as gone:
        messages.warning(request, str(gone))
        return next_one(request)
    for notice in finished.notices:
        messages.info(request, notice)
    messages.success(request, f"Query {finished.assignment.pool.query.external_id} finished.")
    return next_one(request)


def save_page(request: CorpusRequest, assignment: int) -> None:
    """Without script, the marks travel with the button that was pressed; what is not saved is told."""
    if given := marks_of_page(request.POST):
        unsaved = marks.mark_page(
            corpus=request.corpus, person=request.user, assignment_id=assignment, given=given, now=timezone.now()
        )
        for words in unsaved:
            messages.warning(request, words)


def list_posted(request: CorpusRequest) -> str:
    """The rows of the list that was posted without script, with their texts, as `FinishForm` takes them back."""
    texts = ((name.removeprefix(TEXT), text) for name, text in request.POST.items() if name.startswith(TEXT))
    return " ".join(f"{key}:{text}" for key, text in texts)


def ask(request: CorpusRequest, assignment: int, *, seen: str) -> HttpResponse:
    """Ask whether the unmarked rows were read, and why nothing is relevant where nothing is.

    `seen` is the list of which it is asked: what joins the pool meanwhile, and a text that changes, was not in it.
    """
    own, now = own_assignment(request.corpus, request.user, assignment), timezone.now()
    marks.refuse_ended(own, now)
    return render(request, "judging/judge_finish.html", {"page": pool_page(own, now=now), "seen": seen})
