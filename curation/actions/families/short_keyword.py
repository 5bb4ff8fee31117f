"""Queries of the imported log: short ones of every stratum, and longer ones where the set has been left behind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict
from functools import partial
from typing import Any

from django.db.models import Max, Min

from curation.actions.families.found import Found, fingerprint
from curation.actions.families.log_wordings import Wordings, draw_wordings
from curation.actions.families.telling import Tell, counted
from curation.miners.keyword_draw import WAYS, Draw, Drawn, Layer, Selection, Stratum, select
from curation.miners.short_keyword import FEWER_THAN, KeywordQuery, LogLine, ShortKeywords, mine
from curation.models import Corpus, MiningRun, Proposal, Slice
from curation.reports.embeddings import texts_to_encode
from curation.reports.gathered import documents_of, log_lines, words_of
from curation.reports.review_evidence import corpus_locales
from curation.retrieval.folding import fold
from curation.retrieval.language_guess import guesser
from curation.retrieval.locales import UNDETERMINED
from curation.retrieval.query_types import query_type
from curation.retrieval.scripts import is_usual, script_class
from curation.retrieval.tokens import SEGMENTER

SHOWN = 50  # cut-off queries that the run shows; it counts them all
_TOLD_EVERY = 1000


def find(run: MiningRun, tell: Tell) -> Found:
    """Draw queries under six tokens from the log, and longer ones for strata that the set has left behind.

    Where the corpus has no log there are none.
    """
    corpus = run.generation.index.corpus
    documents, logged = documents_of(corpus, texts_to_encode(corpus)), corpus.log_queries.count()
    # Words are counted once more than they are read: distinct queries are at most as many as lines.
    total = len(documents) + 2 * logged
    known = words_of(documents, lambda done, own: tell(done, total, counted(done, own, "texts read")))
    mined = mine(
        _watched(log_lines(corpus), tell, before=len(documents), logged=logged),
        known=known,
        progress=lambda done, own: tell(
            len(documents) + logged + logged * done // own, total, counted(done, own, "different queries looked at")
        ),
    )
    draw = draw_of(run)
    hint = hinter(corpus_locales(corpus))
    placed = partial(stratum_of, hint=hint)
    chosen = select(mined.queries, stratum_of=placed, draw=draw)
    wordings = draw_wordings(run, stratum_of=placed, seed=draw.seed)
    longer = [proposal(run, drawn, wordings, rank=rank) for rank, drawn in enumerate(wordings.drawn, 1)]
    short = [proposal(run, drawn, wordings, rank=rank) for rank, drawn in enumerate(chosen.drawn, 1 + len(longer))]
    return Found(
        params={"fewer_than": FEWER_THAN, "segmenter": SEGMENTER, "draw": asdict(draw)},
        summary={
            "log_lines": logged,
            **log_days(corpus),
            **figures(mined),
            **drawn_figures(chosen),
            **wordings.figures(),
        },
        proposals=[*longer, *short],
    )


def draw_of(run: MiningRun) -> Draw:
    """How many queries the run was asked to draw, and with which seed."""
    return Draw(**run.params.get("draw", {}))


def hinter(locales: list[str]) -> Callable[[str], str]:
    """A guess at the locale of a text among `locales`, "" where it is in the script of none of them."""
    guess = guesser(locales)

    def hint(text: str) -> str:
        likeliest = guess(text)
        return likeliest if likeliest and is_usual(text, likeliest) else ""

    return hint


def stratum_of(query: KeywordQuery, hint: Callable[[str], str]) -> Stratum:
    """Where a query is drawn: by its locale, or by the hint where the log names none."""
    locale = query.locale if query.locale != UNDETERMINED else hint(query.text) or UNDETERMINED
    return Stratum(locale, script_class(query.text, locale), query_type(query.text, locale))


def proposal(run: MiningRun, drawn: Drawn, wordings: Wordings, *, rank: int) -> Proposal:
    """The query as it waits for review, with a hint at its language where the log names none.

    A longer one is of the slice of plain queries; where the set lacks its stratum, the evidence says how much.
    """
    query, is_short = drawn.query, drawn.query.tokens < FEWER_THAN
    lack = wordings.lack(drawn.stratum, is_short=is_short)
    hint = drawn.stratum.locale if drawn.stratum.locale != UNDETERMINED else ""
    return Proposal(
        run=run,
        fingerprint=fingerprint(fold(query.text, query.locale)),
        rank=rank,
        text=query.text,
        locale=query.locale,
        evidence={
            "count": query.count,
            "tokens": query.tokens,
            "script": drawn.stratum.script,
            "locales": query.locales,
            "months": query.months,
            "drawn": drawn.way,
            "stratum": {**drawn.stratum._asdict(), "found": drawn.of},
            **({"hint": hint} if query.locale == UNDETERMINED else {}),
            **({} if is_short else {"slice": Slice.DISTINCTIVE}),
            **({"lack": lack} if lack else {}),
        },
    )


def figures(mined: ShortKeywords) -> dict[str, Any]:
    """What the run tells of the log. Of queries with personal data it tells how many, by kind, and no text."""
    kinds = Counter[str]()
    for refusal in mined.refused:
        kinds.update(dict.fromkeys(refusal.kinds, refusal.count))
    cut_off = sorted(mined.cut_off, key=lambda cut: (-cut.query.count, cut.query.text))
    return {
        "found": len(mined.queries),
        "by_script": mined.by_script,
        "cut_off": len(cut_off),
        "cut_off_shown": [[cut.query.text, cut.longer, cut.query.count] for cut in cut_off[:SHOWN]],
        "personal": sum(refusal.count for refusal in mined.refused),
        "personal_by_kind": dict(sorted(kinds.items())),
        "long": mined.long,
    }


def drawn_figures(chosen: Selection) -> dict[str, Any]:
    """How many were drawn, in each way and from each stratum."""
    return {
        "proposed": len(chosen.drawn),
        "by_draw": {way: sum(layer.drawn[way] for layer in chosen.layers) for way in WAYS},
        "strata": [_layer(layer) for layer in chosen.layers],
    }


def log_days(corpus: Corpus) -> dict[str, list[str]]:
    """The first and the last day of the log, where it names days."""
    first, last = corpus.log_queries.aggregate(first=Min("date"), last=Max("date")).values()
    return {"log_days": [first.isoformat(), last.isoformat()]} if first else {}


def _layer(layer: Layer) -> dict[str, Any]:
    return {**layer.stratum._asdict(), "found": layer.found, "searches": layer.searches} | dict(layer.drawn)


def _watched(lines: Iterable[LogLine], tell: Tell, *, before: int, logged: int) -> Iterator[LogLine]:
    for done, line in enumerate(lines, 1):
        yield line
        if done % _TOLD_EVERY == 0:
            tell(before + done, before + 2 * logged, counted(done, logged, "log lines read"))
