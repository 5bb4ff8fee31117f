"""What the miners work on: the corpus, its judged queries and its log, gathered into columns.

Runs in jobs and commands only.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from django.db.models import QuerySet

from curation.indexes.base import Index
from curation.miners.documents import Documents
from curation.miners.hard_negative import JudgedQuery, Search, Shelf
from curation.miners.progress import Progress
from curation.miners.short_keyword import LogLine
from curation.models import (
    CannotTell,
    Corpus,
    DocumentText,
    LogQuery,
    Qrel,
    Query,
    TargetIndex,
)
from curation.reports.embeddings import EncodedText
from curation.reports.indexes import answers
from curation.retrieval.folding import fold
from curation.retrieval.tokens import words

LINES_AT_ONCE = 5000


def _current(corpus: Corpus) -> QuerySet[DocumentText]:
    return DocumentText.objects.filter(document__corpus=corpus, document__gone_at=None, current=True)


def documents_of(corpus: Corpus, texts: Sequence[EncodedText]) -> Documents:
    """The corpus as it is now, row by row beside its `texts_to_encode`."""
    columns = ("canonical_id", "language", "is_source", "facts")
    found = _current(corpus).values_list("document__external_id", "title", *(f"document__{name}" for name in columns))
    about = {external_id: rest for external_id, *rest in found}
    rows = [about[text.external_id] for text in texts]
    return Documents(
        external_ids=[text.external_id for text in texts],
        texts=[text.text for text in texts],
        titles=[row[0] for row in rows],
        canonical_ids=[row[1] for row in rows],
        languages=[row[2] for row in rows],
        sources=[row[3] for row in rows],
        facts=[{name: str(value) for name, value in row[4].items()} for row in rows],
    )


def shelf_of(corpus: Corpus) -> Shelf:
    """The canonical id and the text fingerprint of every document that is not gone."""
    found = _current(corpus).values_list("document__external_id", "document__canonical_id", "folded_sha256")
    canonical_ids, fingerprints = {}, {}
    for external_id, canonical_id, fingerprint in found:
        canonical_ids[external_id], fingerprints[external_id] = canonical_id, fingerprint
    return Shelf(canonical_ids, fingerprints)


def queries_of(corpus: Corpus) -> dict[str, Query]:
    """The queries that are not retired by external id, in code point order."""
    found = corpus.queries.exclude(status=Query.Status.RETIRED).select_related("stratum")
    return {query.external_id: query for query in sorted(found, key=lambda query: query.external_id)}


def judged_queries(corpus: Corpus, queries: Sequence[Query]) -> list[JudgedQuery]:
    """What is settled about each of `queries`, in their order; relevant is what the corpus's own rule says."""
    grades: defaultdict[int, dict[str, int]] = defaultdict(dict)
    for query, canonical_id, grade in Qrel.objects.filter(query__corpus=corpus).values_list(
        "query_id", "canonical_id", "grade"
    ):
        grades[query][canonical_id] = grade
    untold: defaultdict[int, set[str]] = defaultdict(set)
    for query, canonical_id in CannotTell.objects.filter(query__corpus=corpus).values_list("query_id", "canonical_id"):
        untold[query].add(canonical_id)
    return [
        JudgedQuery(
            query_id=query.external_id,
            relevant=frozenset(name for name, grade in grades[query.pk].items() if grade >= corpus.relevant_from),
            grades=grades[query.pk],
            cannot_tell=frozenset(untold[query.pk] - grades[query.pk].keys()),
        )
        for query in queries
    ]


def search_of(index: TargetIndex, queries: Mapping[str, Query], *, opened: Index) -> Search:
    """How `index`, whatever its kind, is asked with queries by external id, once it is `opened`.

    What is returned raises IndexRefused where the index does not answer.
    """
    return lambda names, k: answers(index, [queries[name] for name in names], k, opened=opened)


def log_lines(corpus: Corpus) -> Iterator[LogLine]:
    """The log, in the order it was imported.

    Read a page at a time: whoever keeps a question open on SQLite cannot write after another connection did, and a
    job writes its progress while it reads.
    """
    found = LogQuery.objects.filter(corpus=corpus).order_by("pk").values_list("pk", "text", "locale", "count", "date")
    last = 0
    while page := list(found.filter(pk__gt=last)[:LINES_AT_ONCE]):
        last = page[-1][0]
        for _, text, locale, count, day in page:
            yield LogLine(text, locale, count, f"{day:%Y-%m}" if day else "")


def words_of(documents: Documents, progress: Progress) -> frozenset[str]:
    """Every folded word of the corpus; `progress` counts documents."""
    found: set[str] = set()
    for row, language in enumerate(documents.languages):
        found.update(words(fold(documents.texts[row], language), language))
        progress(row + 1, len(documents))
    return frozenset(found)
