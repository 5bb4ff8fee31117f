"""A ranked run from a file: its answers to the corpus's queries, by document id."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

from curation.actions.lookups import rows_in
from curation.actions.naming import require_name
from curation.actions.production import index_of_run, put_run_in_production
from curation.actions.receipts import Intake, Ledger, Receipt
from curation.actions.refusal import Refused
from curation.actions.runs import EXACT, RunFile, store_run
from curation.formats.faults import Notice
from curation.formats.runs import Ranking, RunRow, fingerprint, rankings, read_run
from curation.models import Corpus, Document, Query, RankedRun
from curation.models.measurements import DEEPEST
from curation.reports.gate_baseline import beside, provenance_beside, require_exact, require_same
from curation.reports.run_answers import AnswersRefused

NAMED = 10


def import_run(
    *, corpus: Corpus, intake: Intake, name: str, now: datetime, k: int | None = None, production: bool = False
) -> Receipt:
    """Import a run under `name`, cut at `k` documents a query (it is never deeper than its file).

    With `production` its index stands for production from now on: hard negatives are mined against its answers.

    Each row is a hit. A run of that name makes way; where it holds the same answers, they are those of `now` from here
    on. A document that the corpus does not hold is refused; where the good rows are stored all the same, it keeps its
    place, so that no rank improves. Judged queries that the run does not answer count as missed, and are listed. Where
    a provenance stands beside the file, as `export_run` writes it, the run may be the baseline of a gate.

    Raises:
        Refused: the name is no name or that of exact search, `k` is no depth, or the provenance is of no such run.
    """
    _require(name, k)
    provenance = _provenance(corpus, intake.path, name=name)
    ledger = Ledger(intake)
    queries = dict(Query.objects.filter(corpus=corpus).values_list("external_id", "pk"))
    hits = ledger.rows(read_run(intake.path, intake.reading))
    kept = _placed(corpus, hits, queries=queries, ledger=ledger)
    ranked = _ranked(kept, ledger)
    _require_same(provenance, ranked, name=name)
    depth = min(k or _deepest(ranked), _deepest(ranked))  # a cut below the file's end makes it no deeper
    index = index_of_run(corpus=corpus, name=name)
    told = RunFile(name=name, k=depth, sha256=fingerprint(ranked, depth), index=index, provenance=provenance)
    earlier = RankedRun.objects.filter(corpus=corpus, name=name).first()
    if earlier and (earlier.sha256, earlier.k) == (told.sha256, told.k):
        ledger.stored, ledger.merged = 0, ledger.stored
        told = replace(told, provenance=provenance or earlier.provenance)
    elif earlier:
        ledger.tell(f"The run {name} of {earlier.measured_at:%Y-%m-%d %H:%M} makes way for this one.")
    answers = [(queries[ranking.query_id], ranking.document_ids) for ranking in ranked]
    _list_missing(corpus, {key for key, _ in answers}, ledger)
    if ledger.stores and ledger.stored + ledger.merged:
        with ledger.writing():
            if production:
                told = replace(told, index=put_run_in_production(corpus=corpus, name=name))
            store_run(corpus=corpus, told=told, answers=answers, now=now)
    return ledger.receipt()


def _require(name: str, k: int | None) -> None:
    require_name(name, of="a run")
    if name == EXACT:
        raise Refused(f'A run needs a name of its own; "{EXACT}" is what Hardset measures itself.')
    if k is not None and k < 1:
        raise Refused("A run is cut at 1 document or more; correct --k.")
    if k is not None and k > DEEPEST:
        raise Refused(f"A run is cut at {DEEPEST:,} documents at most; correct --k.")


def _provenance(corpus: Corpus, path: Path, *, name: str) -> dict[str, Any]:
    """What stands beside the file, {} where nothing does."""
    if not beside(path).exists():
        return {}
    try:
        told = provenance_beside(path)
        require_exact(corpus, told, name=name)
    except AnswersRefused as refusal:
        raise Refused(str(refusal)) from refusal
    return told


def _require_same(provenance: dict[str, Any], ranked: Sequence[Ranking], *, name: str) -> None:
    try:
        require_same(provenance, fingerprint(ranked, _deepest(ranked)), name=name)
    except AnswersRefused as refusal:
        raise Refused(str(refusal)) from refusal


def _placed(corpus: Corpus, hits: Sequence[RunRow], *, queries: dict[str, int], ledger: Ledger) -> list[RunRow]:
    """The hits that keep their place; each is counted as stored or refused."""
    names = Document.objects.filter(corpus=corpus).values_list("external_id", flat=True)
    documents = set(rows_in(names, "external_id", (hit.document_id for hit in hits)))
    seen: defaultdict[str, set[str]] = defaultdict(set)
    kept = []
    for hit in hits:
        if hit.query_id not in queries:
            ledger.refuse(hit, hit.query_id, f"The corpus holds no query {hit.query_id}.")
        elif hit.document_id in seen[hit.query_id]:
            ledger.refuse(hit, hit.query_id, f"The document {hit.document_id} stands twice under this query.")
        else:
            seen[hit.query_id].add(hit.document_id)
            kept.append(hit)
            if hit.document_id in documents:
                ledger.stored += 1
            else:
                ledger.refuse(hit, hit.query_id, f"The corpus holds no document {hit.document_id}.")
    named = {hit.query_id for hit in hits}
    if named and not named & queries.keys():
        ledger.sum_up(f"0 of {len(named):,} query ids known: the file belongs to other queries.")
    return kept


def _ranked(hits: Sequence[RunRow], ledger: Ledger) -> list[Ranking]:
    ranked = []
    for ranking in rankings(hits):
        if isinstance(ranking, Ranking):
            ranked.append(ranking)
        elif isinstance(ranking, Notice):
            ledger.notices.append(ranking)
    return ranked


def _deepest(ranked: Sequence[Ranking]) -> int:
    return max((len(ranking.document_ids) for ranking in ranked), default=1)


def _list_missing(corpus: Corpus, answered: Collection[int], ledger: Ledger) -> None:
    if ledger.held:
        return  # nothing is stored, so nothing counts as missed
    judged = Query.objects.filter(corpus=corpus, status=Query.Status.JUDGED).exclude(gold_canonical_id="")
    rows = judged.values_list("pk", "external_id")
    missing = sorted(external_id for key, external_id in rows if key not in answered)
    if missing:
        more = f" and {len(missing) - NAMED:,} more" if len(missing) > NAMED else ""
        named = ", ".join(missing[:NAMED])
        ledger.tell(f"{len(missing):,} judged queries are not in the run and count as missed: {named}{more}.")
