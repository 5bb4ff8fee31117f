"""What judging says of a set's queries on its certificate: who judged how much, and how far they agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from typing import Any

from django.db.models import Count

from curation.models import Corpus, User
from judging.models import Judgment, State
from judging.reports.rates import rate_of
from judging.reports.voices import heard

SAID = (State.GRADED, State.SWEPT, State.CANT_TELL)


def testimony(corpus: Corpus, query_ids: Collection[int]) -> dict[str, Any]:
    """`judges` by name with their judgments on these queries, most first; `agreement` of all pairs of opinions."""
    answers = (voices for (query, _), voices in heard(corpus).answers.items() if query in query_ids)
    rate = rate_of(answers, relevant_from=corpus.relevant_from)
    return {"judges": _judges(corpus, query_ids), "agreement": rate.as_json()}


def _judges(corpus: Corpus, query_ids: Collection[int]) -> list[dict[str, Any]]:
    given = Judgment.objects.filter(query__corpus=corpus, state__in=SAID).order_by()
    counts: Counter[int] = Counter()
    for person, query, n in given.values_list("assessor", "query").annotate(n=Count("pk")):
        counts[person] += n if query in query_ids else 0
    names = {person.pk: str(person) for person in User.objects.filter(pk__in=counts)}
    return [{"name": names[person], "judgments": n} for person, n in counts.most_common() if n]
