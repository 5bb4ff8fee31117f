"""From one person's opinions on documents to one grade for each canonical id. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from judging.models import State
from judging.models.pools import LAST


@dataclass(frozen=True, slots=True)
class Opinion:
    """What someone said of one shown document; `list_id` is the pool that offered it, None where a file told it."""

    canonical_id: str
    document_id: int
    state: str
    grade: int | None
    exact_rank: int | None
    list_id: int | None = None

    @property
    def value(self) -> int:
        """The grade, 0 where the document was seen and left unmarked."""
        return self.grade or 0


@dataclass(frozen=True, slots=True)
class ArticleGrade:
    """The grade of a canonical id, by the document that earned it; None where nobody could tell.

    `swept` tells a 0 that nobody gave by hand. It is not their `own` where they did not give it, and take it from what
    another list held of the article.
    """

    canonical_id: str
    document_id: int
    grade: int | None
    swept: bool
    exact_rank: int | None
    own: bool = True


def article_grades(opinions: Iterable[Opinion], *, told: Iterable[Opinion] = ()) -> list[ArticleGrade]:
    """One grade for each canonical id that has one.

    The highest grade of its shown documents decides. Not relevant is said of the whole article, so it takes that all
    its shown documents were seen: with one unseen there is none, with one that nobody could tell about the grade is
    None. `told` is what everybody said: of the documents of an article that only lists held which this person was not
    shown, whatever is said there is taken.
    """
    articles, others = _by_article(opinions), _by_article(told)
    found = (_beside(name, given, others.get(name, ())) for name, given in articles.items())
    return [grade for grade in found if grade]


def _by_article(opinions: Iterable[Opinion]) -> dict[str, list[Opinion]]:
    articles: dict[str, list[Opinion]] = {}
    for opinion in opinions:
        articles.setdefault(opinion.canonical_id, []).append(opinion)
    return articles


def _beside(canonical_id: str, given: Sequence[Opinion], told: Sequence[Opinion]) -> ArticleGrade | None:
    """What one person said of an article, with what others said of its documents in other lists."""
    own = _article_grade(canonical_id, given)
    lists, documents = {each.list_id for each in given}, {each.document_id for each in given}
    if own is None or own.grade is None or None in lists:
        return own
    elsewhere: dict[int, Opinion] = {}
    for each in sorted(told, key=lambda each: (each.state != State.CANT_TELL, each.value)):
        is_said = each.state in {State.GRADED, State.SWEPT, State.CANT_TELL}
        if is_said and each.list_id not in {None, *lists} and each.document_id not in documents:
            elsewhere[each.document_id] = each
    whole = _article_grade(canonical_id, [*given, *elsewhere.values()])
    return replace(whole, own=whole.grade == own.grade) if whole else None


def _article_grade(canonical_id: str, given: Sequence[Opinion]) -> ArticleGrade | None:
    graded = [opinion for opinion in given if opinion.state in {State.GRADED, State.SWEPT}]
    best = min(graded, key=lambda opinion: (-opinion.value, opinion.exact_rank or LAST), default=None)
    if best is not None and (best.value > 0 or len(graded) == len(given)):
        swept = all(opinion.state == State.SWEPT for opinion in graded)
        return ArticleGrade(canonical_id, best.document_id, best.value, swept, best.exact_rank)
    unsure = next((opinion for opinion in given if opinion.state == State.CANT_TELL), None)
    return ArticleGrade(canonical_id, unsure.document_id, None, swept=False, exact_rank=None) if unsure else None
