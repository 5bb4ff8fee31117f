"""Opinions on their way out: one line a judge, or one line an answer that says what they come to together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery

from curation.formats.judgments import JudgmentRow
from curation.formats.judgments import State as WrittenState
from curation.formats.records import JsonValue
from curation.models import Corpus
from judging.models import Adjudication, Assignment, Judgment, State
from judging.reports.meant import beside, meant_among
from judging.reports.opinions import of_counted_opinions
from judging.reports.verdicts import verdicts_of

WRITTEN: dict[str, WrittenState] = {
    State.GRADED: "graded",
    State.SWEPT: "swept",
    State.UNSEEN: "unseen",
    State.CANT_TELL: "cannot_judge",
    State.CLEARED: "unseen",
}


def judgment_rows(corpus: Corpus) -> list[JudgmentRow]:
    """Every opinion, ordered by query, document and judge, also those that do not count."""
    counted = _counted(corpus)
    rows = [_row(judgment, counts=judgment.pk in counted) for judgment in _judgments(corpus)]
    return sorted(rows, key=lambda row: (row.query_id, row.document_id, row.judge))


def merged_lines(corpus: Corpus) -> Iterator[dict[str, JsonValue]]:
    """One object for each answer, ordered by query and canonical id: the grade, and how it came about.

    Only opinions that count have a say: finished ones that are not surplus, and imported ones. A lead's decision stands
    above what the judges say, and names the lead. What a judge means for a text twin has a say where somebody graded
    the twin itself.
    """
    counted = _counted(corpus)
    meant = meant_among(Judgment.objects.filter(query__corpus=corpus), corpus)
    standing = Adjudication.objects.filter(query__corpus=corpus, undone_at=None).select_related(
        "query__variant_of", "decided_by"
    )
    decided = {(each.query.external_id, each.canonical_id): each for each in standing}
    groups: dict[tuple[str, str], list[Judgment]] = {}
    for judgment in _judgments(corpus):
        groups.setdefault((judgment.query.external_id, judgment.canonical_id), []).append(judgment)
    for (query_id, canonical_id), judgments in sorted(groups.items(), key=lambda group: group[0]):
        said = [judgment for judgment in judgments if judgment.pk in counted]
        graded = [judgment for judgment in said if judgment.state in {State.GRADED, State.SWEPT}]
        decision = decided.get((query_id, canonical_id))
        by_twins = beside(graded, meant.get((judgments[0].query_id, canonical_id), ()))
        by_twin = {each.grade for each in by_twins if graded}
        agreed = verdicts_of(graded)[0].grade if graded else None
        grade = None if by_twin - {agreed} else agreed
        counts = Counter(str(judgment.grade or 0) for judgment in graded)
        doubts = sum(judgment.state == State.CANT_TELL for judgment in said)
        yield {
            "query_id": query_id,
            "canonical_id": canonical_id,
            "grade": decision.grade if decision else grade,
            "swept": decision is None and bool(graded) and all(each.state == State.SWEPT for each in graded),
            "how": _decided(decision) if decision else _how(grade, counts, doubts, by_twin=by_twin),
            **({"decided_by": decision.decided_by.username} if decision else {}),
            "grades": dict(sorted(counts.items())),
            "cannot_judge": doubts,
        }


def _decided(decision: Adjudication) -> str:
    grades = ", ".join(sorted({str(grade) for _, grade, _ in decision.opinions}))
    cause = decision.get_cause_display().lower()
    fast = f" in under {Adjudication.HASTY} s" if decision.is_hasty else ""
    author = ", who wrote the query," if decision.is_by_author else ""
    return f"{decision.decided_by.username}{author} decided{fast}: {cause}; grades {grades} disagreed"


def _how(grade: int | None, counts: Counter[str], doubts: int, *, by_twin: Collection[int]) -> str:
    doubting = f"; {doubts} cannot judge" if doubts else ""
    if not counts:
        return f"nobody graded it{doubting}"
    if grade is None:
        grades = sorted({*counts, *map(str, by_twin)})
        twin = f", {', '.join(map(str, sorted(by_twin)))} by its text twin" if by_twin else ""
        return f"not settled: grades {', '.join(grades)} disagree{twin}{doubting}"
    judges = counts.total()
    return f"{'one judge' if judges == 1 else f'{judges} judges agree'}{doubting}"


def _judgments(corpus: Corpus) -> Iterator[Judgment]:
    return _stored(corpus).select_related("query", "document", "assessor").order_by("pk").iterator()


def _stored(corpus: Corpus) -> QuerySet[Judgment]:
    """What was said, and the rows of finished queries whose mark is taken back: nobody says anything of those."""
    finished = Assignment.objects.filter(
        pool=OuterRef("candidate__pool"), assessor=OuterRef("assessor"), finished_at__isnull=False
    )
    said = ~Q(state=State.CLEARED) | Q(Exists(finished))
    undecided = finished.filter(nothing_because__in=Assignment.UNDECIDED).order_by("-pk").values("nothing_because")
    return Judgment.objects.filter(said, query__corpus=corpus).annotate(undecided=Subquery(undecided[:1]))


def _counted(corpus: Corpus) -> set[int]:
    return set(_stored(corpus).filter(of_counted_opinions()).values_list("pk", flat=True))


def _row(judgment: Judgment, *, counts: bool) -> JudgmentRow:
    undecided = getattr(judgment, "undecided", None)
    return JudgmentRow(
        line=0,
        query_id=judgment.query.external_id,
        document_id=judgment.document.external_id,
        canonical_id="" if judgment.canonical_id == judgment.document.external_id else judgment.canonical_id,
        judge=judgment.assessor.username,
        state=WRITTEN[judgment.state],
        grade=judgment.grade,
        score=judgment.original_score,
        at=judgment.judged_at,
        note=judgment.note,
        text_sha256=judgment.text_sha256,
        extra={"undecided": undecided} if undecided else {},
        counts=counts,
    )
