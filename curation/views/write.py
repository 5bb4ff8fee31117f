"""The writer's desk: the next need, live checks, saving, skipping, undoing."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST

from curation import tasks
from curation.access import CorpusRequest, members, roles_of, writes_in
from curation.actions.pooling import ask_for_pools
from curation.actions.refusal import Refused
from curation.actions.retiring import take_back
from curation.actions.written import new_token, write_query
from curation.forms.faults import faults_of
from curation.forms.write import WordingForm
from curation.models import Need, Query, QueryType, Role
from curation.reports import desk as reports
from curation.reports.checks import Typed, WordingRefused, checks, have_of
from curation.reports.places import key_of
from curation.templatetags.strata import cell_name, toward_goal

SKIPPED = "skipped_needs"
MOST_SKIPPED = 200


@members(Role.WRITER, Role.LEAD)
def write(request: CorpusRequest) -> HttpResponse:
    """Show the next need; save a wording of it."""
    if request.method != "POST":
        return desk_page(request, typed=taken_back(request))
    form = WordingForm(request.POST, locales=writable(request))
    if not form.is_valid():
        return desk_page(request, fault=faults_of(form))
    typed = typed_in(request, form)
    try:
        query = write_query(corpus=request.corpus, typed=typed, author=request.user, token=form.cleaned_data["token"])
    except (WordingRefused, Refused) as refusal:
        return desk_page(request, typed=typed, fault=str(refusal))
    tasks.send(ask_for_pools(corpus=request.corpus, asked_by=request.user, now=timezone.now()).pk)
    key = key_of(query.stratum)
    have = toward_goal(have_of(request.corpus, key))
    messages.success(request, f"Query saved: {cell_name(key.dimensions)}. {have}.")
    return to_desk(request)


@members(Role.WRITER, Role.LEAD)
@require_POST
def write_checks(request: CorpusRequest) -> HttpResponse:
    """Check a text without saving it: the fragment for the live checks, the page where there is no script."""
    form = WordingForm(request.POST, locales=writable(request))
    whole = "HX-Request" not in request.headers
    if not form.is_valid():
        return desk_page(request, fault=faults_of(form)) if whole else HttpResponse(status=422)
    typed = typed_in(request, form)
    if whole:
        return desk_page(request, typed=typed)
    shown = {"oob": True, "locale": typed.locale, "wanted": form.cleaned_data["wanted"], **checked(request, typed)}
    return render(request, "curation/_write_checks.html", shown)


@members(Role.WRITER, Role.LEAD)
@require_POST
def write_skip(request: CorpusRequest) -> HttpResponse:
    """Put a need at the end of the queue, as long as the person stays signed in."""
    need = number(request.POST.get("need"))
    if need:
        others = [pk for pk in skipped(request) if pk != need]
        held = request.session.get(SKIPPED, {})
        request.session[SKIPPED] = {**held, request.corpus.slug: [*others, need][-MOST_SKIPPED:]}
    return to_desk(request)


@members(Role.WRITER, Role.LEAD)
@require_POST
def write_undo(request: CorpusRequest) -> HttpResponse:
    """Take back a query of one's own, and put its text on the desk again."""
    query = get_object_or_404(Query, corpus=request.corpus, pk=number(request.POST.get("query")))
    try:
        back = take_back(query=query, by=request.user, now=timezone.now())
    except Refused as refusal:
        messages.error(request, str(refusal))
        return to_desk(request)
    messages.success(request, "Query taken back. Its text is in the field again.")
    return to_desk(request, again=str(back.pk))


def desk_page(request: CorpusRequest, *, typed: Typed | None = None, fault: str = "") -> HttpResponse:
    """The desk: with what was typed and why it is refused, else with the next need and an empty field."""
    locales = writable(request)
    asked = [tag for tag in locales if tag == request.GET.get("locale")]
    visitor = reports.Visitor(
        user=request.user,
        locales=[typed.locale] if typed else asked or locales,
        need=typed.need.pk if typed else number(request.GET.get("need")),
        skipped=skipped(request),
    )
    desk = reports.desk(request.corpus, visitor, now=timezone.now())
    shown: dict[str, Any] = {
        "desk": desk,
        "typed": typed,
        "locales": locales,
        "is_lead": Role.LEAD in roles_of(request),
    }
    status = 422 if fault else 200
    if isinstance(desk, reports.Idle):
        return render(request, "curation/write_idle.html", {**shown, "fault": fault}, status=status)
    wanted = cell_name(desk.wanted.shortfall.dimensions) if desk.wanted else ""
    shown |= {"locale": desk.locale, "wanted": wanted}
    shown |= {"token": new_token(), "types": QueryType.choices, **(checked(request, typed) if typed else {})}
    return render(request, "curation/write.html", {**shown, "fault": fault or shown.get("fault")}, status=status)


def typed_in(request: CorpusRequest, form: WordingForm) -> Typed:
    """What a valid form says."""
    given = form.cleaned_data
    need = get_object_or_404(Need, corpus=request.corpus, pk=given["need"])
    return Typed(need=need, locale=given["locale"], text=given["text"], chosen_type=given["query_type"])


def checked(request: CorpusRequest, typed: Typed) -> dict[str, Any]:
    """What the list of checks shows of a typed text: nothing yet where it is empty."""
    if not typed.text.strip():
        return {}
    try:
        found = checks(request.corpus, typed)
    except WordingRefused as refusal:
        return {"fault": str(refusal)}
    return {"checks": found, "fault": found.refusal}


def taken_back(request: CorpusRequest) -> Typed | None:
    """The text that the person has just taken back (`?again=`), to be mended."""
    query = reports.taken_back(request.corpus, request.user, number(request.GET.get("again")) or 0)
    if query is None or query.need is None or query.stratum.query_language not in writable(request):
        return None
    guessed = query.metadata.get("guessed_type") == query.stratum.query_type
    chosen = "" if guessed else query.stratum.query_type
    return Typed(need=query.need, locale=query.stratum.query_language, text=query.text, chosen_type=chosen)


def writable(request: CorpusRequest) -> list[str]:
    """The locales that the person may write in here: a lead in all of the corpus, a writer in their own."""
    return reports.locales_of(request.corpus) if Role.LEAD in roles_of(request) else writes_in(request)


def skipped(request: CorpusRequest) -> list[int]:
    """The needs that the person passed over, the latest last."""
    return list(request.session.get(SKIPPED, {}).get(request.corpus.slug, []))


def to_desk(request: CorpusRequest, **asked: str) -> HttpResponse:
    """Go to the desk, in the locale that the person narrowed it to."""
    questions = {"locale": request.GET.get("locale", ""), **asked}
    given = urlencode({name: value for name, value in questions.items() if value})
    return redirect(reverse("write", args=[request.corpus.slug]) + (f"?{given}" if given else ""))


def number(given: str | None) -> int | None:
    """A row's number from an address or a form, None for anything else."""
    return int(given) if given and given.isascii() and given.isdecimal() and len(given) < 10 else None
