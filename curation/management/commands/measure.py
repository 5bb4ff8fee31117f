"""`manage.py measure SLUG|NAME@n --run FILE|RUN`: what a run scores, on a draft or a frozen set, without a verdict."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from curation.actions.gating import K
from curation.actions.runs import run_stored
from curation.commandline import corpus_named, require_writable, write_lines
from curation.management.commands.coverage import aligned
from curation.management.commands.gate import run_asked, unlimited
from curation.models import Corpus, RankedRun
from curation.reporting import ReportCommand
from curation.reports import measure
from curation.reports.gate_baseline import exact_baseline
from curation.reports.gate_exports import listed, signed, three
from curation.reports.measured import Measured, measured
from curation.reports.run_answers import answers_of_file, answers_of_run
from curation.reports.run_words import counted
from curation.reports.set_content import Content, content_intact, content_of
from curation.reports.set_versions import set_version
from curation.reports.unjudged import as_lines


class Command(ReportCommand):
    """Measure a run."""

    help = "Mean recall@k of a run by slice and by cell, beside exact float32 search. Drafts are measured, never gated."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """What is measured, on what."""
        parser.add_argument("set", metavar="SLUG|NAME@n", help="a corpus as it counts now, or a frozen set")
        parser.add_argument(
            "--run", required=True, metavar="FILE|RUN", help="a run's file, or the name of a stored one"
        )
        parser.add_argument("--k", type=int, default=K, help=f"documents of each query ({K})")
        parser.add_argument("--json", action="store_true", help="print JSON, with every query")
        parser.add_argument(
            "--unjudged", type=Path, metavar="FILE", help="write what the run found and nobody judged, as a table"
        )

    def make_ready(self, options: dict[str, Any]) -> None:
        """Measure exact search where that is the run; the run, or its file."""
        if options["unjudged"]:
            require_writable(options["unjudged"])
        options["asked"] = run_asked(corpus_measured(options["set"]), options["run"], k=options["k"])

    def tell(self, options: Mapping[str, Any]) -> str:
        """What it scores; what nobody judged is written by the way."""
        corpus, content = measured_set(options["set"])
        found = measure_run(corpus, content, asked=options["asked"], k=options["k"])
        if options["unjudged"]:
            write_lines(options["unjudged"], as_lines(found.unjudged))
        seed = int(content.sha256[:8], 16)
        if not options["json"]:
            return in_words(found, seed=seed)
        told = measure.as_json(found, spec=options["set"], run=options["run"], seed=seed)
        return json.dumps(told, ensure_ascii=False, indent=1)


def corpus_measured(spec: str) -> Corpus:
    """The corpus of a frozen set by `hard@4`, else the one of that name.

    Raises:
        NoSuchVersion, Refused: there is none.
    """
    return set_version(spec).corpus if "@" in spec else corpus_named(spec)


def measured_set(spec: str) -> tuple[Corpus, Content]:
    """A frozen set by `hard@4`, else what the corpus of that name counts now.

    Raises:
        NoSuchVersion, Refused: there is none.
        SetBelied: the rows of the set do not give its hash any more.
    """
    if "@" in spec:
        version = set_version(spec)
        return version.corpus, content_intact(version)
    corpus = corpus_named(spec)
    return corpus, content_of(corpus)


def measure_run(corpus: Corpus, content: Content, *, asked: RankedRun | Path, k: int) -> Measured:
    """The run, as it is stored now, or that of the file, measured.

    Raises:
        AnswersRefused, FileRefused, Refused, VectorsRefused: it or its baseline cannot be had.
    """
    answers = (
        answers_of_file(asked, content, reading=unlimited())
        if isinstance(asked, Path)
        else answers_of_run(run_stored(corpus, asked.name), content)
    )
    return measured(
        corpus,
        content,
        candidate=answers,
        baseline=lambda depth: exact_baseline(corpus, content, k=depth).answers,
        k=k,
    )


def in_words(found: Measured, *, seed: int) -> str:
    """Slices, then cells with the lowest first, then what the run left out."""
    head = ["n", f"recall@{found.k}", "95 %", "SE", "exact", "difference (95 %)"]
    slices = [["slice", *head], *(row(figure) for figure in measure.slices(found, seed=seed))]
    cells = [["cell", *head], *(row(figure) for figure in measure.cells(found, seed=seed))]
    missing = [f"Missing from the run, 0 each: {listed(found.missing)}."] if found.missing else []
    unjudged = found.unjudged_documents
    told = [f"Never judged among the first {found.k}: {counted(unjudged, 'document')}; --unjudged FILE lists them."]
    return "\n".join([*aligned(slices), "", *aligned(cells), *missing, *(told if unjudged else [])])


def row(figure: measure.Figure) -> list[str]:
    """One line of a table."""
    around = f"{figure.ci[0]:.3f}–{figure.ci[1]:.3f}" if figure.ci else "–"
    difference = figure.difference or {"value": None, "ci": None}
    spread = difference["ci"]
    change = signed(difference["value"]) + (f" ({signed(spread[0])} to {signed(spread[1])})" if spread else "")
    name = " × ".join(figure.name.values())
    return [name, f"{figure.n:,}", three(figure.recall), around, three(figure.se), three(figure.baseline), change]
