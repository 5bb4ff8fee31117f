"""What can be imported through the screen, by name: so curation imports judgments and knows nothing of judging."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Protocol

from curation.actions.corpora import CorpusAsked, import_corpus
from curation.actions.logs import import_log
from curation.actions.need_files import import_needs
from curation.actions.plan_files import import_plan
from curation.actions.qrel_files import import_qrels
from curation.actions.queries import import_queries
from curation.actions.receipts import Intake, Receipt
from curation.actions.run_files import import_run
from curation.actions.set_importing import import_set
from curation.formats.documents import read_documents
from curation.formats.faults import Notice
from curation.formats.grades import grade_mapping
from curation.formats.needs import read_needs
from curation.formats.pairs import lines_of
from curation.formats.plan import read_plan
from curation.formats.qrels import read_qrels
from curation.formats.queries import read_queries
from curation.formats.query_log import read_query_log
from curation.formats.runs import read_run
from curation.formats.tables import Reading
from curation.models import Corpus

DOCUMENTS, LOG, SET = "documents", "log", "set"
WITH_DOCUMENTS = {DOCUMENTS, SET}
"""Kinds that bring documents: what hangs on the old ones is looked at, and the corpus is encoded anew."""


class Read(Protocol):
    """A reader of rows, faults and notices."""

    def __call__(self, path: Path, reading: Reading | None = None, /) -> Iterator[object]:
        """Read the file."""


Bring = Callable[[Corpus, Intake, dict[str, str], datetime], Receipt]
"""An import of a file; the options are what the form asked for besides it."""


@dataclass(frozen=True, slots=True)
class Importer:
    """One thing that can be imported: its name in addresses, on buttons, its columns in words, and how it is done."""

    kind: str
    title: str
    columns: str
    read: Read
    bring: Bring


Witness = Callable[[Corpus], list[str]]
"""Says in sentences what new documents mean for what hangs on the old ones."""

_importers: dict[str, Importer] = {}
_witnesses: list[Witness] = []


def add_importer(*added: Importer) -> None:
    """Offer more to import; each app says so when it starts."""
    _importers.update({importer.kind: importer for importer in added})


def add_witness(witness: Witness) -> None:
    """Have one more thing looked at after documents were imported; each app says so when it starts."""
    _witnesses.append(witness)


def witnessed(corpus: Corpus) -> tuple[Notice, ...]:
    """What the documents of a corpus mean now for what hangs on them."""
    return tuple(Notice(0, "", text) for witness in _witnesses for text in witness(corpus))


def importers() -> list[Importer]:
    """Everything that can be imported, in the order it was added."""
    return list(_importers.values())


def importer_of(kind: str) -> Importer:
    """The importer of that name.

    Raises:
        KeyError: no app offers it.
    """
    return _importers[kind]


OWN = (
    Importer(
        "queries",
        "queries",
        "query_id, text, locale; where known information_need_id, information_need, query_type, slice, "
        "gold_canonical_id, variant_of",
        read_queries,
        lambda corpus, intake, _options, now: import_queries(corpus=corpus, intake=intake, now=now),
    ),
    Importer(
        "needs",
        "needs",
        "information_need_id, information_need; where known context, gold_canonical_id, slice",
        read_needs,
        lambda corpus, intake, _options, _now: import_needs(corpus=corpus, intake=intake),
    ),
    Importer(
        DOCUMENTS,
        "documents",
        "doc_id, text; where known title, canonical_id, locale, is_source, effective_date, limit_amount, jurisdiction",
        read_documents,
        lambda corpus, intake, options, now: import_corpus(
            asked=CorpusAsked(slug=corpus.slug, whole=bool(options.get("whole"))), intake=intake, now=now
        ),
    ),
    Importer(
        "qrels",
        "qrels",
        "TREC or BEIR: query-id, corpus-id (a document or a canonical id), score",
        read_qrels,
        lambda corpus, intake, options, now: import_qrels(
            corpus=corpus,
            intake=intake,
            now=now,
            map_grades=grade_mapping(lines_of(options.get("map_grade", ""))),
            locale=options.get("locale", ""),
        ),
    ),
    Importer(
        "run",
        "hits of a run",
        "a TREC run, or query-id, corpus-id and score",
        read_run,
        lambda corpus, intake, options, now: import_run(
            corpus=corpus,
            intake=intake,
            name=options.get("name", ""),
            now=now,
            k=int(options["k"]) if "k" in options else None,
            production=bool(options.get("production")),
        ),
    ),
    Importer(
        LOG,
        "log lines",
        "query; where known locale, date and count",
        read_query_log,
        lambda corpus, intake, options, _now: import_log(
            corpus=corpus, intake=intake, locale=options.get("locale", "")
        ),
    ),
    Importer(
        "plan",
        "strata of a plan",
        "query_language, script, query_type, planned; where known corpus_language, slice, use, priority",
        read_plan,
        lambda corpus, intake, _options, _now: import_plan(corpus=corpus, intake=intake),
    ),
    Importer(
        SET,
        "rows of an exported set",
        "the zip of a set's page, or that of export_set's folder, as JSON Lines, BEIR, MTEB or Hugging Face",
        read_queries,
        lambda corpus, intake, _options, now: import_set(asked=CorpusAsked(slug=corpus.slug), intake=intake, now=now),
    ),
)
