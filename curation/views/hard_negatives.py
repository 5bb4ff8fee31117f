"""The hard negatives of each query; suspicious ones are sent to their queries' pools, and all go out as a file."""

from __future__ import annotations

from functools import partial

from django.contrib import messages
from django.http import FileResponse, Http404, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.views.decorators.http import require_POST

from curation import registry
from curation.access import LEADS, CorpusRequest, members
from curation.actions import hunting
from curation.actions.refusal import Refused
from curation.formats.json_lines import json_line
from curation.forms.negatives import NegativesForm
from curation.models import HardNegative, Miner, Role
from curation.reports import hard_negatives as reports
from curation.reports import mined, negative_lines
from curation.reports.negative_standing import standing_of
from curation.reports.picture import as_one_file
from curation.views.searches import searched

ORIGIN = "hard_negative"
JUDGED_MEANWHILE = "Document {} was judged for query {} meanwhile; see how it stands now before you send it."
SHOWN = (
    ("", "All queries"),
    (reports.UNJUDGED, "With unjudged documents"),
    (reports.SUSPECTED, "With one that every retriever ranks high"),
    (reports.UNMINED, "Not mined"),
)


@members(*LEADS, Role.ADJUSTER)
def hard_negatives(request: CorpusRequest) -> HttpResponse:
    """List what the newest run found, query by query.

    Whoever may still judge a query is not told what others said of it: grades are shown to leads, and to those who have
    judged the query; which queries have no answer, to leads.
    """
    is_lead = request.reach.leads_all
    choices = [choice for choice in SHOWN if is_lead or choice[0] != reports.UNMINED]
    asked = request.GET.get("show", "")
    matching, show = searched(request), asked if asked in dict(choices) else ""
    listing = reports.listing(request.corpus, matching=matching, show=show, page=request.GET.get("page"))
    pools = registry.pools()
    queries = {row.query.pk for row in listing.rows} if listing else set()
    shown = {
        "listing": listing,
        "matching": matching,
        "show": show,
        "choices": choices,
        "can_send": pools is not None,
        "can_send_all": pools is not None and bool({Role.LEAD, Role.ADJUSTER} & request.reach.standings),
        "waiting": pools.waiting(queries) if pools else set(),
        "graded": queries if is_lead or pools is None else pools.judged_by(request.user, queries),
        "export": NegativesForm() if is_lead else None,
    }
    return render(request, "curation/hard_negatives.html", shown)


@members(Role.LEAD)
def hard_negatives_export(request: CorpusRequest) -> HttpResponseBase:
    """The newest run as a file, byte for byte what `manage.py export_proposals` writes; where it has no line, why."""
    form, run = NegativesForm(request.GET), mined.newest_run(request.corpus, Miner.HARD_NEGATIVE)
    if run is None:
        raise Http404("No run of hard negatives has finished here.")
    if not form.is_valid():
        return HttpResponse("Such a file is not written here.", status=400, content_type="text/plain")
    shape = form.cleaned_data["form"]
    stream = as_one_file(map(json_line, negative_lines.lines(run, form=shape, size=form.size)))
    if not stream.read(1):
        stream.close()
        messages.error(request, negative_lines.why_empty(run, form=shape, size=form.size))
        return back(request)
    stream.seek(0)
    name = f"{request.corpus.slug}-hard-negatives-{run.generation.number}-{shape}.jsonl"
    return FileResponse(stream, as_attachment=True, filename=name, content_type="application/x-ndjson; charset=utf-8")


@members(*LEADS, Role.ADJUSTER)
@require_POST
def hard_negative_send(request: CorpusRequest, negative: int) -> HttpResponse:
    """Send one document to the pool of its query, unless it was judged since the person saw how it stands."""
    rows = HardNegative.objects.filter(query__corpus=request.corpus).select_related("query__stratum", "document")
    found = get_object_or_404(rows, pk=negative)
    request.reach.require_review(found.query.stratum.query_language)
    try:
        refuse_judged_meanwhile(request, found)
        send(the_pools(), found)
    except Refused as refusal:
        messages.error(request, str(refusal))
    else:
        sent = f"{found.document.external_id} waits in the pool of query {found.query.external_id} to be judged."
        messages.success(request, sent)
    return back(request, f"#negative-{found.pk}")


def refuse_judged_meanwhile(request: CorpusRequest, negative: HardNegative) -> None:
    """Refuse a document that stands otherwise by now than on the page that the person pressed the button of."""
    if standing_of(request.corpus, negative).kind != request.POST.get("standing", "unjudged"):
        raise Refused(JUDGED_MEANWHILE.format(negative.document.external_id, negative.query.external_id))


@members(Role.ADJUSTER, Role.LEAD)
@require_POST
def suspects_send(request: CorpusRequest) -> HttpResponse:
    """Send every document that may be a false negative to the judges, who get them before all else."""
    pools, run = the_pools(), mined.newest_run(request.corpus, Miner.HARD_NEGATIVE)
    suspects = list(reports.suspects(run)) if run else []
    waiting = pools.waiting({each.query_id for each in suspects})
    told = hunting.send_suspects(suspects=suspects, waiting=waiting, send=partial(send, pools))
    left = f" {told.left:,} more are left for the next time." if told.left else ""
    messages.success(request, f"Judges get these before all else: {told.sent:,} sent now.{left}")
    if told.refused:
        messages.error(request, f"Not sent: {len(told.refused):,}. {told.refused[0]}")
    return back(request)


def the_pools() -> registry.Pools:
    """Where documents are judged.

    Raises:
        Http404: nowhere.
    """
    pools = registry.pools()
    if pools is None:
        raise Http404("This product judges nothing: no pools are here.")
    return pools


def send(pools: registry.Pools, negative: HardNegative) -> None:
    """Offer one document for judging, before all else where every retriever ranks it high."""
    first = negative.lowest_place is not None
    pools.send(query=negative.query, document=negative.document, origin=ORIGIN, now=timezone.now(), first=first)


def back(request: CorpusRequest, place: str = "") -> HttpResponseRedirect:
    """The list as the person had it."""
    asked = {name: request.GET[name] for name in ("q", "show", "page") if request.GET.get(name)}
    address = reverse("hard_negatives", args=[request.corpus.slug])
    return redirect(f"{address}?{urlencode(asked)}{place}")
