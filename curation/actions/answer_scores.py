"""Scores of generated answers, noted beside a gate report; no figure of the gate ever reads them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from math import isfinite

from curation.actions.refusal import Refused
from curation.models import AnswerScore, GateReport, User


@dataclass(frozen=True, slots=True)
class Noted:
    """A measure by its name, the value it gave, and what else to say of it."""

    measure: str
    value: float
    note: str = ""


def note_answers(*, report: GateReport, noted: Noted, by: User | None, now: datetime) -> AnswerScore:
    """Note a score beside `report`; the same one again changes nothing.

    Raises:
        Refused: the measure has no name, or the value is no number.
    """
    measure = noted.measure.strip()
    if not measure or len(measure) > 100:
        raise Refused("A score names its measure in up to 100 characters, such as faithfulness.")
    if not isfinite(noted.value):
        raise Refused(f"The score of {measure} is not a finite number.")
    score, _ = AnswerScore.objects.get_or_create(
        report=report,
        measure=measure,
        value=noted.value,
        note=noted.note[:300],
        defaults={"recorded_by": by, "recorded_at": now},
    )
    return score
