"""What judges mean for text twins: a grade is their opinion on each twin in their lists that they left unmarked.

It holds for the documents that had the same text as the one they graded, whatever becomes of either text: the
fingerprint that stands beside a mark is that of the text graded, the one beside a row left unmarked that of the text
that was in the list.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from django.db.models import QuerySet

from curation.models import Corpus
from curation.reports.twins_as_read import Read, Twins, twins_as_read
from judging.models import Judgment, State
from judging.reports.opinions import SAID, of_counted_opinions

Answer = tuple[int, str]  # query, canonical id


@dataclass(frozen=True, slots=True)
class Meant:
    """A grade that a judge means for a twin: `mark` is what they graded, `left` the unmarked row of the twin."""

    mark: Judgment
    left: Judgment
    grade: int

    @property
    def answer(self) -> Answer:
        """(query, canonical id) of the twin."""
        return self.left.query_id, self.left.canonical_id


def is_for_twins(judgment: Judgment) -> bool:
    """Whether it is a grade that its judge means for text twins too."""
    return judgment.for_twins and judgment.state == State.GRADED


def texts_read(said: Iterable[Judgment]) -> Read:
    """Which text of each document a judge spoke of, or left unmarked; one of a judgment that tells none is no part."""
    return {each.document_id: each.text_sha256 for each in said if each.text_sha256}


def spoken_for(said: Iterable[Judgment], twins: Twins) -> dict[str, list[Judgment]]:
    """The articles that one judge left unmarked and graded a twin of, with the marks that were meant for them too."""
    marks = [each for each in said if each.is_mark]
    marked = {each.canonical_id for each in marks}
    told: defaultdict[str, list[Judgment]] = defaultdict(list)
    for mark in filter(is_for_twins, marks):
        for twin in twins.get(mark.canonical_id, ()):
            if twin not in marked:
                told[twin].append(mark)
    return dict(told)


def meant_in(opinions: Sequence[Judgment], corpus: Corpus) -> list[Meant]:
    """What the judges of `opinions` (all they said in their lists) mean for twins there; no query where nobody does.

    Twins that a judge grades differently take neither grade.
    """
    lists: defaultdict[tuple[int, int], list[Judgment]] = defaultdict(list)
    for each in opinions:
        if each.candidate is not None:
            lists[each.query_id, each.assessor_id].append(each)
    told = [said for said in lists.values() if any(map(is_for_twins, said))]
    if not told:
        return []
    articles = {each.canonical_id for said in told for each in said if is_for_twins(each)}
    sets = twins_as_read(corpus, [texts_read(said) for said in told], articles=articles)
    return [meant for said, twins in zip(told, sets, strict=True) for meant in _meant(said, twins)]


def meant_among(judgments: QuerySet[Judgment], corpus: Corpus) -> dict[Answer, list[Meant]]:
    """The same by answer, of those judges here whose opinion counts; `judgments` holds all that was said of a query."""
    marked = judgments.filter(for_twins=True, state=State.GRADED).order_by()
    here = judgments.filter(query__in=marked.values("query"), candidate__isnull=False)
    said = here.filter(of_counted_opinions()).select_related("assessor", "candidate__pool", "document").order_by("pk")
    found: defaultdict[Answer, list[Meant]] = defaultdict(list)
    for meant in meant_in(list(said), corpus):
        found[meant.answer].append(meant)
    return dict(found)


def beside(spoken: Iterable[Judgment], meant: Iterable[Meant]) -> list[Meant]:
    """Those of `meant` that stand beside what was said of the twins: not what was left on a text that none spoke of."""
    texts: defaultdict[tuple[int, int], set[str]] = defaultdict(set)
    for each in spoken:
        if each.state in SAID:
            texts[each.query_id, each.document_id].add(each.text_sha256)
    return [each for each in meant if _is_of_one(each.left, texts[each.left.query_id, each.left.document_id])]


def _is_of_one(left: Judgment, texts: Collection[str]) -> bool:
    return not texts or "" in {left.text_sha256, *texts} or left.text_sha256 in texts


def _meant(said: Sequence[Judgment], twins: Twins) -> Iterator[Meant]:
    """What one judge means for twins in the lists of one query."""
    by_article: defaultdict[str, list[Judgment]] = defaultdict(list)
    for each in said:
        by_article[each.canonical_id].append(each)
    for name, origins in spoken_for(said, twins).items():
        rows = by_article.get(name, [])
        grades = {max(each.grade or 0 for each in by_article[origin.canonical_id]) for origin in origins}
        if rows and len(grades) == 1 and all(row.state == State.UNSEEN for row in rows):
            yield Meant(origins[0], rows[0], grades.pop())
