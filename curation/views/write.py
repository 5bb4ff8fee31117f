"""The writer's desk: the next need, live checks, saving, skipping, undoing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST

from curation import tasks
from curation.access import LEADS, CorpusRequest, members
from curation.actions.drafts import keep_draft
from curation.actions.pooling import ask_for_pools
from curation.actions.refusal import Refused
from curation.actions.retiring import take_back
from curation.actions.written import new_token, write_query
from curation.forms.faults import faults_of
from curation.forms.write import WordingForm, respelt_in
from curation.measures.cost import WRITING_SECONDS
from curation.models import Need, Query, QueryType, Role, WordingDraft
from curation.reports import desk as reports
from curation.reports.articles import article
from curation.reports.checks import Reading, Respelt, Typed, WordingRefused, checks, have_of
from curation.reports.coming import destination_of
from curation.reports.hints import hints
from curation.reports.language_hint import language_model
from curation.reports.places import key_of
from curation.reports.taken import Wording
from curation.reports.variants import Original, Variant, blank, remembered, respelt_of, variants
from curation.templatetags.strata import cell_name, toward_goal

SKIPPED = "skipped_needs"
MOST_SKIPPED = 200


@members(*LEADS, Role.WRITER)
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
    messages.success(request, saved_in_words(query))
    return to_desk(request)


def saved_in_words(query: Query) -> str:
    """That a query is saved and its spellings too: the cell of each, and how full it is."""
    spelt = query.variants.exclude(status=Query.Status.RETIRED).select_related("stratum").order_by("pk")
    first, *others = map(landed_in_words, (query, *spelt))
    return " ".join([f"Query saved: {first}", *(f"In another spelling: {each}" for each in others)])


def landed_in_words(query: Query) -> str:
    """The cell of a saved query and how full it is; where it is on the way to another cell, how full that is."""
    place = key_of(query.stratum)
    gold = query.need.gold_canonical_id if query.need else ""
    toward = destination_of(query.corpus, place, asked=query.asked_corpus_language, gold=gold)
    full = toward_goal(have_of(query.corpus, toward or place))
    joins = f" Once judged, it joins {cell_name(toward.dimensions)}:" if toward else ""
    return f"{cell_name(place.dimensions)}.{joins} {full}."


@members(*LEADS, Role.WRITER)
@require_POST
def write_checks(request: CorpusRequest) -> HttpResponse:
    """Check a text without saving it: the fragment for the live checks, the page where there is no script."""
    form = WordingForm(request.POST, locales=writable(request))
    whole = "HX-Request" not in request.headers
    if not form.is_valid():
        return desk_page(request, fault=faults_of(form)) if whole else HttpResponse(status=422)
    typed = typed_in(request, form)
    if whole:
        return kept_page(request, typed, form.cleaned_data["token"])
    shown = {"oob": True, "locale": typed.locale, "wanted": form.cleaned_data["wanted"], **checked(request, typed)}
    shown["retold"] = " ".join(taken_words(shown)) != form.cleaned_data["taken"]
    return render(request, "curation/_write_checks.html", shown)


@members(*LEADS, Role.WRITER)
@require_POST
def write_skip(request: CorpusRequest) -> HttpResponse:
    """Put a need at the end of the queue, as long as the person stays signed in."""
    need = number(request.POST.get("need"))
    if need:
        others = [pk for pk in skipped(request) if pk != need]
        held = request.session.get(SKIPPED, {})
        request.session[SKIPPED] = {**held, request.corpus.slug: [*others, need][-MOST_SKIPPED:]}
    return to_desk(request)


@members(*LEADS, Role.WRITER)
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
        "is_lead": request.reach.leads_any,
    }
    status = 422 if fault else 200
    if isinstance(desk, reports.Idle):
        shown["written"] = reports.written_today(request.corpus, request.user, now=timezone.now())
        return render(request, "curation/write_idle.html", {**shown, "fault": fault}, status=status)
    wanted = cell_name(desk.wanted.shortfall.dimensions) if desk.wanted else ""
    language_model()  # it loads while the person reads
    sought = desk.wanted.shortfall.count.corpus_language if desk.wanted else ""
    shown |= {"locale": desk.locale, "wanted": wanted, "asked": sought}
    shown |= {"token": new_token(), "types": QueryType.choices, "budget": WRITING_SECONDS}
    if typed is None and desk.draft:
        typed = replace(drafted(request, desk.draft), asked=sought)
        shown |= {"typed": typed, "token": desk.draft.token, "is_draft": True}
    shown |= checked(request, typed) if typed else {"spellings": begun(request, desk.locale)}
    return render(request, "curation/write.html", {**shown, "fault": fault or shown.get("fault")}, status=status)


def drafted(request: CorpusRequest, draft: WordingDraft) -> Typed:
    """A draft as it was typed, with the spellings that its writer chose the last time."""
    respelt = [Respelt(key, wanted=True) for key in remembered(request.corpus, request.user, draft.locale)]
    return Typed(draft.need, draft.locale, draft.text, draft.query_type, respelt, draft.seconds)


def kept_page(request: CorpusRequest, typed: Typed, token: str) -> HttpResponse:
    """The desk with what was typed, which is kept as a draft: where there is no script, nothing else keeps it."""
    try:
        keep_draft(typed=typed, user=request.user, token=token, now=timezone.now())
    except Refused as refusal:
        return desk_page(request, typed=typed, fault=str(refusal))
    return desk_page(request, typed=typed)


def typed_in(request: CorpusRequest, form: WordingForm) -> Typed:
    """What a valid form says."""
    given = form.cleaned_data
    need = get_object_or_404(Need, corpus=request.corpus, pk=given["need"])
    respelt = respelt_in(request.POST, given["locale"])
    return Typed(need, given["locale"], given["text"], given["query_type"], respelt, given["seconds"], given["asked"])


def checked(request: CorpusRequest, typed: Typed) -> dict[str, Any]:
    """What the page shows of a typed text: checks and spellings; no checks yet where it is empty."""
    wanted = [each.key for each in typed.respelt if each.wanted]
    unread = {"spellings": blank(typed.locale, wanted)}
    if not typed.text.strip():
        return unread
    try:
        found = checks(request.corpus, typed)
    except WordingRefused as refusal:
        return {**unread, "fault": str(refusal)}
    original = Original(found.reading.text, found.reading.place, typed.need, asked=typed.asked)
    spelt = variants(request.corpus, original, typed.respelt)
    return {"checks": found, "fault": found.refusal, "spellings": spelt, **hinted(request, typed, found.reading)}


def hinted(request: CorpusRequest, typed: Typed, reading: Reading) -> dict[str, Any]:
    """What informs the writer, and the document in which the words are underlined that they took over."""
    gold = article(request.corpus, typed.need.gold_canonical_id, locale=typed.locale)
    return {
        "hints": hints(request.corpus, typed, reading=reading, gold=gold),
        "gold": gold,
        "wording": Wording(reading.text, typed.locale),
    }


def taken_words(shown: Mapping[str, Any]) -> Sequence[str]:
    """The words that a page shows as taken over."""
    told = shown.get("hints")
    return told.taken.words if told and told.taken else ()


def begun(request: CorpusRequest, locale: str) -> list[Variant]:
    """The spellings of an empty desk, with those ticked that the writer chose the last time."""
    return blank(locale, remembered(request.corpus, request.user, locale))


def taken_back(request: CorpusRequest) -> Typed | None:
    """The text that the person has just taken back (`?again=`), to be mended."""
    query = reports.taken_back(request.corpus, request.user, number(request.GET.get("again")) or 0)
    if query is None or query.need is None or query.stratum.query_language not in writable(request):
        return None
    guessed = query.metadata.get("guessed_type") == query.stratum.query_type
    chosen = "" if guessed else query.stratum.query_type
    seconds = query.metadata.get("seconds", 0)
    asked = query.asked_corpus_language
    return Typed(query.need, query.stratum.query_language, query.text, chosen, respelt_of(query), seconds, asked)


def writable(request: CorpusRequest) -> list[str]:
    """The locales that the person may write in here: those they lead or write, a lead of the corpus in all of it."""
    reach = request.reach
    return reports.locales_of(request.corpus) if reach.leads_all else sorted(reach.led | reach.written)


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
