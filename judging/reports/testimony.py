"""What judging says of a corpus on the certificate of a set: who judged how much, and how far they agree."""

from __future__ import annotations

from typing import Any

from django.db.models import Count

from curation.models import Corpus, Query
from judging.models import Judgment, State
from judging.reports.rates import rate_of
from judging.reports.voices import heard

SAID = (State.GRADED, State.SWEPT, State.CANT_TELL)


def testimony(corpus: Corpus) -> dict[str, Any]:
    """`judges` by name with their judgments on judged queries, most first; `agreement` of all pairs of opinions."""
    given = Judgment.objects.filter(query__corpus=corpus, query__status=Query.Status.JUDGED, state__in=SAID)
    counted = given.values("assessor__name", "assessor__username").annotate(n=Count("pk"))
    judges = [
        {"name": row["assessor__name"] or row["assessor__username"], "judgments": row["n"]}
        for row in counted.order_by("-n", "assessor__username")
    ]
    rate = rate_of(heard(corpus).answers.values(), relevant_from=corpus.relevant_from)
    return {"judges": judges, "agreement": rate.as_json()}
