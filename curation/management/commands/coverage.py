"""`manage.py coverage SLUG`: the board on the command line."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from typing import Any

from django.utils import timezone

from curation.actions.runs import run_named, run_stored
from curation.commandline import corpus_named
from curation.formats.pairs import split_pairs
from curation.measures.depth import POOL_DEPTH
from curation.measures.hit import CellScore
from curation.models import Corpus, Use
from curation.reporting import ReportCommand
from curation.reports.cells import Cell, footing_as_json, rounded
from curation.reports.coverage import Coverage, Question, coverage
from curation.reports.depths import footings_by_query
from curation.reports.footing import Footing
from curation.reports.headline import at_least

RESTS_ON = ("answer gone", "text changed", "judged depth", "positives")
BOUND = f"≥: a lower bound, because a query under it was judged less deep than {POOL_DEPTH} documents."


class Command(ReportCommand):
    """Print every cell with its count, and its score where the count carries one."""

    help = "Counts per cell, and hit@k where a cell holds enough queries: the worst cell first."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The crossing, the use, the run, and the facets."""
        parser.add_argument("slug", help="the corpus")
        parser.add_argument("--by", default="query_language,corpus_language", help="dimensions, comma-separated")
        parser.add_argument("--use", default=Use.GATE, choices=Use.values, help="sets the count target")
        parser.add_argument("--run", help="'exact', or the name of an imported run; without it, counts only")
        parser.add_argument("--beside", metavar="RUN", help="a second run: cells of 400 queries show both scores")
        only = "only strata with this value of a dimension (--only script=Latn); may be given again"
        parser.add_argument("--only", action="append", default=[], metavar="DIMENSION=VALUE", help=only)
        parser.add_argument("--k", type=int, default=10, help="hit@k: the first k documents")
        parser.add_argument("--queries", action="store_true", help="what each query rests on, instead of the cells")
        parser.add_argument("--json", action="store_true", help="print JSON")

    def make_ready(self, options: dict[str, Any]) -> None:
        """Measure exact search where it is asked for, and was not measured or not as deep."""
        if not options["queries"]:
            corpus = corpus_named(options["slug"])
            for name in filter(None, (options["run"], options["beside"])):
                run_named(corpus, name, k=options["k"], now=timezone.now())

    def tell(self, options: Mapping[str, Any]) -> str:
        """The board, or what each query rests on."""
        corpus = corpus_named(options["slug"])
        if options["queries"]:
            return of_queries(footings_by_query(corpus), as_json=options["json"])
        board = coverage(corpus, question_of(corpus, options))
        return json.dumps(board.as_json(), ensure_ascii=False, indent=1) if options["json"] else table(board)


def question_of(corpus: Corpus, options: Mapping[str, Any]) -> Question:
    """What the command's words ask.

    Raises:
        ValueError: a run that is not there, or a pair that is none.
    """
    first, second = (run_stored(corpus, options[name]) if options[name] else None for name in ("run", "beside"))
    return Question(
        by=tuple(options["by"].split(",")),
        use=options["use"],
        run=first,
        k=options["k"],
        facets=split_pairs(options["only"], option="--only"),
        beside=second,
    )


def of_queries(found: Mapping[str, Footing], *, as_json: bool) -> str:
    """How deep each query was judged, in the words and figures that cells have."""
    if as_json:
        told = [{"query_id": name, **footing_as_json(footing)} for name, footing in found.items()]
        return json.dumps(told, ensure_ascii=False, indent=1)
    rows = [[name, *rests_on(footing), "≥" * footing.depth.is_lower_bound] for name, footing in found.items()]
    bound = [BOUND] if any(footing.depth.is_lower_bound for footing in found.values()) else []
    return "\n".join([*aligned([["query", *RESTS_ON, ""], *rows]), *bound])


def table(board: Coverage) -> str:
    """The board as aligned text, the worst cell and the headline above it, what ≥ stands for below."""
    counts = ["n", "spellings", "ready", "no answer", *RESTS_ON]
    scores = [f"{board.measure} of {name}" for name in (board.run, board.beside) if name] if board.beside else []
    rows = [[*board.by, *counts, *(scores or [board.measure])], *(row(cell) for cell in board.cells)]
    lines = aligned(rows)
    worst = f"Worst cell: {' × '.join(board.worst.dimensions.values())}, {score(board.worst)}" if board.worst else ""
    scored = [cell for cell in (board.worst, *board.cells) if cell and cell.score is not None]
    bound = BOUND if any(cell.is_lower_bound for cell in scored) else ""
    return "\n".join(part for part in (worst, board.headline.in_words(), *lines, bound) if part)


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """The rows as lines, each column as wide as its widest word."""
    widths = [max(len(line[column]) for line in rows) for column in range(len(rows[0]))]
    return ["  ".join(text.ljust(width) for text, width in zip(line, widths, strict=True)).rstrip() for line in rows]


def row(cell: Cell) -> list[str]:
    """One cell's row: its place, its counts, how deep a query was judged, and its score or why it has none."""
    counts = [str(cell.n), str(cell.spellings), str(cell.ready), str(cell.no_answer)]
    second = [] if cell.beside is None else [figure(cell.beside, bound=cell.is_lower_bound)]
    return [*cell.dimensions.values(), *counts, *rests_on(cell.footing), score(cell), *second]


def rests_on(footing: Footing) -> list[str]:
    """Queries whose answer is gone, queries on a changed text; documents judged and positives a query, where known."""
    means = (rounded(footing.depth.mean_judged), rounded(footing.depth.mean_positives))
    return [
        str(footing.answer_gone),
        str(footing.on_changed_text),
        *("–" if mean is None else str(mean) for mean in means),
    ]


def score(cell: Cell) -> str:
    """The score of the first run in a cell, or the state of a cell without one."""
    return figure(cell, bound=cell.is_lower_bound)


def figure(told: Cell | CellScore, *, bound: bool) -> str:
    """A score with its interval and count, or the state of a cell without one."""
    if told.score is None or told.ci is None:
        return told.status
    return f"{at_least(bound=bound)}{told.score:.3f} ({told.ci[0]:.3f}–{told.ci[1]:.3f}), n = {told.n}"
