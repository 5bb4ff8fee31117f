"""What the documents of a ranking render: boards and gates read a run by these, so that both find the same gold.

House rule "Cut, then match": a document that the corpus does not hold, or not any more, keeps its place, so that no
rank improves, and answers nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.db.models import QuerySet

from curation.measures.hit import gold_rank
from curation.models import Corpus, Document

NO_ARTICLE = ""
"""What a document renders that the corpus does not hold, or not any more."""


def articles_standing(corpus: Corpus) -> QuerySet[Document, tuple[str, str]]:
    """External id and canonical id of every document that stands in the corpus."""
    return Document.objects.filter(corpus=corpus, gone_at=None).values_list("external_id", "canonical_id")


def articles_of(ranked: Sequence[str], standing: Mapping[str, str]) -> list[str]:
    """Each document (external ids, best first) as the canonical id it renders."""
    return [standing.get(each, NO_ARTICLE) for each in ranked]


def rank_of_gold(articles: Sequence[str], gold: str) -> int | None:
    """Where `gold` first stands among `articles`, from 1; None where it does not, or the query has none."""
    return gold_rank(articles, gold) if gold else None
