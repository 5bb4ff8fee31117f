"""All that a gate measured of a run, before anything of it is stored."""

from __future__ import annotations

from dataclasses import dataclass

from curation.measures.floors import Floors

from .gate_baseline import Baseline
from .gate_reading import GateReading
from .measured import Measured
from .run_answers import Answers


@dataclass(frozen=True, slots=True)
class Outcome:
    """The answers of a run and of its baseline, their figures, and what these are by the floors."""

    answers: Answers
    baseline: Baseline
    measured: Measured
    reading: GateReading
    floors: Floors
