"""How alike two short texts are: by the runs of three letters they share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from django.db.models import Q, QuerySet
from rapidfuzz import process
from rapidfuzz.distance import Indel

from curation.models import Corpus, Query
from curation.retrieval.folding import fold
from curation.retrieval.locales import language_of
from curation.retrieval.tokens import words

from .prepared import CORPUS, WORD, Prepared

NEAR_IDENTICAL = 0.9
_LOOKED_AT = 1000  # queries of the set that share a word with a text; a common word has thousands
_RUN = 3
_NEAREST = 20  # queries by edit distance that are compared by their runs
_WORTH_SHOWING = 0.3
_MOST_HELD = 64  # locales whose texts a process keeps


@dataclass(frozen=True, slots=True)
class Alike:
    """The queries of the set that are like a text: how many are nearly the same, and the closest one of all."""

    near_identical: int
    closest: Query | None = None
    likeness: float = 0.0


def likeness(one: str, other: str) -> float:
    """From 0 to 1: twice the runs of three letters that two folded texts share, by all of theirs (Dice, 1945)."""
    ours, theirs = _runs(one), _runs(other)
    return 2 * len(ours & theirs) / (len(ours) + len(theirs))


def alike_in(corpus: Corpus, text: str, *, locale: str, but: int | None = None) -> Alike:
    """The queries of the locale's language that share a word with `text`, without those of the proposal `but`."""
    folded = fold(text, locale)
    sharing = Q()
    for word in words(folded, locale):
        sharing |= Q(text__icontains=word)
    if not sharing:
        return Alike(0)
    found = corpus.queries.filter(sharing, stratum__query_language__startswith=language_of(locale))
    found = found.exclude(status=Query.Status.RETIRED)
    if but is not None:
        found = found.exclude(proposal=but)
    scored = [(likeness(folded, fold(query.text, locale)), -query.pk, query) for query in found[:_LOOKED_AT]]
    best, _, closest = max(scored, default=(0.0, 0, None), key=lambda each: each[:2])
    return Alike(sum(score >= NEAR_IDENTICAL for score, _, _ in scored), closest, best)


def closest_in(corpus: Corpus, text: str, *, locale: str) -> Alike:
    """The query of the very locale that is most like `text`, if one is.

    Two SQL queries, and one or two more where the set changed. All are compared by edit distance (Indel, folded), the
    nearest of them by the runs they share.
    """
    [told] = _state_asked().rows({CORPUS: corpus.pk, WORD: locale})
    held = _read(_State(corpus.pk, locale, *told))
    folded = fold(text, locale)
    nearest = process.extract(folded, held.texts, scorer=Indel.normalized_similarity, limit=_NEAREST)
    scored = [(likeness(folded, other), -held.numbers[at]) for other, _, at in nearest]
    best, number = max(scored, default=(0.0, 0))
    if best < _WORTH_SHOWING:
        return Alike(0)
    closest = Query.objects.filter(pk=-number).first()
    return Alike(sum(score >= NEAR_IDENTICAL for score, _ in scored), closest, best)


@dataclass(frozen=True, slots=True)
class _State:
    """By what the queries of a locale are known to be the same as before: they only come, and retire.

    `at` is when the newest came, as the database writes it: numbers begin anew in a database that was restored.
    """

    corpus: int
    locale: str
    n: int
    newest: int | None
    at: object


def _live(corpus: int, locale: str) -> QuerySet[Query]:
    # By the corpus of the stratum, so that the database reads its index alone: five times as fast as with the rows.
    live = Query.objects.filter(stratum__corpus=corpus, stratum__query_language=locale)
    return live.exclude(status=Query.Status.RETIRED).order_by()


@cache
def _state_asked() -> Prepared:
    """How many queries of a locale there are, the newest of them, and when that came."""
    live = Prepared.of(_live(CORPUS, WORD).values_list("id"))
    told = f"SELECT COUNT(*) AS n, MAX(id) AS newest FROM ({live.sql}) AS live"  # noqa: S608  (SQL of Django)
    table = Query._meta.db_table  # noqa: SLF001  (Django documents `_meta`)
    beside = f"LEFT JOIN {table} AS q ON q.id = told.newest"
    return Prepared(f"SELECT n, newest, q.created_at FROM ({told}) AS told {beside}", live.params)  # noqa: S608  (likewise)


@dataclass(frozen=True, slots=True)
class _Held:
    """The queries of a locale as they were read: their numbers, the newest last, and their folded texts."""

    state: _State
    numbers: Sequence[int]
    texts: Sequence[str]


_held: dict[tuple[int, str], _Held] = {}


def _read(state: _State) -> _Held:
    """What is held of a locale where its state is the same; else with what came since, or read anew."""
    place = state.corpus, state.locale
    held = _held.get(place)
    if held is None or held.state != state:
        held = (held and _grown(held, state)) or _held_of(state, _live(*place).order_by("pk"))
        if len(_held) >= _MOST_HELD:
            _held.clear()
        _held[place] = held
    return held


def _grown(held: _Held, state: _State) -> _Held | None:
    """What is held with the queries that came since, so that a save does not have 20,000 texts read anew.

    None where others went, or where the newest of what is held is not the same any more.
    """
    if not held.numbers:
        return None
    since = _held_of(state, _live(state.corpus, state.locale).filter(pk__gte=held.numbers[-1]).order_by("pk"))
    is_known = (*since.numbers[:1], *since.texts[:1]) == (held.numbers[-1], held.texts[-1])
    numbers = [*held.numbers, *since.numbers[1:]]
    return _Held(state, numbers, [*held.texts, *since.texts[1:]]) if is_known and len(numbers) == state.n else None


def _held_of(state: _State, rows: QuerySet[Query]) -> _Held:
    found = list(rows.values_list("pk", "text"))
    return _Held(state, [pk for pk, _ in found], [_fold(text, state.locale) for _, text in found])


_fold = lru_cache(maxsize=65_536)(fold)


def _runs(text: str) -> set[str]:
    padded = f" {text} "
    return {padded[place : place + _RUN] for place in range(max(1, len(padded) - _RUN + 1))}
