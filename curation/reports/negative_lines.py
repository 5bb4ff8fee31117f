"""The hard negatives of a run as lines of a file: ids, or the texts themselves to train a retriever on.

Only what a settled grade says is not relevant is a negative. Everything follows the grades of the day of the export.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from curation.formats.contrastive import n_tuples, triplets
from curation.miners.hard_negative import WANTED
from curation.models import Document, DocumentText, HardNegative, MiningRun, Query
from curation.reports.negative_standing import Settled, Standing, settled, standings

Line = dict[str, Any]
FORMS = ("ids", "triplets", "n-tuples")
QUERIES_AT_ONCE = 20
NONE_SETTLED = "no mined document is settled as not relevant, of a query that has a relevant one"


@dataclass(frozen=True, slots=True)
class Known:
    """A query of the run, its relevant articles each as its documents, and the mined ones with their standing."""

    query: Query
    articles: tuple[tuple[Document, ...], ...]
    mined: tuple[tuple[HardNegative, Standing], ...]
    golds: frozenset[int | None]

    @property
    def positives(self) -> list[Document]:
        """The document each relevant article is known by: the one it was judged in, else its source, else the first."""
        return [min(article, key=self._place) for article in self.articles]

    def _place(self, document: Document) -> tuple[bool, bool, str]:
        return document.pk not in self.golds, not document.is_source, document.external_id

    @property
    def negatives(self) -> list[Document]:
        """The documents settled as not relevant, by rank."""
        return [negative.document for negative, standing in self.mined if standing.is_negative]

    def named(self, *kinds: str) -> list[str]:
        """The external ids of the mined documents of these kinds, by rank."""
        return [negative.document.external_id for negative, standing in self.mined if standing.kind in kinds]


def lines(run: MiningRun, *, form: str = "ids", size: int = WANTED) -> Iterator[Line]:
    """The lines of one of `FORMS`, query by query in code point order of their ids, read a few queries at a time.

    `size` is how many negatives an n-tuple holds; a query with fewer has none.
    """
    about = provenance(run)
    for batch in _batches(run):
        if form == "ids":
            yield from (ids_line(known) | about for known in batch)
            continue
        texts = _texts([document for known in batch for document in (*known.positives, *known.negatives)])
        for known in batch:
            positives, negatives = (
                [texts[document.pk] for document in documents] for documents in (known.positives, known.negatives)
            )
            anchor = known.query.text
            rows = (
                triplets(anchor, positives, negatives)
                if form == "triplets"
                else n_tuples(anchor, positives, negatives, size=size)
            )
            yield from (row | {"query_id": known.query.external_id} | about for row in rows)


def why_empty(run: MiningRun, *, form: str, size: int) -> str:
    """Why a file in `form` has no line, and the way out."""
    if not run.hard_negatives.exists():
        return (
            "This run found no hard negatives, so there is nothing to write; mine again once more queries are judged."
        )
    if form == "n-tuples":
        need = f"no query has {size} documents settled as not relevant" if size > 1 else NONE_SETTLED
        fewer = "ask for fewer negatives, or " if size > 1 else ""
        return f"There is no n-tuple to write: {need}. To get some, {fewer}have more of the mined documents judged."
    return f"There is nothing to write as {form}: {NONE_SETTLED}. Have some judged first, then write the file again."


def provenance(run: MiningRun) -> Line:
    """What every line says of where it comes from; the index is its name and the fingerprint it had."""
    generation = run.generation
    fingerprint = run.params.get("fingerprint") or generation.index_fingerprint
    index = f"{generation.index.name}@{fingerprint}" if fingerprint else generation.index.name
    return {"generation": generation.number, "index": index, "depth": run.params["depth"]}


def ids_line(known: Known) -> Line:
    """A query with the ids of its documents; `derived` are those of `negatives` that no judge looked at."""
    return {
        "query_id": known.query.external_id,
        "positives": sorted(document.external_id for article in known.articles for document in article),
        "negatives": known.named("judged", "derived"),
        "derived": known.named("derived"),
        "unjudged": known.named("unjudged"),
    }


def _batches(run: MiningRun) -> Iterator[list[Known]]:
    found = Query.objects.filter(hard_negatives__run=run).exclude(status=Query.Status.RETIRED).distinct()
    keys = [pk for _, pk in sorted(found.values_list("external_id", "pk"))]
    for start in range(0, len(keys), QUERIES_AT_ONCE):
        yield _known(run, keys[start : start + QUERIES_AT_ONCE])


def _known(run: MiningRun, keys: Sequence[int]) -> list[Known]:
    """What is known of the queries with these keys; one for which nothing relevant is settled any more is left out."""
    corpus = run.generation.index.corpus
    facts, queries = settled(corpus, keys), Query.objects.in_bulk(keys)
    here = run.hard_negatives.filter(query__in=keys, document__gone_at=None)
    mined = list(here.select_related("document").order_by("rank"))
    standing = standings(corpus, mined, facts)
    golds = {(key, qrel.gold_document_id) for (key, _), qrel in facts.qrels.items()}
    articles = _articles(run, facts, keys)
    return [
        Known(
            queries[key],
            tuple(articles[name] for name in facts.relevant(key) if name in articles),
            tuple((negative, standing[negative.pk]) for negative in mined if negative.query_id == key),
            frozenset(document for query, document in golds if query == key),
        )
        for key in keys
        if any(name in articles for name in facts.relevant(key))
    ]


def _articles(run: MiningRun, facts: Settled, keys: Sequence[int]) -> dict[str, tuple[Document, ...]]:
    """The documents of every article that is relevant to one of the queries, by canonical id."""
    wanted = {name for key in keys for name in facts.relevant(key)}
    found = Document.objects.filter(corpus=run.generation.index.corpus, gone_at=None, canonical_id__in=wanted)
    articles: defaultdict[str, list[Document]] = defaultdict(list)
    for document in found:
        articles[document.canonical_id].append(document)
    return {name: tuple(documents) for name, documents in articles.items()}


def _texts(documents: Sequence[Document]) -> dict[int, str]:
    """What an encoder sees of each document, by its key."""
    rows = DocumentText.objects.filter(document__in={document.pk for document in documents}, current=True)
    found = rows.values_list("document_id", "title", "text")
    return {key: "\n".join(filter(None, (title, text))) for key, title, text in found}
