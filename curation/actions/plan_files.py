"""Plans from files: what each stratum shall hold, all at once."""

from __future__ import annotations

from curation.actions.plan import Numbers, check_script, replan
from curation.actions.receipts import Intake, Ledger, Receipt
from curation.actions.refusal import Refused
from curation.actions.strata import strata_for
from curation.formats.plan import PlanRow, read_plan
from curation.models import Corpus, QueryType, Slice, Stratum, Use
from curation.reports.places import StratumKey, key_of
from curation.retrieval.locales import ScriptNeeded, UnknownLocale, canonical_locale, corpus_language
from curation.retrieval.scripts import script_named


def import_plan(*, corpus: Corpus, intake: Intake) -> Receipt:
    """Set what the file plans; strata that it does not name keep their plan.

    A row counts as merged where the stratum is planned so already.
    """
    ledger = Ledger(intake)
    planned: dict[StratumKey, Numbers] = {}
    for row in ledger.rows(read_plan(intake.path, intake.reading)):
        try:
            key, numbers = placed(row)
        except (Refused, UnknownLocale, ScriptNeeded) as fault:
            ledger.refuse(row, "", str(fault))
            continue
        if key in planned:
            ledger.refuse(row, "", "The file plans this stratum twice.")
        else:
            planned[key] = numbers
    known = {key_of(stratum): stratum for stratum in corpus.strata.all()}
    changed = {key: numbers for key, numbers in planned.items() if differs(known.get(key), numbers)}
    ledger.stored += len(changed)
    ledger.merged += len(planned) - len(changed)
    if ledger.stores:
        with ledger.writing():
            strata = strata_for(corpus=corpus, keys=changed)
            replan(corpus=corpus, changes={strata[key].pk: numbers for key, numbers in changed.items()})
    return ledger.receipt()


def placed(row: PlanRow) -> tuple[StratumKey, Numbers]:
    """The stratum that a row names, and its numbers.

    Raises:
        Refused, UnknownLocale, ScriptNeeded: it names none, or a number is out of range.
    """
    for value, known in ((row.query_type, QueryType.values), (row.slice, Slice.values), (row.use, Use.values)):
        if value not in known:
            raise Refused(f'"{value[:40]}" is not one of {", ".join(known)}.')
    locale = canonical_locale(row.query_language)
    key = StratumKey(
        locale,
        corpus_language(row.corpus_language),
        script_named(row.script, locale),
        row.query_type,
        row.slice,
    )
    check_script(key)
    numbers = Numbers(Use(row.use), row.planned, row.priority)
    numbers.check()
    return key, numbers


def differs(stratum: Stratum | None, numbers: Numbers) -> bool:
    """Whether the numbers change the stratum, or make it."""
    return stratum is None or any(getattr(stratum, name) != value for name, value in numbers.given.items())
