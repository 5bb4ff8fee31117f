"""Grades as files write them: 0 to 3, or "cannot judge", which is a value of its own and never 0."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from curation.formats.columns import column_key
from curation.formats.faults import FileRefused, RowRefused
from curation.formats.pairs import split_pairs
from curation.formats.taken import Taken, is_empty

HIGHEST = 3
MOST_CHARACTERS = 40
_WHOLE = re.compile(r"[+-]?\d{1,9}", re.ASCII)
_WHOLE_AS_DECIMAL = re.compile(r"([+-]?\d{1,9})\.0*", re.ASCII)
_CANNOT_TELL = frozenset({"cannot_judge", "cannot_tell", "can't_tell", "cant_tell"})


@dataclass(frozen=True, slots=True)
class ReadGrade:
    """A grade of 0 to 3, None where the judge could not tell; `score` is what the file says."""

    grade: int | None
    score: str


def read_grade(taken: Taken, *, mapping: Mapping[int, int]) -> ReadGrade:
    """The grade of a row with the fields `grade` and `cannot_judge`; `mapping` replaces grades of the file.

    A grade below 0 is "cannot tell" (NIST marks unjudged documents so).

    Raises:
        RowRefused: none, not a whole number, too long to be kept as written, or above 3 and not mapped.
    """
    if taken.flag("cannot_judge"):
        return ReadGrade(None, "")
    if is_empty(taken.value("grade")):
        raise RowRefused("The row has no grade. Write 0 to 3, or cannot judge.")
    score = taken.plain("grade")
    if len(score) > MOST_CHARACTERS:
        raise RowRefused(f"The grade has {len(score):,} characters; at most {MOST_CHARACTERS} are kept.")
    if column_key(score) in _CANNOT_TELL:
        return ReadGrade(None, score)
    number = _whole_number(score, taken)
    grade = mapping.get(number, number)
    if grade > HIGHEST:
        raise RowRefused(f"The grade {number} is above {HIGHEST}. Map it, such as {number}={HIGHEST} (--map-grade).")
    return ReadGrade(grade if grade >= 0 else None, score)


def grade_mapping(words: Iterable[str], *, option: str = "--map-grade") -> dict[int, int]:
    """The mapping of `--map-grade 4=3`; `option` is what refusals call it.

    Raises:
        FileRefused: not two whole numbers, a target outside 0 to 3, or a grade below 0, which is never a grade.
    """
    mapping = {}
    for written, target in split_pairs(words, option=option).items():
        if not (_WHOLE.fullmatch(written) and _WHOLE.fullmatch(target)):
            raise FileRefused(f"{option} {written}={target} does not name two whole numbers.")
        if int(written) < 0 or not 0 <= int(target) <= HIGHEST:
            raise FileRefused(f"{option} {written}={target} must lead from 0 or more to 0, 1, 2 or 3.")
        mapping[int(written)] = int(target)
    return mapping


def _whole_number(score: str, taken: Taken) -> int:
    written = score.strip()
    decimal = _WHOLE_AS_DECIMAL.fullmatch(written)
    if decimal:
        taken.tell("a grade written as a decimal, such as 1.0, was read as a whole number")
        return int(decimal.group(1))
    if not _WHOLE.fullmatch(written):
        raise RowRefused(f"The grade {score[:40]} is not a whole number. Grades are 0 to 3, or cannot judge.")
    return int(written)
