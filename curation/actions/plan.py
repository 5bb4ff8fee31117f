"""The plan: how many queries a stratum shall hold, and what its figure is for."""

from __future__ import annotations

from django.db import transaction

from curation.actions.refusal import Refused
from curation.actions.strata import strata_for
from curation.models import Corpus, Stratum, Use
from curation.reports.places import StratumKey
from curation.retrieval.locales import language_name
from curation.retrieval.scripts import classes_of, script_name

MOST_PLANNED = 100_000


@transaction.atomic
def plan_stratum(*, corpus: Corpus, key: StratumKey, use: Use, planned: int) -> Stratum:
    """Plan the stratum at `key`, which is made where it is missing; done again, it only sets the numbers.

    Raises:
        Refused: nobody writes the query language in that script class, or the number is out of range.
    """
    fitting = classes_of(key.query_language)
    if key.script not in fitting:
        ways = ", ".join(script_name(script, key.query_language) for script in fitting)
        raise Refused(f"{language_name(key.query_language)} is not written so. Choose one of: {ways}.")
    return replan(stratum=strata_for(corpus=corpus, keys=[key])[key], use=use, planned=planned)


@transaction.atomic
def replan(*, stratum: Stratum, use: Use, planned: int) -> Stratum:
    """Change what is planned for a stratum; 0 takes it off the plan and leaves its queries.

    Raises:
        Refused: the number is out of range.
    """
    if not 0 <= planned <= MOST_PLANNED:
        raise Refused(f"Plan between 0 and {MOST_PLANNED:,} queries.")
    held = Stratum.objects.select_for_update().get(pk=stratum.pk)
    held.use, held.planned = use, planned
    held.save(update_fields=["use", "planned"])
    return held
