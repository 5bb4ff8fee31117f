"""One generation: what it found, what people decided, and how it compares with an earlier one. Nothing changes here."""

from __future__ import annotations

from django.http import Http404, HttpResponse
from django.shortcuts import render

from curation.access import CorpusRequest, members
from curation.models import Generation, Miner, Role
from curation.reports.comparison import compare
from curation.reports.generations import generation_numbered
from curation.reports.past import past
from curation.reports.picture import one_picture
from curation.reports.review import FAMILIES


@members(Role.LEAD)
@one_picture()
def generation(request: CorpusRequest, number: int) -> HttpResponse:
    """The page; `?with=` names the earlier generation it is set against, `?family=` whose proposals are listed."""
    found = generation_numbered(request.corpus, number)
    if found is None:
        raise Http404("There is no such generation.")
    name = request.GET.get("family", "")
    family = Miner(name) if name in FAMILIES else FAMILIES[0]
    shown = past(found, family=family, page=request.GET.get("page"))
    older = _older(shown.earlier, request.GET.get("with", ""))
    comparison = compare(older, found) if older else None
    return render(request, "curation/generation.html", {"past": shown, "comparison": comparison})


def _older(earlier: tuple[Generation, ...], asked: str) -> Generation | None:
    """The earlier generation of that number, else the one just before."""
    return next((each for each in earlier if str(each.number) == asked), next(iter(earlier), None))
