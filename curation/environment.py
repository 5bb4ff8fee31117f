"""Variables of the environment that are more than text; nonsense stops the start with one sentence."""

from __future__ import annotations

import environ
from django.core.exceptions import ImproperlyConfigured

from curation.measures.floors import Floors

env = environ.Env()


def switch(name: str, *, default: bool) -> bool:
    """A yes-or-no variable that refuses anything else."""
    given: str = env.str(name, default="").strip().lower()
    if given in {"", "1", "true", "yes", "on", "0", "false", "no", "off"}:
        return default if given == "" else given in {"1", "true", "yes", "on"}
    raise ImproperlyConfigured(f"{name} must be 1 or 0, not {given!r}.")


def gate_floors() -> Floors:
    """The floors of GATE_FLOORS (`absolute=0.9,cell=0.5`); what it does not name stays as the house has it."""
    given: dict[str, str] = env.dict("GATE_FLOORS", default={})
    try:
        return Floors(**{name: float(level) for name, level in given.items()})
    except (TypeError, ValueError) as fault:
        raise ImproperlyConfigured(
            "GATE_FLOORS names floors between 0 and 1, as in absolute=0.88,relative=0.97,cell=0.60,headline=0.80."
        ) from fault
