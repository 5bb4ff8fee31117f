"""The locales of a corpus, and how well the types of their queries are detected."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render

from curation.access import CorpusRequest, members
from curation.models import QueryType, Role
from curation.reports.guesses import guesses
from curation.reports.locale_list import bare_codes, locale_rows


@members(Role.LEAD)
def locales(request: CorpusRequest) -> HttpResponse:
    """List the locales, the bare codes that an import asks about, and detected types against present ones."""
    rows = locale_rows(request.corpus)
    found, unknown = guesses(request.corpus)
    context = {
        "rows": rows,
        "bare": bare_codes([row.locale for row in rows]),
        "types": QueryType.choices,
        "guesses": found,
        "unknown": unknown,
        "is_guessed": any(row.total for row in found),
    }
    return render(request, "curation/locales.html", context)
