"""Drafts of the writer's desk."""

from __future__ import annotations

from django.http import HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_POST

from curation.access import LEADS, CorpusRequest, members
from curation.actions.drafts import keep_draft
from curation.actions.refusal import Refused
from curation.forms.write import WordingForm
from curation.models import Role

from .write import typed_in, writable


@members(*LEADS, Role.WRITER)
@require_POST
def write_draft(request: CorpusRequest) -> HttpResponse:
    """Keep what is typed on the desk, so that any machine of the person shows it again."""
    form = WordingForm(request.POST, locales=writable(request))
    if not form.is_valid():
        return HttpResponse(status=422)
    typed = typed_in(request, form)
    try:
        keep_draft(typed=typed, user=request.user, token=form.cleaned_data["token"], now=timezone.now())
    except Refused as refusal:
        return HttpResponse(str(refusal), status=422, content_type="text/plain; charset=utf-8")
    return HttpResponse(status=204)
