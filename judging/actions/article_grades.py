"""From one person's opinions on documents to one grade for each canonical id. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from judging.models import State
from judging.models.pools import LAST


@dataclass(frozen=True, slots=True)
class Opinion:
    """What someone said of one shown document."""

    canonical_id: str
    document_id: int
    state: str
    grade: int | None
    exact_rank: int | None

    @property
    def value(self) -> int:
        """The grade, 0 where the document was seen and left unmarked."""
        return self.grade or 0


@dataclass(frozen=True, slots=True)
class ArticleGrade:
    """The grade of a canonical id, by the document that earned it; None where nobody could tell.

    `swept` tells a 0 that nobody gave by hand.
    """

    canonical_id: str
    document_id: int
    grade: int | None
    swept: bool
    exact_rank: int | None


def article_grades(opinions: Iterable[Opinion]) -> list[ArticleGrade]:
    """One grade for each canonical id that has one.

    The highest grade of its shown documents decides. Not relevant is said of the whole article, so it takes that all
    its shown documents were seen: with one unseen there is none, with one that nobody could tell about the grade is
    None.
    """
    articles: dict[str, list[Opinion]] = {}
    for opinion in opinions:
        articles.setdefault(opinion.canonical_id, []).append(opinion)
    found = (_article_grade(canonical_id, given) for canonical_id, given in articles.items())
    return [grade for grade in found if grade]


def _article_grade(canonical_id: str, given: Sequence[Opinion]) -> ArticleGrade | None:
    graded = [opinion for opinion in given if opinion.state in {State.GRADED, State.SWEPT}]
    best = min(graded, key=lambda opinion: (-opinion.value, opinion.exact_rank or LAST), default=None)
    if best is not None and (best.value > 0 or len(graded) == len(given)):
        swept = all(opinion.state == State.SWEPT for opinion in graded)
        return ArticleGrade(canonical_id, best.document_id, best.value, swept, best.exact_rank)
    unsure = next((opinion for opinion in given if opinion.state == State.CANT_TELL), None)
    return ArticleGrade(canonical_id, unsure.document_id, None, swept=False, exact_rank=None) if unsure else None
