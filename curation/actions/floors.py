"""The floors of a corpus's gates: a lead sets what differs from the installation's, and says why."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from django.db import transaction

from curation.actions.refusal import Refused
from curation.actions.waiving import MOST_REASON, require_lead
from curation.models import Corpus, FloorChange, User
from curation.reports.gate_floors import floors_of


@transaction.atomic
def set_floors(
    *, corpus: Corpus, levels: Mapping[str, float | None], reason: str, by: User, now: datetime
) -> FloorChange | None:
    """Let the gates of `corpus` hold these levels from the next run on; None gives a floor back to the installation.

    What `levels` does not name stays. Reports keep the floors that they were gated by. The change is kept with who made
    it, when and why; None where nothing differs, so that nothing is kept either.

    Raises:
        MeasureRefused: a level lies outside 0 to 1; nothing is changed.
        Refused: `by` does not lead the corpus, or the reason is missing or too long.
    """
    require_lead(corpus, by)
    reason = checked_reason(reason)
    held = Corpus.objects.select_for_update(no_key=True).get(pk=corpus.pk)
    before = dict(held.floors)
    told = {**before, **levels}
    held.floors = corpus.floors = {name: level for name, level in told.items() if level is not None}
    floors_of(held)  # refuses what is no level
    if held.floors == before:
        return None
    held.save(update_fields=["floors"])
    return FloorChange.objects.create(
        corpus=held, before=before, after=held.floors, reason=reason, changed_by=by, changed_at=now
    )


def checked_reason(told: str) -> str:
    """The reason, without white space around it.

    Raises:
        Refused: there is none, or it is too long.
    """
    reason = told.strip()
    if not reason:
        raise Refused("Other floors need a reason: whoever reads a verdict must learn why they are not the usual ones.")
    if len(reason) > MOST_REASON:
        raise Refused(f"The reason has at most {MOST_REASON} characters; this has {len(reason):,}.")
    return reason
