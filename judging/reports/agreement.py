"""Agreement of the judges of a corpus: by locale, by cell, by two people, over time, and what follows from it.

The page, the section below Disagreements and `manage.py agreement` show the same figures.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from operator import itemgetter
from typing import Any, TypeVar
from zoneinfo import ZoneInfo

from django.db.models import Count

from curation.measures.cohen_kappa import CI_KIND as COHEN_CI_KIND
from curation.measures.fleiss_kappa import fleiss_kappa
from curation.measures.percent_agreement import PercentAgreement, percent_agreement
from curation.measures.resampling import CI_KIND, Estimate
from curation.models import Corpus, Query, RankedRun, User
from curation.reports.counts import DIMENSIONS, stratum_counts
from curation.reports.coverage import Question, check
from judging.models import Adjudication
from judging.reports.flips import CellFlips, cell_flips
from judging.reports.missed import Missed, missed_by_place
from judging.reports.rates import PAIRS, SEED, Rate, alpha_of, categories, rate_between, rate_of, told
from judging.reports.voices import Heard, Voice, heard, last_given

Key = TypeVar("Key", bound=Hashable)
Voices = Sequence[Voice]
Place = tuple[str, ...]  # the stratum's dimensions, in their order


@dataclass(frozen=True, slots=True)
class LocaleRate:
    """One query language: its rate, and the causes leads gave where opinions differed (`Adjudication.Cause`)."""

    locale: str
    rate: Rate
    causes: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class CellRate:
    """One cell: a roll-up of strata, by the dimensions asked for."""

    dimensions: Mapping[str, str]
    rate: Rate
    alpha: Estimate | None


@dataclass(frozen=True, slots=True)
class PairRate:
    """Two people."""

    first: User
    second: User
    rate: Rate
    alpha: Estimate | None


@dataclass(frozen=True, slots=True)
class MonthRate:
    """One month ("2026-04") of the corpus's own time: the answers of queries whose last opinion was given in it."""

    month: str
    rate: Rate
    alpha: Estimate | None


@dataclass(frozen=True, slots=True)
class Overall:
    """All answers that several people judged. Figures over the four grades are None below 100 pairs."""

    rate: Rate
    grades: PercentAgreement
    kappa: Estimate | None
    alpha: Estimate | None


@dataclass(frozen=True, slots=True)
class Agreement:
    """The whole report. `run` is the one whose cells `flips` speaks of, None where nothing is measured.

    `cells` and `flips` are crossed by `by`; `choices` are the values that a filter may ask of each dimension.
    """

    relevant_from: int
    left_out: int
    overall: Overall
    locales: tuple[LocaleRate, ...]
    cells: tuple[CellRate, ...]
    judges: tuple[PairRate, ...]
    months: tuple[MonthRate, ...]
    missed: tuple[Missed, ...]
    flips: tuple[CellFlips, ...]
    run: RankedRun | None
    by: tuple[str, ...]
    choices: Mapping[str, Sequence[str]]

    def as_json(self) -> dict[str, Any]:
        """What `manage.py agreement --json` prints."""
        return {
            "relevant_from": self.relevant_from,
            "least_pairs": PAIRS,
            "ci_kind": CI_KIND,
            "judges_ci_kind": COHEN_CI_KIND,
            "opinions_left_out": self.left_out,
            "overall": _overall_as_json(self.overall),
            "locales": [{"locale": each.locale, **each.rate.as_json(), **each.causes} for each in self.locales],
            "by": list(self.by),
            "cells": [{**each.dimensions, **_group_as_json(each)} for each in self.cells],
            "judges": [
                {"judges": [each.first.username, each.second.username], **_group_as_json(each)} for each in self.judges
            ],
            "months": [{"month": each.month, **_group_as_json(each)} for each in self.months],
            "missed_by_place": [{**asdict(each), "share": each.share, "ci": each.ci} for each in self.missed],
            "run": self.run.name if self.run else None,
            "flips": [each.as_json() for each in self.flips],
        }


def _group_as_json(group: CellRate | PairRate | MonthRate) -> dict[str, Any]:
    return {**group.rate.as_json(), **told(group.alpha, "alpha_ordinal")}


def _overall_as_json(overall: Overall) -> dict[str, Any]:
    grades = overall.grades
    return {
        **overall.rate.as_json(),
        "answers": grades.units,
        "all_give_one_grade": grades.unanimous,
        "all_give_one_grade_share": grades.unanimous_share,
        "pairs_of_one_grade": grades.agree,
        **told(overall.kappa, "kappa_of_grades"),
        **told(overall.alpha, "alpha_ordinal"),
    }


def agreement(corpus: Corpus, question: Question) -> Agreement:
    """The whole report; the number of SQL queries is fixed.

    The question says how cells are crossed, which of them are shown, in which run flips are counted, and from how many
    queries on.

    Raises:
        CoverageRefused: an unknown dimension or use, or a run cut before k.
    """
    check(question)
    counts = stratum_counts(corpus, run=question.run, k=question.k)
    voices = heard(corpus)
    places = _places(corpus)
    locales = _locale_rates(corpus, voices, places)
    overall = _overall(voices, corpus.relevant_from)
    return Agreement(
        relevant_from=corpus.relevant_from,
        left_out=voices.left_out,
        overall=overall,
        locales=locales,
        cells=_cell_rates(corpus, voices, _cells(places, question), by=question.by),
        judges=_pair_rates(corpus, voices),
        months=_month_rates(corpus, voices),
        missed=missed_by_place(corpus, voices),
        flips=cell_flips(
            counts,
            question,
            {each.locale: each.rate for each in locales},
            everywhere=overall.rate,
            shallow={count.stratum_id for count in counts if count.footing.depth.is_lower_bound},
        ),
        run=question.run,
        by=question.by,
        choices={each: sorted({getattr(count, each) for count in counts}) for each in DIMENSIONS},
    )


def agreement_by_locale(corpus: Corpus) -> tuple[LocaleRate, ...]:
    """The locales alone, most pairs first, in three SQL queries."""
    voices = heard(corpus)
    return _locale_rates(corpus, voices, _places(corpus))


def agreement_of(judge: User, corpus: Corpus) -> Rate:
    """How often one judge lands on the same side of relevant as the others, in one SQL query."""
    pairs = [
        (own, other)
        for told in heard(corpus, among=judge).answers.values()
        for own in told
        if own.judge == judge.pk
        for other in told
        if other.judge != judge.pk
    ]
    return rate_between(pairs, relevant_from=corpus.relevant_from)


def _overall(voices: Heard, relevant_from: int) -> Overall:
    counts = categories(voices.answers.values())
    rate = rate_of(voices.answers.values(), relevant_from=relevant_from)
    if rate.pairs < PAIRS:
        return Overall(rate, percent_agreement(counts), None, None)
    kappa = fleiss_kappa(counts, seed=SEED)
    return Overall(rate, percent_agreement(counts), kappa, alpha_of(list(voices.answers.values())))


def _places(corpus: Corpus) -> dict[int, Place]:
    """Where each query stands."""
    dimensions = (f"stratum__{each}" for each in DIMENSIONS)
    rows = Query.objects.filter(corpus=corpus).values_list("pk", *dimensions)
    return {query: place for query, *place in rows}


def _cells(places: Mapping[int, Place], question: Question) -> dict[int, Place]:
    """The cell of each query that the question's facets let through."""
    crossed = itemgetter(*map(DIMENSIONS.index, question.by))
    asked = {DIMENSIONS.index(facet): value for facet, value in question.facets.items()}
    through = {query: at for query, at in places.items() if all(at[n] == value for n, value in asked.items())}
    return {query: crossed(at) if len(question.by) > 1 else (crossed(at),) for query, at in through.items()}


def _grouped(voices: Heard, keys: Mapping[int, Key]) -> dict[Key, list[Voices]]:
    """The answers that at least two people told, by the key of their query; without one an answer is left out."""
    groups: dict[Key, list[Voices]] = defaultdict(list)
    for (query, _), each in voices.answers.items():
        if len(each) > 1 and query in keys:
            groups[keys[query]].append(each)
    return groups


def _locale_rates(corpus: Corpus, voices: Heard, places: Mapping[int, Place]) -> tuple[LocaleRate, ...]:
    groups = _grouped(voices, {query: place[0] for query, place in places.items()})
    causes = _causes(corpus)
    none = dict.fromkeys(Adjudication.Cause.values, 0)
    rates = [
        LocaleRate(locale, _rate(corpus, groups.get(locale, ())), {**none, **causes.get(locale, {})})
        for locale in sorted({*groups, *causes})
    ]
    return tuple(sorted(rates, key=lambda each: -each.rate.pairs))


def _causes(corpus: Corpus) -> dict[str, dict[str, int]]:
    """Query language → cause → how many decisions that stand gave it."""
    standing = Adjudication.objects.filter(query__corpus=corpus, undone_at=None)
    standing = standing.exclude(query__status=Query.Status.RETIRED)
    rows = standing.values_list("query__stratum__query_language", "cause").annotate(n=Count("pk")).order_by()
    causes: dict[str, dict[str, int]] = defaultdict(dict)
    for locale, cause, n in rows:
        causes[locale][cause] = n
    return causes


def _cell_rates(
    corpus: Corpus, voices: Heard, cells: Mapping[int, Place], *, by: Sequence[str]
) -> tuple[CellRate, ...]:
    groups = _grouped(voices, cells)
    rates = [
        CellRate(dict(zip(by, cell, strict=True)), _rate(corpus, answers), alpha_of(answers))
        for cell, answers in sorted(groups.items())
    ]
    return tuple(sorted(rates, key=lambda each: -each.rate.pairs))


def _pair_rates(corpus: Corpus, voices: Heard) -> tuple[PairRate, ...]:
    met: dict[tuple[int, int], list[tuple[Voice, Voice]]] = defaultdict(list)
    for each in voices.answers.values():
        for one, other in combinations(each, 2):
            met[one.judge, other.judge].append((one, other))
    people = User.objects.in_bulk({judge for pair in met for judge in pair})
    rates = [
        PairRate(people[one], people[other], rate_between(pairs, relevant_from=corpus.relevant_from), alpha_of(pairs))
        for (one, other), pairs in met.items()
    ]
    return tuple(sorted(rates, key=lambda each: (-each.rate.pairs, each.first.username, each.second.username)))


def _month_rates(corpus: Corpus, voices: Heard) -> tuple[MonthRate, ...]:
    zone = ZoneInfo(corpus.time_zone)
    months = {query: f"{at.astimezone(zone):%Y-%m}" for query, at in last_given(corpus).items()}
    groups = _grouped(voices, months)
    return tuple(
        MonthRate(month, _rate(corpus, answers), alpha_of(answers)) for month, answers in sorted(groups.items())
    )


def _rate(corpus: Corpus, answers: Iterable[Voices]) -> Rate:
    return rate_of(answers, relevant_from=corpus.relevant_from)
