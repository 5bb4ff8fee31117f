"""Wordings kept while they are written."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import transaction

from curation.actions.refusal import Refused
from curation.models import Query, User, WordingDraft
from curation.reports.checks import Typed

MOST_KEPT = 5000  # characters: what can be saved ten times over, so that a pasted page is no draft


@transaction.atomic
def keep_draft(*, typed: Typed, user: User, token: str, now: datetime) -> WordingDraft | None:
    """Keep what `user` typed for a need, as typed; None where nothing is typed, or the form has saved it already.

    Done again, it changes nothing.

    Raises:
        Refused: the text is no query's and would be none shortened, or holds what no text can keep.
    """
    if len(typed.text) > MOST_KEPT:
        raise Refused(f"The text has {len(typed.text)} characters and is not kept as a draft; shorten it.")
    if "\0" in typed.text or any("\ud800" <= character <= "\udfff" for character in typed.text):
        raise Refused("The text holds what no text can keep (NUL or half of a character); remove it.")
    place: dict[str, Any] = {"user": user, "need": typed.need, "locale": typed.locale}
    if not typed.text.strip() or Query.objects.filter(form_token=token).exclude(status=Query.Status.RETIRED).exists():
        WordingDraft.objects.filter(**place).delete()
        return None
    kept = {"text": typed.text, "query_type": typed.chosen_type, "token": token, "seconds": typed.seconds}
    draft, _ = WordingDraft.objects.update_or_create(defaults={**kept, "kept_at": now}, **place)
    return draft


def drop_draft(*, typed: Typed, user: User) -> None:
    """Forget the draft of what is saved now."""
    WordingDraft.objects.filter(user=user, need=typed.need, locale=typed.locale).delete()
