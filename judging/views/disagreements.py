"""Disagreements: what judges graded differently, one open at a time, settled by a lead."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from curation.access import LEADS, CorpusRequest, members
from curation.actions.refusal import Refused
from curation.models import Query
from judging.actions.adjudicating import NO_CAUSE, NO_GRADE, adjudicate, take_back
from judging.forms import SettleForm, Showing, ShowingForm, UndoSettlingForm
from judging.models import Adjudication
from judging.reports import disagreements as reports
from judging.reports.agreement import agreement_by_locale
from judging.reports.disagreement import detail
from judging.reports.disagreements import Disagreement

GRADES = ((0, "Looks right, is wrong"), (1, "Same topic"), (2, "Answers part"), (3, "Answers it"))
leads = members(*LEADS)
UNREADABLE = "This could not be read, so nothing was changed. Press again."
GONE = "That disagreement is not open any more. What is settled about its query stands on the query's page."
HASTY = f"Decided in under {Adjudication.HASTY} s. Press again to settle it all the same, or look once more."


@leads
@never_cache
def disagreements(request: CorpusRequest) -> HttpResponse:
    """Show the list with its first disagreement, or what is finished where none is open."""
    rows = rows_of(request)
    return show(request, rows, rows[0] if rows else None)


@leads
@never_cache
def disagreement(request: CorpusRequest, dispute: int) -> HttpResponse:
    """Show one disagreement beside the list."""
    rows = rows_of(request)
    found = next((row for row in rows if row.dispute.pk == dispute), None)
    if found is None:
        messages.info(request, GONE)
        return show(request, rows, rows[0] if rows else None, status=404)
    return show(request, rows, found)


@leads
@require_POST
def disagreement_settle(request: CorpusRequest) -> HttpResponse:
    """Settle a disagreement and open the next; one decided too fast is asked for once more."""
    form, rows = SettleForm(request.POST), rows_of(request)
    if not form.is_valid():
        return unreadable(request)
    showing, decision = form.cleaned_data["showing"], form.decision(timezone.now())
    request.reach.require(*locale_of(request, showing.query_id))
    found = open_at(rows, showing)
    if found and form.is_complete and decision.seconds < Adjudication.HASTY and not form.is_repeated:
        messages.warning(request, HASTY)
        return show(request, rows, found, form=form)
    try:
        made = adjudicate(
            corpus=request.corpus,
            person=request.user,
            query_id=showing.query_id,
            canonical_id=showing.canonical_id,
            decision=decision,
            now=timezone.now(),
        )
    except Query.DoesNotExist as missing:
        raise Http404("There is no such query in this corpus.") from missing
    except Refused as refusal:
        rows = rows_of(request)
        still = open_at(rows, showing)
        if still and not form.is_complete:
            return show(request, rows, still, form=form, missing=str(refusal))
        messages.warning(request, str(refusal))
        return show(request, rows, still, form=form) if still else go_on(request, showing.place)
    messages.success(request, settled_in_words(made, found))
    return go_on(request, showing.place)


@leads
@require_POST
def disagreement_skip(request: CorpusRequest) -> HttpResponse:
    """Put a disagreement behind all others for as long as the lead is signed in, and open the next."""
    form, rows = ShowingForm(request.POST), rows_of(request)
    if not form.is_valid():
        return unreadable(request)
    showing = form.cleaned_data["showing"]
    if found := open_at(rows, showing):
        later = [key for key in put_off(request) if key != found.dispute.pk]
        still_open = {row.dispute.pk for row in rows}
        request.session[later_in(request)] = [*(key for key in later if key in still_open), found.dispute.pk]
    return go_on(request, showing.place if showing.place < len(rows) - 1 else 0)


@leads
@require_POST
def disagreement_undo(request: CorpusRequest) -> HttpResponse:
    """Take back a decision of one's own, and show its disagreement again."""
    form = UndoSettlingForm(request.POST)
    if not form.is_valid():
        return unreadable(request)
    key = form.cleaned_data["adjudication"]
    try:
        made = take_back(corpus=request.corpus, person=request.user, adjudication_id=key, now=timezone.now())
    except Adjudication.DoesNotExist as missing:
        raise Http404("You decided no such thing here.") from missing
    except Refused as refusal:
        messages.warning(request, str(refusal))
        return redirect("disagreements", request.corpus.slug)
    again = reports.open_in(request.corpus).filter(query=made.query_id, canonical_id=made.canonical_id).first()
    if again is None:
        messages.success(request, f"Taken back: opinions on {made.canonical_id} do not differ any more, so none waits.")
        return redirect("disagreements", request.corpus.slug)
    messages.success(request, f"Taken back: query {made.query.external_id} waits for a decision again.")
    return redirect("disagreement", request.corpus.slug, again.pk)


def show(
    request: CorpusRequest,
    rows: Sequence[Disagreement],
    current: Disagreement | None,
    *,
    form: SettleForm | None = None,
    missing: str = "",
    status: int = 200,
) -> HttpResponse:
    """The page with `current` open; a `form` that was refused keeps what was chosen and says what is `missing`."""
    now = timezone.now()
    shown: dict[str, Any] = {
        "rows": rows,
        "splitting": sum(row.splits for row in rows),
        "settled": reports.settled_today(request.corpus, now=now),
        "departed": reports.departed(request.corpus, locales=request.reach.locales, now=now),
        "most_departed": reports.MOST_LEFT,
        "last": reports.last_decision(request.corpus, request.user),
        "form": form,
        "missing": missing,
        "causes": Adjudication.Cause.choices,
        "grades": GRADES,
        "no_cause": NO_CAUSE,
        "no_grade": NO_GRADE,
        "locales": agreement_by_locale(request.corpus),
    }
    if current is not None:
        shown["detail"] = detail(current, reader=request.user)
        shown["showing"] = Showing.of(current, place=list(rows).index(current), now=now).signed()
    return render(request, "judging/disagreements.html", shown, status=422 if form else status)


def rows_of(request: CorpusRequest) -> list[Disagreement]:
    """The open disagreements of the locales that the person leads, those they put off last."""
    return reports.disagreements(request.corpus, later=put_off(request), locales=request.reach.locales)


def locale_of(request: CorpusRequest, query: int) -> list[str]:
    """The locale of a query; none where the corpus has no such query."""
    return list(request.corpus.queries.filter(pk=query).values_list("stratum__query_language", flat=True))


def later_in(request: CorpusRequest) -> str:
    """Where the session keeps what was put off in this corpus."""
    return f"disagreements put off in {request.corpus.pk}"


def put_off(request: CorpusRequest) -> list[int]:
    """The keys of the disputes that the lead put off, in the order in which they did."""
    return list(request.session.get(later_in(request), []))


def open_at(rows: Sequence[Disagreement], showing: Showing) -> Disagreement | None:
    """The disagreement that was shown, where it is still open."""
    return next((row for row in rows if (row.dispute.query_id, row.dispute.canonical_id) == showing.pair), None)


def go_on(request: CorpusRequest, place: int) -> HttpResponse:
    """Open the disagreement that stands at `place` of the list now, the first where the list is shorter."""
    rows = rows_of(request)
    if not rows:
        return redirect("disagreements", request.corpus.slug)
    return redirect("disagreement", request.corpus.slug, rows[place if place < len(rows) else 0].dispute.pk)


def unreadable(request: CorpusRequest) -> HttpResponse:
    """A form that no page of ours sent."""
    messages.warning(request, UNREADABLE)
    return redirect("disagreements", request.corpus.slug)


def settled_in_words(made: Adjudication, found: Disagreement | None) -> str:
    """What was settled, and now also who had said what."""
    author = ", which you wrote," if made.is_by_author else ""
    words = f"{made.canonical_id} for query {made.query.external_id}{author} settled at {made.grade}."
    if found is None:
        return words
    said = (
        f"{voice.name} was {voice.opinion.judgment.assessor} "
        f"({'left unmarked' if voice.opinion.swept else voice.opinion.grade})"
        for voice in found.voices
    )
    return f"{words} {', '.join(said)}."
