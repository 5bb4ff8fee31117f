"""`manage.py judging_rules SLUG`: by how many people queries are judged, and from which pools; told and changed."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any

from curation.actions.refusal import Refused
from curation.commandline import corpus_named
from curation.models import Corpus, PoolKind, Stratum
from curation.reporting import ReportCommand
from curation.reports.counts import DIMENSIONS
from judging.actions.rules import Kept, change_several, change_share, renewed_in_words

CORPUS = "corpus"


class Command(ReportCommand):
    """Tell and change the judging rules."""

    help = "Tell the judging rules of a corpus. Options change them: the share, or the strata that the dimensions name."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The corpus, the strata that are meant (all where none is named), and their rules."""
        parser.add_argument("slug", help="the corpus")
        parser.add_argument("--double-judged", type=int, metavar="N", help="percent of the queries that two judge")
        many = [CORPUS, *(str(number) for number in range(1, Stratum.MOST_OPINIONS + 1))]
        parser.add_argument("--opinions", choices=many, help=f"of the strata; {CORPUS}: as the corpus says")
        parser.add_argument("--pool-kind", choices=PoolKind.values, help="of the strata, for pools drawn from now on")
        for name in DIMENSIONS:
            parser.add_argument(f"--{name.replace('_', '-')}", help="only strata of this one")
        parser.add_argument("--json", action="store_true", help="print JSON")

    def make_ready(self, options: dict[str, Any]) -> None:
        """Change what is asked for."""
        options["renewed"] = changed(corpus_named(options["slug"]), options)

    def tell(self, options: Mapping[str, Any]) -> str:
        """The rules."""
        told = rules_of(corpus_named(options["slug"]), options["renewed"])
        return json.dumps(told, indent=1) if options["json"] else in_words(told)


def changed(corpus: Corpus, options: Mapping[str, Any]) -> int | None:
    """Do what the options say; how many waiting pools want another number of opinions, None where they say nothing.

    Raises:
        Refused: a number is out of range, or no stratum is meant.
    """
    dimensions = {name: options[name] for name in DIMENSIONS if options[name] is not None}
    asked, kind = options["opinions"], options["pool_kind"]
    strata = list(corpus.strata.filter(**dimensions))
    if not strata and (dimensions or asked or kind):
        raise Refused("No stratum of this corpus fits; leave out a dimension, or look at the list without options.")
    if not asked and not kind and options["double_judged"] is None:
        return None
    renewed = 0
    if options["double_judged"] is not None:
        renewed += change_share(corpus=corpus, share=options["double_judged"])
    if asked or kind:
        opinions = Kept.KEPT if asked is None else None if asked == CORPUS else int(asked)
        pool_kind = PoolKind(kind) if kind else Kept.KEPT
        renewed += change_several(corpus=corpus, strata=strata, opinions=opinions, pool_kind=pool_kind)
    return renewed


def rules_of(corpus: Corpus, renewed: int | None) -> dict[str, Any]:
    """The rules as JSON: the share in percent, and every stratum; `opinions` is null for what the corpus says.

    `renewed_pools` is null where nothing was to be changed.
    """
    rows = corpus.strata.order_by(*DIMENSIONS).values(*DIMENSIONS, "opinions", "pool_kind")
    return {"double_judged": corpus.double_judged, "renewed_pools": renewed, "strata": list(rows)}


def in_words(told: dict[str, Any]) -> str:
    """One line for the corpus and one for each stratum."""
    lines = [f"Two people judge {told['double_judged']} % of the queries."]
    if told["renewed_pools"] is not None:
        lines.append(renewed_in_words(told["renewed_pools"]))
    for row in told["strata"]:
        opinions = "as the corpus says" if row["opinions"] is None else f"{row['opinions']} opinions"
        lines.append(f"{' '.join(row[name] for name in DIMENSIONS)}: {opinions}, {row['pool_kind']}")
    return "\n".join(lines)
