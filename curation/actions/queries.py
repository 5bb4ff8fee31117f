"""Queries from a file: each in exactly one stratum, and none of them twice."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from django.db.models import QuerySet

from curation.actions.gold_columns import GoldColumn, Golds, read_golds
from curation.actions.golds import renderings_of
from curation.actions.lookups import rows_in
from curation.actions.many_rows import look_again
from curation.actions.meetings import Grade
from curation.actions.needs import Key, NeedPlan, need_key, plan_needs
from curation.actions.qrels import meetings_of, settle
from curation.actions.receipts import Intake, Ledger, Receipt
from curation.actions.strata import strata_for
from curation.actions.variant_columns import family_key, with_originals
from curation.actions.wordings import RowFault, Wording, read_wordings
from curation.formats.ids import IdForms
from curation.formats.queries import read_queries
from curation.models import Corpus, Need, Qrel, Query, Slice, Stratum
from curation.reports.places import UNKNOWN_LANGUAGE, StratumKey, corpus_language_of, key_of
from curation.retrieval.query_types import QUERY_TYPES

BATCH = 500
HIGHEST = 3


@dataclass(slots=True)
class QueryPlan:
    """What a file would do. `twins` names the query of each folded text, `held` that of each need in a stratum."""

    needs: NeedPlan
    known: dict[str, Query]
    twins: dict[str, str]
    held: dict[tuple[Key, StratumKey], str]
    placed: dict[str, tuple[Wording, StratumKey]] = field(default_factory=dict)
    golds: dict[str, GoldColumn] = field(default_factory=dict)


def import_queries(*, corpus: Corpus, intake: Intake, now: datetime) -> Receipt:
    """Import queries with their needs; a gold column settles a qrel and turns its query JUDGED.

    Raises:
        Refused: someone else wrote the same rows meanwhile.
    """
    ledger = Ledger(intake)
    forms = IdForms(corpus.queries.values_list("external_id", flat=True))
    rows = ledger.rows(read_queries(intake.path, intake.reading, ids=forms))
    read = with_originals(corpus, read_wordings(corpus, rows, ledger), ledger)
    wordings, golds = read_golds(corpus, read, ledger)
    plan = _plan(corpus, wordings, golds)
    languages = _languages(corpus, wordings, plan, golds=golds)
    contradicted = _contradicted_golds(corpus, plan, wordings, golds=golds)
    for wording in wordings:
        line = wording.row.line
        try:
            merged = _place(plan, wording, corpus_language=languages[line], contradiction=contradicted.get(line, ""))
        except RowFault as fault:
            ledger.refuse(wording.row, wording.row.external_id, str(fault))
            continue
        ledger.merged, ledger.stored = ledger.merged + merged, ledger.stored + (not merged)
        plan.golds.setdefault(wording.row.external_id, golds[line])
    if ledger.stores:
        with ledger.writing():
            for notice in _write(corpus, plan, now=now):
                ledger.tell(notice)
    return ledger.receipt()


def _plan(corpus: Corpus, wordings: Sequence[Wording], golds: Golds) -> QueryPlan:
    needs = plan_needs(corpus, wordings, golds)
    queries = Query.objects.filter(corpus=corpus).select_related("stratum", "need", "variant_of")
    named = {name for w in wordings for name in (w.row.external_id, w.row.variant_of) if name}
    known = {query.external_id: query for query in rows_in(queries, "external_id", named)}
    live = Query.objects.filter(corpus=corpus).exclude(status=Query.Status.RETIRED)
    hashes = live.values_list("folded_hash", "external_id")
    twins = dict(rows_in(hashes, "folded_hash", (wording.folded_hash for wording in wordings)))
    key_by_need = {need.pk: key for key, need in needs.by_key.items() if need.pk}
    wordings_here = rows_in(live.select_related("stratum"), "need_id", key_by_need)
    held = {(key_by_need[q.need_id], key_of(q.stratum)): q.external_id for q in wordings_here if q.need_id}
    return QueryPlan(needs, known, twins, {**held, **_spelt(live, known)})


def _spelt(live: QuerySet[Query], known: dict[str, Query]) -> dict[tuple[Key, StratumKey], str]:
    """The variants of known queries that word no need: the id of each by its original and its stratum."""
    originals = {query.pk: name for name, query in known.items() if query.need_id is None}
    variants = rows_in(live.select_related("stratum"), "variant_of_id", originals)
    return {(family_key(originals[q.variant_of_id or 0]), key_of(q.stratum)): q.external_id for q in variants}


def _languages(corpus: Corpus, wordings: Sequence[Wording], plan: QueryPlan, *, golds: Golds) -> dict[int, str]:
    """The corpus language of each row by its line: its own gold decides, else its need's."""
    gold_by_line = {}
    for wording in wordings:
        need = plan.needs.of(wording)
        gold_by_line[wording.row.line] = golds[wording.row.line].canonical_id or (
            need.gold_canonical_id if need else ""
        )
    renderings = renderings_of(corpus, (gold for gold in gold_by_line.values() if gold))
    return {
        line: corpus_language_of(renderings.get(gold, ()), golds[line].language or UNKNOWN_LANGUAGE)
        for line, gold in gold_by_line.items()
    }


def _place(plan: QueryPlan, wording: Wording, *, corpus_language: str, contradiction: str) -> bool:
    """Find the place of one row; True where all of it is there already.

    Raises:
        RowFault: it has none.
    """
    name = wording.row.external_id
    if name in plan.placed:
        return _repeats(plan.placed[name][0], wording)
    if name in plan.known:
        _require_same(plan.known[name], wording, contradiction)
        return True
    original = wording.row.variant_of
    if original and original not in plan.placed and original not in plan.known:
        raise RowFault(f"Its original {original} is refused, and it with it.")
    twin = plan.twins.get(wording.folded_hash)
    if twin is not None:
        raise RowFault(f"The same text as query {twin}, once case and spaces are folded; it would count twice.")
    need = plan.needs.of(wording)
    given = wording.slice or (need.slice_hint if need else "")
    key = StratumKey(wording.locale, corpus_language, wording.script, wording.query_type, given or Slice.DISTINCTIVE)
    family = need_key(wording) if need else family_key(original) if original else None
    holder = plan.held.get((family, key)) if family else None
    if holder is not None:
        raise RowFault(
            f"Query {holder} words the same need in the same stratum ({' × '.join(key)}); keep one of the two."
        )
    plan.placed[name] = (wording, key)
    plan.twins[wording.folded_hash] = name
    if family:
        plan.held[family, key] = name
    return False


def _repeats(first: Wording, again: Wording) -> bool:
    if replace(first.row, line=0) != replace(again.row, line=0):
        raise RowFault(
            f"The id stands on line {first.row.line} already, with another content; give each query its own id."
        )
    return True


def _require_same(query: Query, wording: Wording, contradiction: str) -> None:
    if query.text != wording.text or query.stratum.query_language != wording.locale:
        raise RowFault("A query with this id is here already, with another text or language; give this one its own id.")
    original = query.variant_of.external_id if query.variant_of else "none"
    if wording.row.variant_of not in {"", original}:
        raise RowFault(f"The query is here already as a variant of {original}, not of {wording.row.variant_of}.")
    need_id = query.need.external_id if query.need else None
    if wording.row.need_id and wording.row.need_id != need_id:
        raise RowFault(f"The query is here already with the need {need_id or 'none'}, not {wording.row.need_id}.")
    if contradiction:
        raise RowFault(contradiction)


def _contradicted_golds(
    corpus: Corpus, plan: QueryPlan, wordings: Sequence[Wording], *, golds: Golds
) -> dict[int, str]:
    """By line, why the gold of a known query cannot stand beside what is settled."""
    rows = [w for w in wordings if w.row.external_id in plan.known and golds[w.row.line].canonical_id]
    grades = [_grade(plan.known[wording.row.external_id], golds[wording.row.line]) for wording in rows]
    met = meetings_of(corpus, grades)
    return {
        wording.row.line: f"Its gold {grade.canonical_id} is settled at grade {before} already, not at {HIGHEST}."
        for wording, grade, outcome, before in zip(rows, grades, met.outcomes, met.before, strict=True)
        if outcome == "refused"
    }


def _write(corpus: Corpus, plan: QueryPlan, *, now: datetime) -> Sequence[str]:
    used = {need_key(wording) for wording, _ in plan.placed.values()}
    Need.objects.bulk_create(plan.needs.new(used), batch_size=BATCH)
    strata = strata_for(corpus=corpus, keys=(key for _, key in plan.placed.values()))
    by_id = dict(plan.known)
    for spelt_again in (False, True):  # originals before their variants
        queries = [
            _query(corpus, wording, need=plan.needs.of(wording), stratum=strata[key], by_id=by_id)
            for wording, key in plan.placed.values()
            if bool(wording.row.variant_of) == spelt_again
        ]
        Query.objects.bulk_create(queries, batch_size=BATCH)
        by_id |= {query.external_id: query for query in queries}
    look_again(len(plan.placed), Need, Stratum, Query)
    grades = [_grade(by_id[name], gold) for name, gold in plan.golds.items() if gold.canonical_id]
    return settle(corpus=corpus, grades=grades, now=now).notices


def _query(corpus: Corpus, wording: Wording, *, need: Need | None, stratum: Stratum, by_id: dict[str, Query]) -> Query:
    original = by_id[wording.row.variant_of] if wording.row.variant_of else None
    return Query(
        corpus=corpus,
        external_id=wording.row.external_id,
        stratum=stratum,
        need=need,
        text=wording.text,
        original_text=wording.row.text,
        folded_hash=wording.folded_hash,
        variant_of=original,
        origin=Query.Origin.VARIANT if original else Query.Origin.IMPORTED,
        status=Query.Status.READY,
        metadata={**wording.row.extra, "guessed_type": _first_guess(wording)},
    )


def _first_guess(wording: Wording) -> str:
    """The type that was guessed first: by the place the file comes from, else here."""
    earlier = wording.row.extra.get("guessed_type")
    return earlier if isinstance(earlier, str) and earlier in QUERY_TYPES else wording.guessed_type


def _grade(query: Query, gold: GoldColumn) -> Grade:
    return Grade(query.pk, gold.canonical_id, HIGHEST, Qrel.Source.IMPORTED, document_id=gold.document_id)
