"""The floors of a corpus's gates: a lead sets what differs from the installation's."""

from __future__ import annotations

from collections.abc import Mapping

from django.db import transaction

from curation.measures.floors import Floors
from curation.models import Corpus
from curation.reports.gate_floors import floors_of


@transaction.atomic
def set_floors(*, corpus: Corpus, levels: Mapping[str, float | None]) -> Floors:
    """Let the gates of `corpus` hold these levels from the next run on; None gives a floor back to the installation.

    What `levels` does not name stays. Reports keep the floors that they were gated by.

    Raises:
        MeasureRefused: a level lies outside 0 to 1; nothing is changed.
    """
    held = Corpus.objects.select_for_update(no_key=True).get(pk=corpus.pk)
    told = {**held.floors, **levels}
    held.floors = corpus.floors = {name: level for name, level in told.items() if level is not None}
    floors = floors_of(held)
    held.save(update_fields=["floors"])
    return floors
