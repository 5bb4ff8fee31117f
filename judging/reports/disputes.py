"""Open disputes: who said what of an answer, where their opinions differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TypeAlias

from django.db.models import Exists, OuterRef, QuerySet

from curation.models import Corpus, OpenDispute, Query
from judging.models import Judgment, State
from judging.reports.meant import Meant, beside, meant_among
from judging.reports.opinions import SAID, of_counted_opinions, on_newest_text

Pair: TypeAlias = tuple[int, str]
"""(query, canonical id)."""


@dataclass(frozen=True, slots=True)
class Opinion:
    """What one judge said of an answer; `grade` is that of the document they graded highest.

    `swept` tells a 0 that nobody gave by hand. `judgment` is the row it was read from. Where the grade was given to a
    text twin and meant for this answer too, `on_twin` is that mark, and `judgment` the row that was left to it.
    """

    assessor_id: int
    document_id: int
    grade: int
    swept: bool
    judgment: Judgment
    on_twin: Judgment | None = None

    @property
    def mark(self) -> Judgment:
        """What the judge marked, or left unmarked."""
        return self.on_twin or self.judgment

    @property
    def is_imported(self) -> bool:
        """Whether it came out of a file, and not from a pool that was judged here."""
        return self.judgment.candidate_id is None


def opinions_on(query: Query, canonical_id: str) -> list[Opinion]:
    """The opinions that count on one answer, of judges here and imported ones, in the order of the judges' keys."""
    told = Judgment.objects.filter(query=query, canonical_id=canonical_id)
    meant = meant_among(Judgment.objects.filter(query=query), query.corpus)
    return _opinions_among(told, meant).get((query.pk, canonical_id), [])


def opinions_in_dispute(corpus: Corpus) -> dict[Pair, list[Opinion]]:
    """The opinions that count on the answers in dispute, by answer; as many queries however many there are."""
    same = OpenDispute.objects.filter(query=OuterRef("query"), canonical_id=OuterRef("canonical_id"))
    disputed = OpenDispute.objects.filter(query__corpus=corpus).values("query")
    meant = meant_among(Judgment.objects.filter(query__in=disputed), corpus)
    return _opinions_among(Judgment.objects.filter(Exists(same), query__corpus=corpus), meant)


def _opinions_among(judgments: QuerySet[Judgment], meant: Mapping[Pair, Sequence[Meant]]) -> dict[Pair, list[Opinion]]:
    """The opinions among `judgments` that count, by answer, each in the order of the judges' keys.

    One query, and another where judges saw different texts: then those on an earlier text are no opinions any more.

    Where somebody spoke of the answer itself, what others mean for it as a text twin is an opinion beside theirs.
    """
    told = judgments.filter(of_counted_opinions(), state__in=SAID)
    said = told.select_related("assessor", "candidate__pool", "document").order_by("assessor", "pk")
    best: dict[Pair, dict[int, Opinion]] = {}
    spoken = on_newest_text(list(said))
    for judgment in spoken:
        if judgment.state == State.CANT_TELL:
            continue
        judges = best.setdefault((judgment.query_id, judgment.canonical_id), {})
        grade, known = judgment.grade or 0, judges.get(judgment.assessor_id)
        if known is None or grade > known.grade:
            swept = judgment.state == State.SWEPT
            judges[judgment.assessor_id] = Opinion(judgment.assessor_id, judgment.document_id, grade, swept, judgment)
    for each in beside(spoken, chain.from_iterable(meant.values())):
        if each.answer in best:
            best[each.answer][each.left.assessor_id] = _meant(each)
    return {pair: [judges[key] for key in sorted(judges)] for pair, judges in best.items()}


def _meant(meant: Meant) -> Opinion:
    left = meant.left
    return Opinion(left.assessor_id, left.document_id, meant.grade, swept=False, judgment=left, on_twin=meant.mark)
