"""How queries are judged, as a lead sets it: by how many people, and from which pools."""

from __future__ import annotations

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST

from curation.access import LEADS, CorpusRequest, members
from curation.forms.faults import faults_of
from curation.models import PoolKind, Stratum
from curation.reports.plan import plan_of
from curation.templatetags.strata import stratum_name
from judging.actions.rules import Kept, change_several, change_share, change_strata, renewed_in_words
from judging.forms import SeveralRulesForm, ShareForm, StratumRulesForm

ON_A_PAGE = 60


@members(*LEADS)
def judging_rules(request: CorpusRequest) -> HttpResponse:
    """The rules of the corpus and of each stratum; change the share that two people judge."""
    form = ShareForm(request.POST or None, initial={"share": request.corpus.double_judged})
    if not form.is_valid():
        return rules_page(request, form)
    request.reach.require_all()
    share = form.cleaned_data["share"]
    renewed = change_share(corpus=request.corpus, share=share)
    messages.success(request, f"Two people judge {share} % of the queries. {renewed_in_words(renewed)}")
    return to_rules(request)


@members(*LEADS)
@require_POST
def judging_rules_stratum(request: CorpusRequest, stratum: int) -> HttpResponse:
    """Change how one stratum is judged."""
    found = get_object_or_404(Stratum, corpus=request.corpus, pk=stratum)
    request.reach.require(found.query_language)
    form = StratumRulesForm(request.POST)
    if form.is_valid():
        kind = PoolKind(form.cleaned_data["pool_kind"])
        renewed = change_strata(
            corpus=request.corpus, strata=[found], opinions=form.cleaned_data["opinions"], pool_kind=kind
        )
        words = f"Stored for {stratum_name(found)}. {renewed_in_words(renewed)}"
        messages.success(request, words, extra_tags=saved_in(found))
    else:
        messages.error(request, faults_of(form), extra_tags=saved_in(found))
    return to_rules(request, f"#{saved_in(found)}")


def saved_in(stratum: Stratum) -> str:
    """The id of the button that saves a row, which a saved row comes back to."""
    return f"save-{stratum.pk}"


@members(*LEADS)
@require_POST
def judging_rules_strata(request: CorpusRequest) -> HttpResponse:
    """Change how the ticked strata are judged, or all of the language that is listed once the person is sure of it."""
    strata = _meant(request)
    request.reach.require(*{each.query_language for each in strata})
    form = SeveralRulesForm(request.POST)
    if not strata:
        messages.warning(request, "Nothing is ticked, so nothing was changed. Tick strata, or save for all listed.")
    elif not form.is_valid():
        messages.error(request, faults_of(form))
    elif (form.opinions_said, form.pool_kind_said) == (Kept.KEPT, Kept.KEPT):
        messages.warning(request, "No rule is chosen, so nothing was changed. Choose opinions, a pool, or both.")
    elif "all" in request.POST and "sure" not in request.POST:
        return ask_for_all(request, form, count=len(strata))
    else:
        renewed = change_several(
            corpus=request.corpus, strata=strata, opinions=form.opinions_said, pool_kind=form.pool_kind_said
        )
        what = "1 stratum" if len(strata) == 1 else f"{len(strata):,} strata"
        messages.success(request, f"Stored for {what}. {renewed_in_words(renewed)}")
    return to_rules(request)


def ask_for_all(request: CorpusRequest, form: SeveralRulesForm, *, count: int) -> HttpResponse:
    """Ask whether every listed stratum shall change; nothing is changed yet."""
    shown = {
        "form": form,
        "count": count,
        "chosen": request.GET.get("query_language", ""),
        "changes": form.changes_in_words,
    }
    return render(request, "judging/rules_all.html", shown)


def _meant(request: CorpusRequest) -> list[Stratum]:
    chosen, ticked = request.GET.get("query_language", ""), set(request.POST.getlist("stratum"))
    listed = [each for each in request.corpus.strata.all() if chosen in {"", each.query_language}]
    if "all" in request.POST:
        return [each for each in listed if request.reach.leads(each.query_language)]
    return [each for each in listed if str(each.pk) in ticked]


def rules_page(request: CorpusRequest, form: ShareForm) -> HttpResponse:
    """The page, with what is wrong in the form."""
    rows = [row for row in plan_of(request.corpus) if request.reach.leads(row.stratum.query_language)]
    chosen = request.GET.get("query_language", "")
    shown = {
        "form": form,
        "page": Paginator([row for row in rows if chosen in {"", row.stratum.query_language}], ON_A_PAGE).get_page(
            request.GET.get("page")
        ),
        "languages": sorted({row.stratum.query_language for row in rows}),
        "chosen": chosen,
        "rules": StratumRulesForm(),
        "several": SeveralRulesForm(),
    }
    return render(request, "judging/rules.html", shown, status=422 if form.errors else 200)


def to_rules(request: CorpusRequest, place: str = "") -> HttpResponseRedirect:
    """Back to the same part of the list, and to a `place` in it."""
    asked = request.GET.urlencode()
    return redirect(reverse("judging_rules", args=[request.corpus.slug]) + (f"?{asked}" if asked else "") + place)
