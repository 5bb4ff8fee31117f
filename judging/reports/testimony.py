"""What judging says of a set's queries on its certificate: who judged how much, how far they agree, of which lists."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from typing import Any

from django.db.models import Count

from curation.models import Corpus, EmbeddingSpace, User
from judging.models import Judgment, Pool, State
from judging.reports.rates import rate_of
from judging.reports.voices import heard

SAID = (State.GRADED, State.SWEPT, State.CANT_TELL)


def testimony(corpus: Corpus, query_ids: Collection[int]) -> dict[str, Any]:
    """`judges` by name with their judgments on these queries, most first; `agreement` of all pairs of opinions.

    `exact_lists` names the encoders whose vectors exact search drew the queries' candidates by, most queries first.
    """
    answers = (voices for (query, _), voices in heard(corpus).answers.items() if query in query_ids)
    rate = rate_of(answers, relevant_from=corpus.relevant_from)
    lists = _exact_lists(corpus, query_ids)
    return {"judges": _judges(corpus, query_ids), "agreement": rate.as_json(), "exact_lists": lists}


def _judges(corpus: Corpus, query_ids: Collection[int]) -> list[dict[str, Any]]:
    given = Judgment.objects.filter(query__corpus=corpus, state__in=SAID).order_by()
    counts: Counter[int] = Counter()
    for person, query, n in given.values_list("assessor", "query").annotate(n=Count("pk")):
        counts[person] += n if query in query_ids else 0
    names = {person.pk: str(person) for person in User.objects.filter(pk__in=counts)}
    return [{"name": names[person], "judgments": n} for person, n in counts.most_common() if n]


def _exact_lists(corpus: Corpus, query_ids: Collection[int]) -> list[dict[str, Any]]:
    drawn = Pool.objects.filter(query__corpus=corpus, embedding_space__isnull=False).order_by("pk")
    counts = Counter(space for space, query in drawn.values_list("embedding_space", "query") if query in query_ids)
    spaces = EmbeddingSpace.objects.in_bulk(counts)
    return [_told_of(spaces[key], queries) for key, queries in counts.most_common()]


def _told_of(space: EmbeddingSpace, queries: int) -> dict[str, Any]:
    width = {"native_dims": space.native_dims, "dims": space.dims}
    return {"encoder": space.encoder, "revision": space.revision, **width, "sha256": space.sha256, "queries": queries}
