"""An exported set brought back whole: its documents, queries, grades and rules, all of them or nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime

from curation.actions.corpora import CorpusAsked, import_corpus
from curation.actions.lookups import overwrite, rows_in
from curation.actions.plan import Numbers, replan
from curation.actions.qrel_files import import_qrels
from curation.actions.queries import import_queries
from curation.actions.receipts import Intake, Receipt
from curation.actions.refusal import Refused
from curation.actions.strata import strata_for
from curation.actions.traffic import Statement, state_traffic
from curation.actions.writing import one_transaction, one_write
from curation.formats.faults import Fault, FileRefused, Notice
from curation.formats.set_folder import About, SetFolder, read_set_folder
from curation.models import Corpus, Query, QueryType, Slice, TrafficReading, Use
from curation.reports.places import UNKNOWN_LANGUAGE, StratumKey, key_of
from curation.reports.run_words import queries as queries_in_words
from curation.retrieval.locales import ScriptNeeded, UnknownLocale, canonical_locale
from curation.retrieval.scripts import SCRIPT_CLASSES

PARTS = ("documents", "queries", "qrels")


class _Undone(Exception):
    """What was written is taken back."""


def import_set(*, asked: CorpusAsked, intake: Intake, now: datetime) -> Receipt:
    """Bring the folder or zip of an export into a corpus, which is made where it is new.

    Documents, queries and grades go the way of their own imports, in one transaction, which opens when the documents
    are written: unless the good rows are asked for, one refused row takes all of them back. A corpus without queries
    takes over the rules of the set (what is relevant, traffic, plan and uses); another one keeps its own. Each row is
    counted in the part it stands in.

    Raises:
        FileRefused: it is no export that comes back whole, or is to be read as something else than what was exported.
        Refused: a rule cannot be as the set has it, or someone else wrote the same rows meanwhile; nothing is stored.
    """
    if intake.reading.columns or intake.reading.where:
        raise FileRefused("An exported set is read as it is; leave out columns and rows (--map, --where).")
    folder = read_set_folder(intake.path, intake.reading.limits)
    parts: list[Receipt] = []
    notices: list[Notice] = []
    undone = False
    with suppress(_Undone), one_transaction(intake.guard) as guard:
        parts_alone = replace(intake.progress, expected=0)  # the rows of all parts
        inside = replace(intake, dry_run=False, guard=guard, progress=parts_alone)
        parts.extend(_brought(asked, inside, folder, now=now))
        undone = not intake.keep_good and any(part.errors for part in parts)
        if not undone and len(parts) == len(PARTS):
            notices.extend([*_drawn_by(folder.about), *_moved_strata(asked.slug, folder)])
        if undone or intake.dry_run:
            raise _Undone
    return _together(parts, notices, undone=undone, dry_run=intake.dry_run)


def _brought(asked: CorpusAsked, intake: Intake, folder: SetFolder, *, now: datetime) -> Iterator[Receipt]:
    """The receipts of the parts, up to the first whose refused rows refuse all."""
    documents = import_corpus(asked=asked, intake=intake, now=now)
    yield documents
    corpus = Corpus.objects.filter(slug=asked.slug).first()
    if corpus is not None and _goes_on(documents, intake):
        with one_write(intake.guard):
            yield from _asked_and_graded(corpus, intake, folder, now=now)


def _goes_on(part: Receipt, intake: Intake) -> bool:
    return not part.errors or (intake.keep_good and part.stored + part.merged > 0)


def _asked_and_graded(corpus: Corpus, intake: Intake, folder: SetFolder, *, now: datetime) -> Iterator[Receipt]:
    takes_over = not corpus.queries.exists()
    if takes_over:
        _take_rules(corpus, folder.about, now=now)
    queries = import_queries(corpus=corpus, intake=intake, now=now)
    yield replace(queries, notices=(*queries.notices, *_rule_of_its_own(corpus, folder.about)))
    if not _goes_on(queries, intake):
        return
    if takes_over:
        _offer_golds(corpus, folder)
    yield import_qrels(corpus=corpus, intake=intake, now=now, on_our_scale=True)
    if takes_over:
        _take_back_golds(corpus)
        _take_plan(corpus, folder)


def _take_rules(corpus: Corpus, about: About, *, now: datetime) -> None:
    corpus.relevant_from = about.relevant_from
    corpus.save(update_fields=["relevant_from"])
    if about.traffic:
        statement = Statement(about.traffic, TrafficReading.Source.FILE, f"Came with {about.name}")
        state_traffic(corpus=corpus, statement=statement, now=now)


def _rule_of_its_own(corpus: Corpus, about: About) -> Iterator[Notice]:
    if corpus.relevant_from != about.relevant_from:
        text = f"{about.name} takes grades from {about.relevant_from} on as relevant, this corpus from"
        yield Notice(0, "", f"{text} {corpus.relevant_from}; the corpus keeps its rule.")


def _offer_golds(corpus: Corpus, folder: SetFolder) -> None:
    """Give queries that are not judged yet the gold they were frozen with: it stays where it is settled relevant."""
    ready = list(Query.objects.filter(corpus=corpus, status=Query.Status.READY))
    for query in ready:
        query.gold_canonical_id = folder.strata.get(query.external_id, {}).get("gold_canonical_id", "")
    overwrite(ready, ["gold_canonical_id"])


def _take_back_golds(corpus: Corpus) -> None:
    Query.objects.filter(corpus=corpus, status=Query.Status.READY).update(gold_canonical_id="")


def _take_plan(corpus: Corpus, folder: SetFolder) -> None:
    """What was planned for strata, and what the figures of those that hold queries are for."""
    planned = {_key(row): Numbers(_use(row), _planned(row)) for row in folder.about.plan}
    for numbers in planned.values():
        numbers.check()
    uses = {_key(row): Numbers(_use(row)) for row in folder.strata.values()}
    strata_for(corpus=corpus, keys=planned)
    here = {key_of(stratum): stratum.pk for stratum in corpus.strata.all()}
    replan(corpus=corpus, changes={here[key]: told for key, told in {**uses, **planned}.items() if key in here})


def _key(row: Mapping[str, str | int]) -> StratumKey:
    """The stratum that a row of the plan or of `strata.tsv` names.

    Raises:
        Refused: there can be no such stratum.
    """
    key = StratumKey(*(str(row.get(name, "")) for name in StratumKey._fields))
    named = ((key.script, SCRIPT_CLASSES), (key.query_type, QueryType.values), (key.slice, Slice.values))
    if any(value not in values for value, values in named) or not (_is_locale(key[0]) and _is_locale(key[1])):
        raise Refused(f"The set names a stratum that there cannot be: {' × '.join(key)[:200]}.")
    return key


def _is_locale(tag: str) -> bool:
    try:
        return tag == UNKNOWN_LANGUAGE or canonical_locale(tag) == tag
    except (UnknownLocale, ScriptNeeded):
        return False


def _use(row: Mapping[str, str | int]) -> Use:
    use = str(row.get("use"))
    if use not in Use.values:
        raise Refused(f'The set names a use that there is not: "{use[:40]}".')
    return Use(use)


def _planned(row: Mapping[str, str | int]) -> int:
    planned = row.get("planned")
    return planned if isinstance(planned, int) else 0


def _drawn_by(about: About) -> Iterator[Notice]:
    """Names the encoder behind the lists that the set was judged on: another one draws other candidates."""
    for each in about.exact_lists or ():
        made_by = f"{each.encoder} {each.revision}".strip()
        yield Notice(0, "", f"Exact search by {made_by} drew the candidates of {queries_in_words(each.queries)}.")


def _moved_strata(slug: str, folder: SetFolder) -> Iterator[Notice]:
    """Names the queries that count in another stratum here than they were frozen in."""
    queries = Query.objects.filter(corpus__slug=slug).select_related("stratum")
    for query in rows_in(queries, "external_id", folder.strata):
        frozen, here = _key(folder.strata[query.external_id]), key_of(query.stratum)
        if here != frozen:
            text = f"It was frozen in {' × '.join(frozen)} and counts in {' × '.join(here)} here."
            yield Notice(0, query.external_id, text)


def _together(parts: Sequence[Receipt], notices: Sequence[Notice], *, undone: bool, dry_run: bool) -> Receipt:
    """One receipt over all parts; each row is counted once, and what a part says names it."""
    if undone:
        parts = [replace(part, stored=0, merged=0) for part in parts]
    named = list(zip(PARTS, parts, strict=False))
    errors = [replace(fault, reason=f"{name}: {fault.reason}") for name, part in named for fault in part.errors]
    if undone:
        errors.append(
            Fault(0, "", "Nothing of the set was stored: it comes back whole, or its good rows (--keep-good).")
        )
    return Receipt(
        read=sum(part.read for part in parts),
        stored=sum(part.stored for part in parts),
        merged=sum(part.merged for part in parts),
        errors=tuple(errors),
        notices=(*(_counted(name, part) for name, part in named), *_said(named), *notices),
        dry_run=dry_run,
    )


def _counted(name: str, part: Receipt) -> Notice:
    figures = f"{part.read:,} read, {part.stored:,} stored, {part.merged:,} merged, {part.refused:,} refused"
    return Notice(0, "", f"{name}: {figures}.")


def _said(named: Iterable[tuple[str, Receipt]]) -> Iterator[Notice]:
    for name, part in named:
        for notice in part.notices:
            yield replace(notice, text=f"{name}: {notice.text}")
