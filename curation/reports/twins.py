"""Text twins: articles with the very same texts, what is settled about them, and where that contradicts itself."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import Any

from django.db.models import Count, QuerySet

from curation.models import Corpus, Document, DocumentText, Qrel, Query
from curation.reports.prepared import CORPUS, KEY, NAME, Prepared

Texts = Mapping[str, frozenset[str]]
"""Language → the folded texts that an article has in it."""


@dataclass(frozen=True, slots=True)
class TwinGrades:
    """What is settled for one query about articles that are twins of each other, in order of their canonical ids.

    `differ` where the grades are not equal, `contradicts` where one is relevant and another is not.
    """

    query: Query
    qrels: tuple[Qrel, ...]
    contradicts: bool

    @property
    def differ(self) -> bool:
        """Whether the grades are not equal."""
        return len({qrel.grade for qrel in self.qrels}) > 1

    def as_json(self) -> dict[str, Any]:
        """One line of `manage.py twins --json`."""
        grades = [
            {"canonical_id": each.canonical_id, "grade": each.grade, "source": each.source} for each in self.qrels
        ]
        return {"query_id": self.query.external_id, "contradicts": self.contradicts, "grades": grades}


def are_twins(one: Texts, other: Texts) -> bool:
    """Whether two articles hold the same texts in every language that both have, and share a language."""
    shared = one.keys() & other.keys()
    return bool(shared) and all(one[language] == other[language] for language in shared)


def twin_sets(articles: Mapping[str, Texts]) -> list[tuple[str, ...]]:
    """The canonical ids that are twins of each other, through a third one too: each set sorted, by its first id."""
    by_text: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for name in sorted(articles):
        for language, texts in articles[name].items():
            for text in texts:
                by_text[language, text].append(name)
    joined = {name: {name} for name in articles}
    for one, other in {pair for names in by_text.values() for pair in combinations(names, 2)}:
        if joined[one] is not joined[other] and are_twins(articles[one], articles[other]):
            joined[one] |= joined[other]
            joined.update(dict.fromkeys(joined[other], joined[one]))
    return sorted({tuple(sorted(names)) for names in joined.values() if len(names) > 1})


def twins_of(corpus: Corpus, *, articles: Collection[str] | None = None) -> dict[str, tuple[str, ...]]:
    """Canonical id → it and its twins, of the articles of `corpus` that have any; one SQL query.

    With `articles` (canonical ids), of those that share a text with one of them, by three SQL queries where none does
    and five where some do; twins of each other through more than one article that is none of them are not found then.
    """
    texts = DocumentText.objects.filter(current=True, document__corpus=corpus, document__gone_at=None).order_by()
    if articles is None:
        by_text = texts.values("folded_sha256").annotate(n=Count("document__canonical_id", distinct=True))
        held = by_text.filter(n__gt=1).values("folded_sha256")
        return _twins_named(texts, texts.filter(folded_sha256__in=held).values("document__canonical_id"))
    shared = _shared_texts(corpus, articles)
    if not shared:
        return {}
    named = texts.filter(folded_sha256__in=shared).values_list("document__canonical_id", flat=True)
    return _twins_named(texts, set(named))


def _shared_texts(corpus: Corpus, articles: Collection[str]) -> list[str]:
    """The texts of `articles` that stand more than once; lists and no joins, so that only indexes are read."""
    documents, own, more_than_once = _shared_asked()
    found = [pk for (pk,) in documents.rows({CORPUS: corpus.pk, NAME: list(articles)})]
    texts = [text for (text,) in own.rows({KEY: found})]
    return [text for (text,) in more_than_once.rows({NAME: texts})]


@cache
def _shared_asked() -> tuple[Prepared, Prepared, Prepared]:
    current = DocumentText.objects.filter(current=True).order_by()
    by_text = current.filter(folded_sha256__in=[NAME]).values("folded_sha256").annotate(n=Count("pk"))
    return (
        Prepared.of(Document.objects.filter(corpus=CORPUS, canonical_id__in=[NAME]).values_list("pk")),
        Prepared.of(current.filter(document__in=[KEY]).values_list("folded_sha256")),
        Prepared.of(by_text.filter(n__gt=1).values_list("folded_sha256")),
    )


def _twins_named(
    texts: QuerySet[DocumentText], names: Collection[str] | QuerySet[Any, Any]
) -> dict[str, tuple[str, ...]]:
    """Which of these articles are twins."""
    rows = texts.filter(document__canonical_id__in=names)
    held: defaultdict[str, defaultdict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for name, language, text in rows.values_list("document__canonical_id", "document__language", "folded_sha256"):
        held[name][language].add(text)
    told = {name: {tag: frozenset(each) for tag, each in by.items()} for name, by in held.items()}
    return {name: twins for twins in twin_sets(told) for name in twins}


def derived_for_twins(corpus: Corpus) -> QuerySet[Qrel]:
    """The grades that a text twin passed on, by query id; those of retired queries are left out."""
    passed_on = Qrel.objects.filter(query__corpus=corpus, source=Qrel.Source.DERIVED).exclude(twin_of="")
    standing = passed_on.exclude(query__status=Query.Status.RETIRED).select_related("query")
    return standing.order_by("query__external_id", "canonical_id")


def graded_twins(corpus: Corpus) -> list[TwinGrades]:
    """Every query for which two or more twins are settled, by query id; those of retired queries are left out."""
    twins = twins_of(corpus)
    settled = Qrel.objects.filter(query__corpus=corpus).exclude(query__status=Query.Status.RETIRED)
    met: defaultdict[tuple[int, tuple[str, ...]], list[Qrel]] = defaultdict(list)
    for qrel in settled.select_related("query").order_by("query__external_id", "canonical_id").iterator():
        if qrel.canonical_id in twins:
            met[qrel.query_id, twins[qrel.canonical_id]].append(qrel)
    return [_grades(corpus, qrels) for qrels in met.values() if len(qrels) > 1]


def _grades(corpus: Corpus, qrels: Sequence[Qrel]) -> TwinGrades:
    relevant = {qrel.grade >= corpus.relevant_from for qrel in qrels}
    return TwinGrades(qrels[0].query, tuple(qrels), contradicts=len(relevant) > 1)


def differing_twins(corpus: Corpus) -> list[TwinGrades]:
    """The twins whose settled grades for one query are not equal; contradictions in relevance first."""
    return sorted((each for each in graded_twins(corpus) if each.differ), key=lambda each: not each.contradicts)


def folded(qrels: Iterable[Qrel], twins: Mapping[str, tuple[str, ...]]) -> list[Qrel]:
    """One qrel for each query and set of twins: the one of the strongest source, of those the highest grade."""
    strength = {source: place for place, source in enumerate(Qrel.Source.values)}
    best: dict[tuple[int, str], Qrel] = {}
    for qrel in qrels:
        key = (qrel.query_id, twins.get(qrel.canonical_id, (qrel.canonical_id,))[0])
        order = (strength[qrel.source], -qrel.grade)
        if key not in best or order < (strength[best[key].source], -best[key].grade):
            best[key] = qrel
    return list(best.values())
