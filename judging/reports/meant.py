"""What judges mean for text twins: a grade is their opinion on each twin in their list that they left unmarked."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import QuerySet

from curation.models import Corpus
from curation.reports.twins import twins_of
from judging.models import Judgment, State
from judging.reports.opinions import of_counted_opinions, present_texts

Answer = tuple[int, str]  # query, canonical id
Twins = Mapping[str, tuple[str, ...]]  # canonical id to all of its set


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


def meant_in(opinions: Sequence[Judgment], corpus: Corpus) -> list[Meant]:
    """What the judges of `opinions` (all they said in their lists) mean for twins there; no query where nobody does.

    As where a grade is passed on, one of an earlier text has no twins now, and twins that a judge grades differently
    take neither grade.
    """
    marks = [each for each in opinions if each.for_twins and each.state == State.GRADED]
    if not marks:
        return []
    present = present_texts(marks)
    standing = {each.pk for each in marks if each.text_sha256 == present.get(each.document_id)}
    twins = twins_of(corpus, articles={each.canonical_id for each in marks})
    lists: defaultdict[tuple[int, int], list[Judgment]] = defaultdict(list)
    for each in opinions:
        if each.candidate is not None:
            lists[each.candidate.pool_id, each.assessor_id].append(each)
    return [meant for said in lists.values() for meant in _meant(said, twins, standing)]


def meant_among(judgments: QuerySet[Judgment], corpus: Corpus) -> dict[Answer, list[Meant]]:
    """The same by answer, of those judges here whose opinion counts; `judgments` holds all that was said of a query."""
    marked = judgments.filter(for_twins=True, state=State.GRADED).order_by()
    here = judgments.filter(query__in=marked.values("query"), candidate__isnull=False, document__gone_at=None)
    said = here.filter(of_counted_opinions()).select_related("assessor", "candidate__pool", "document").order_by("pk")
    found: defaultdict[Answer, list[Meant]] = defaultdict(list)
    for meant in meant_in(list(said), corpus):
        found[meant.answer].append(meant)
    return dict(found)


def _meant(said: Sequence[Judgment], twins: Twins, standing: Collection[int]) -> Iterator[Meant]:
    """What one judge means for twins in one list."""
    by_article: defaultdict[str, list[Judgment]] = defaultdict(list)
    for each in said:
        by_article[each.canonical_id].append(each)
    marks = {each.canonical_id: each for each in said if each.pk in standing}
    grades = {name: max(each.grade or 0 for each in by_article[name]) for name in marks}
    for name, rows in by_article.items():
        origins = [twin for twin in twins.get(name, ()) if twin in marks]
        is_left = all(row.state == State.UNSEEN for row in rows)
        if is_left and len({grades[origin] for origin in origins}) == 1:
            yield Meant(marks[origins[0]], rows[0], grades[origins[0]])
