"""The plan: how many queries a stratum shall hold, what its figure is for, and which comes first among equals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.db import transaction

from curation.actions.refusal import Refused
from curation.actions.strata import strata_for
from curation.models import Corpus, Stratum, Use
from curation.reports.places import StratumKey
from curation.retrieval.locales import language_name
from curation.retrieval.scripts import classes_of, script_name

MOST_PLANNED = 100_000
MOST_PRIORITY = 9


@dataclass(frozen=True, slots=True)
class Numbers:
    """What is planned for a stratum; what is None stays as it is."""

    use: Use | None = None
    planned: int | None = None
    priority: int | None = None

    @property
    def given(self) -> dict[str, int | Use]:
        """The fields that are given, by name."""
        named = {"use": self.use, "planned": self.planned, "priority": self.priority}
        return {name: value for name, value in named.items() if value is not None}

    def check(self) -> None:
        """Raise Refused where a number is out of range."""
        if self.planned is not None and not 0 <= self.planned <= MOST_PLANNED:
            raise Refused(f"Plan between 0 and {MOST_PLANNED:,} queries.")
        if self.priority is not None and not 0 <= self.priority <= MOST_PRIORITY:
            raise Refused(f"A priority lies between 1 and {MOST_PRIORITY}, or is 0 for none.")


@transaction.atomic
def plan_stratum(*, corpus: Corpus, key: StratumKey, numbers: Numbers) -> Stratum:
    """Plan the stratum at `key`, which is made where it is missing; done again, it only sets the numbers.

    Raises:
        Refused: nobody writes the query language in that script class, or a number is out of range.
    """
    check_script(key)
    stratum = strata_for(corpus=corpus, keys=[key])[key]
    replan(corpus=corpus, changes={stratum.pk: numbers})
    stratum.refresh_from_db()
    return stratum


def check_script(key: StratumKey) -> None:
    """Raise Refused where nobody writes the query language in that script class."""
    fitting = classes_of(key.query_language)
    if key.script not in fitting:
        ways = ", ".join(f"{script} ({script_name(script, key.query_language)})" for script in fitting)
        raise Refused(f"{language_name(key.query_language)} is not written so. Choose one of: {ways}.")


@transaction.atomic
def replan(*, corpus: Corpus, changes: Mapping[int, Numbers]) -> int:
    """Change what is planned for strata, by their keys; how many there were. A plan of 0 leaves a stratum's queries.

    Raises:
        Refused: a number is out of range; nothing is changed.
    """
    for numbers in changes.values():
        numbers.check()
    return sum(
        Stratum.objects.filter(corpus=corpus, pk=key).update(**numbers.given)
        for key, numbers in changes.items()
        if numbers.given
    )
