"""How other languages worded the need that is on the desk."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render

from curation.access import CorpusRequest, members
from curation.models import Need, Role
from curation.reports.other_wordings import other_wordings

from .write import number


@members(Role.WRITER, Role.LEAD)
def write_wordings(request: CorpusRequest) -> HttpResponse:
    """The wordings of a need in other languages: a fragment for the tab, a page of their own without script."""
    need = get_object_or_404(Need, corpus=request.corpus, pk=number(request.GET.get("need")))
    locale = request.GET.get("locale", "")
    shown = {"need": need, "locale": locale, "wordings": other_wordings(need, locale=locale)}
    page = "_write_wordings.html" if "HX-Request" in request.headers else "write_wordings.html"
    return render(request, f"curation/{page}", shown)
