"""What imported opinions say together, one answer a line."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from judging.models import Judgment, State

GRADE_OF_SWEPT = 0


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the judges of one answer, `opinions` of them, say together; `grade` is None where they disagree."""

    query_id: int
    canonical_id: str
    grade: int | None
    swept: bool
    document_id: int
    original_score: str
    opinions: int
    text_sha256: str

    @property
    def pair(self) -> tuple[int, str]:
        """(query, canonical id)."""
        return self.query_id, self.canonical_id


def verdicts_of(opinions: Iterable[Judgment]) -> list[Verdict]:
    """One verdict for each (query, canonical id), in ascending order of both.

    A judge's grade of an article is the highest of those they gave to its documents.
    """
    answers: dict[tuple[int, str], dict[int, Judgment]] = {}
    for opinion in sorted(opinions, key=lambda opinion: (opinion.query_id, opinion.canonical_id, opinion.pk)):
        judges = answers.setdefault((opinion.query_id, opinion.canonical_id), {})
        best = judges.setdefault(opinion.assessor_id, opinion)
        if _height(opinion) > _height(best):
            judges[opinion.assessor_id] = opinion
    return [
        _verdict(query_id, canonical_id, list(judges.values())) for (query_id, canonical_id), judges in answers.items()
    ]


def _height(opinion: Judgment) -> int:
    return opinion.grade if opinion.grade is not None else GRADE_OF_SWEPT


def _verdict(query_id: int, canonical_id: str, opinions: Sequence[Judgment]) -> Verdict:
    heights = {_height(opinion) for opinion in opinions}
    scores = {opinion.original_score for opinion in opinions}
    return Verdict(
        query_id,
        canonical_id,
        grade=heights.pop() if len(heights) == 1 else None,
        swept=all(opinion.state == State.SWEPT for opinion in opinions),
        document_id=opinions[0].document_id,
        original_score=scores.pop() if len(scores) == 1 else "",
        opinions=len(opinions),
        text_sha256=min(opinions, key=lambda opinion: opinion.judged_at).text_sha256,
    )
