"""What is known of mined documents by now, whatever was known when they were mined."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from curation.models import CannotTell, Corpus, DocumentText, HardNegative, Qrel

Pair = tuple[int, str]


@dataclass(frozen=True, slots=True)
class Standing:
    """What is known of a mined document by now.

    `kind`: judged (not relevant), derived (grade 0 of a near-duplicate group), relevant, cannot_tell, twin (it has the
    very text of an article that is relevant or that a judge could not tell about), or unjudged, which may be relevant
    after all and is no negative yet.
    """

    kind: str
    grade: int | None = None

    @property
    def is_negative(self) -> bool:
        """Whether a settled grade says that it is not relevant."""
        return self.kind in {"judged", "derived"}


@dataclass(frozen=True, slots=True)
class Settled:
    """What is settled about some queries: grades and doubts by (query key, canonical id)."""

    qrels: dict[Pair, Qrel]
    untold: set[Pair]
    relevant_from: int

    def relevant(self, query: int) -> list[str]:
        """The canonical ids relevant to a query: the highest grade first, equal ones by id."""
        found = [qrel for (key, _), qrel in self.qrels.items() if key == query and qrel.grade >= self.relevant_from]
        return [qrel.canonical_id for qrel in sorted(found, key=lambda qrel: (-qrel.grade, qrel.canonical_id))]


def settled(corpus: Corpus, queries: Sequence[int]) -> Settled:
    """What is settled about the queries with these keys; two database queries."""
    qrels = Qrel.objects.filter(query__in=queries).select_related("gold_document")
    untold = CannotTell.objects.filter(query__in=queries).values_list("query_id", "canonical_id")
    graded = {(qrel.query_id, qrel.canonical_id): qrel for qrel in qrels}
    return Settled(graded, set(untold) - graded.keys(), corpus.relevant_from)


def standings(corpus: Corpus, negatives: Sequence[HardNegative], known: Settled) -> dict[int, Standing]:
    """The standing of each mined document by its key, with what `known` says of its query; two database queries."""
    barred = _barred_texts(corpus, known)
    texts = DocumentText.objects.filter(current=True, document__in={negative.document_id for negative in negatives})
    own = dict(texts.values_list("document_id", "folded_sha256"))
    return {
        negative.pk: _standing(negative, known, twin=own.get(negative.document_id, "") in barred[negative.query_id])
        for negative in negatives
    }


def standing_of(corpus: Corpus, negative: HardNegative) -> Standing:
    """What is known of one mined document by now."""
    return standings(corpus, [negative], settled(corpus, [negative.query_id]))[negative.pk]


def _standing(negative: HardNegative, known: Settled, *, twin: bool) -> Standing:
    pair = (negative.query_id, negative.canonical_id)
    qrel = known.qrels.get(pair)
    if qrel is not None and qrel.grade >= known.relevant_from:
        return Standing("relevant", qrel.grade)
    if pair in known.untold:
        return Standing("cannot_tell")
    if twin:
        return Standing("twin")
    if qrel is None:
        return Standing("unjudged")
    return Standing("derived" if qrel.source == Qrel.Source.DERIVED else "judged", qrel.grade)


def _barred_texts(corpus: Corpus, known: Settled) -> defaultdict[int, set[str]]:
    """By query, the texts of every document that is relevant to it or that a judge could not tell about."""
    barred: defaultdict[str, set[int]] = defaultdict(set)
    for query, canonical in [
        *known.untold,
        *(p for p, qrel in known.qrels.items() if qrel.grade >= known.relevant_from),
    ]:
        barred[canonical].add(query)
    found: defaultdict[int, set[str]] = defaultdict(set)
    texts = DocumentText.objects.filter(document__corpus=corpus, document__gone_at=None, current=True)
    rows = texts.filter(document__canonical_id__in=barred).values_list("document__canonical_id", "folded_sha256")
    for canonical, text in rows:
        for query in barred[canonical]:
            found[query].add(text)
    return found
