"""From the opinions of several people on one query to what they agree on. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from judging.actions.article_grades import ArticleGrade
from judging.models.pools import LAST


@dataclass(frozen=True, slots=True)
class Agreed:
    """The grade that all who could tell gave; `opinions` is how many of them gave it themselves."""

    grade: ArticleGrade
    opinions: int


@dataclass(frozen=True, slots=True)
class Agreement:
    """What became of each canonical id: agreed on, differing, or told by nobody."""

    agreed: tuple[Agreed, ...]
    differing: tuple[str, ...]
    doubted: tuple[ArticleGrade, ...]


def agreement(voices: Iterable[Sequence[ArticleGrade]], *, meant: Iterable[tuple[str, int]] = ()) -> Agreement:
    """Put together what each of several people said, one sequence a person.

    Whoever could not tell, or did not see it, has no voice. Grades that are not equal differ: no majority and no mean
    decides in silence. A grade is swept where nobody gave it by hand. `meant` are (canonical id, grade) that others
    mean for text twins of what they graded: such a grade settles nothing, and one that is not equal to what was said
    of the twin itself differs from it.
    """
    articles: dict[str, list[ArticleGrade]] = {}
    for voice in voices:
        for given in voice:
            articles.setdefault(given.canonical_id, []).append(given)
    told = {name: [each for each in given if each.grade is not None] for name, given in articles.items()}
    grades = {name: {each.grade for each in given} for name, given in told.items()}
    for name, grade in meant:
        if grades.get(name):
            grades[name].add(grade)
    return Agreement(
        agreed=tuple(_agreed(given) for name, given in told.items() if len(grades[name]) == 1),
        differing=tuple(name for name in told if len(grades[name]) > 1),
        doubted=tuple(articles[name][0] for name, given in told.items() if not given),
    )


def _agreed(given: Sequence[ArticleGrade]) -> Agreed:
    best = min(given, key=lambda each: LAST if each.exact_rank is None else each.exact_rank)
    by_hand = next((each for each in given if not each.swept), best)
    shown = ArticleGrade(best.canonical_id, best.document_id, best.grade, by_hand.swept, best.exact_rank)
    return Agreed(shown, sum(each.own for each in given))
