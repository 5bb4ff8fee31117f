"""One grade for each canonical id, or none."""

from __future__ import annotations

from judging.actions.article_grades import Opinion, article_grades
from judging.models import State


def said(*opinions: tuple[str, int | None]) -> tuple[int | None, bool, int] | None:
    """What becomes of one article whose documents 1, 2 … got these states and grades: grade, swept, document."""
    given = [Opinion("a", pk, state, grade, exact_rank=pk) for pk, (state, grade) in enumerate(opinions, 1)]
    found = article_grades(given)
    return (found[0].grade, found[0].swept, found[0].document_id) if found else None


def test_highest_grade_of_its_documents_decides() -> None:
    assert said((State.GRADED, 1), (State.GRADED, 3), (State.SWEPT, None)) == (3, False, 2)


def test_best_ranked_of_equal_grades_is_the_gold_document() -> None:
    assert said((State.GRADED, 2), (State.GRADED, 2)) == (2, False, 1)


def test_seen_and_unmarked_is_zero_and_stays_known_as_swept() -> None:
    assert said((State.SWEPT, None)) == (0, True, 1)
    assert said((State.SWEPT, None), (State.GRADED, 0)) == (0, False, 1)


def test_unseen_never_settles() -> None:
    assert said((State.UNSEEN, None)) is None
    assert said((State.UNSEEN, None), (State.GRADED, 0)) is None
    assert said((State.UNSEEN, None), (State.GRADED, 1)) == (1, False, 2)


def test_cannot_tell_is_no_grade() -> None:
    assert said((State.CANT_TELL, None)) == (None, False, 1)
    assert said((State.CANT_TELL, None), (State.SWEPT, None)) == (None, False, 1)
    assert said((State.CANT_TELL, None), (State.GRADED, 2)) == (2, False, 2)


def beside(*told: Opinion, own: Opinion) -> tuple[int | None, bool] | None:
    """What becomes of the article of one's `own` opinion, beside what everybody `told`: grade, whether it is their own."""
    found = article_grades([own], told=[own, *told])
    return (found[0].grade, found[0].own) if found else None


def test_of_what_only_another_list_held_it_takes_what_is_said_there() -> None:
    own = Opinion("a", 1, State.GRADED, 1, exact_rank=1, list_id=1)
    others = [Opinion("a", 2, State.GRADED, grade, None, list_id=2) for grade in (0, 3)]
    assert beside(others[0], own=own) == (1, True)
    assert beside(*others, own=own) == (3, False)
    assert beside(Opinion("a", 2, State.UNSEEN, None, None, list_id=2), own=own) == (1, True)
    assert beside(Opinion("a", 1, State.GRADED, 3, None, list_id=2), own=own) == (1, True)  # a document of one's own
    assert beside(Opinion("a", 2, State.GRADED, 3, None, list_id=1), own=own) == (1, True)  # in one's own list
    assert beside(Opinion("a", 2, State.GRADED, 3, None), own=own) == (1, True)  # out of a file


def test_not_relevant_takes_that_no_other_list_leaves_it_in_doubt() -> None:
    own = Opinion("a", 1, State.SWEPT, None, exact_rank=1, list_id=1)
    assert beside(Opinion("a", 2, State.CANT_TELL, None, None, list_id=2), own=own) == (None, False)
    assert beside(Opinion("b", 2, State.CANT_TELL, None, None, list_id=2), own=own) == (0, True)
