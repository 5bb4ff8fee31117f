"""What the database holds, beside what the judges were told: nothing lost, nothing twice, nothing held by two."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from django.db.models import Count, F

from judging.management.benches.clients import Log
from judging.models import COUNTS, HOLDS, Assignment, Judgment, JudgmentEvent, Pool


def lost(logs: Sequence[Log]) -> int:
    """Acknowledged marks that stand nowhere, or not with the grade that was given, and finishes that are not stored."""
    tokens = set(JudgmentEvent.objects.values_list("token", flat=True))
    grades = dict(Judgment.objects.exclude(token="").values_list("token", "grade"))
    finished = set(Assignment.objects.filter(finished_at__isnull=False).values_list("pk", flat=True))
    marks = {token: value for log in logs for token, _, _, value, _ in log.marks}
    gone = sum(token not in tokens or grades.get(token) != int(value) for token, value in marks.items())
    return gone + sum(assignment not in finished for log in logs for assignment in log.finished)


def double() -> int:
    """Presses that were stored more than once, and candidates with more than one judgment of one person."""
    twice = JudgmentEvent.objects.values("token").annotate(rows=Count("pk")).filter(rows__gt=1)
    again = JudgmentEvent.objects.values("judgment", "number").annotate(rows=Count("pk")).filter(rows__gt=1)
    two = Judgment.objects.values("candidate", "assessor").annotate(rows=Count("pk")).filter(rows__gt=1)
    return twice.count() + again.count() + two.count()


def shared(logs: Sequence[Log]) -> int:
    """Pools that more people held at a moment than it has places, as the judges saw it or as it stands now."""
    held = [hold for log in logs for hold in log.holds]
    pools = dict(Assignment.objects.values_list("pk", "pool"))
    places = dict(Pool.objects.values_list("pk", "opinions"))
    spans: dict[int, list[tuple[float, float]]] = {}
    for assignment, since, until in held:
        spans.setdefault(pools[assignment], []).append((since, until))
    crowded = {pool for pool, ours in spans.items() if most_at_once(ours) > places[pool]}
    taken = Assignment.objects.filter(HOLDS | COUNTS).values("pool", "pool__opinions").annotate(taken=Count("pk"))
    crowded |= set(taken.filter(taken__gt=F("pool__opinions")).values_list("pool", flat=True))
    return len(crowded)


def most_at_once(spans: Iterable[tuple[float, float]]) -> int:
    """How many of the spans (since, until) overlap at most; one that ends as another begins does not overlap it."""
    steps: Counter[tuple[float, int]] = Counter()
    for since, until in spans:
        steps[since, 1] += 1
        steps[until, -1] += 1
    most = now = 0
    for (_, step), count in sorted(steps.items()):
        now += step * count
        most = max(most, now)
    return most
