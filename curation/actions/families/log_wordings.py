"""Longer wordings of the fresh log, for the strata that the set has left behind; the short ones are keyword queries.

Drawn from the period of the traffic mix as keyword queries are: some of each stratum by chance, which is its tail, and
some in proportion to searches. The same seed draws the same from the same log.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Q

from curation.actions.families.found import fingerprint
from curation.actions.lookups import rows_in
from curation.miners.keyword_draw import Draw, Drawn, Stratum, select
from curation.miners.short_keyword import FEWER_THAN, KeywordQuery, LogLine, mine
from curation.models import Miner, MiningRun, Proposal
from curation.reports.checks import live
from curation.reports.log_lines import MixStratum, in_period, in_stratum, read_lines
from curation.reports.log_mix import LogMix, Share, log_mix
from curation.reports.schedule import today_in
from curation.retrieval.folding import fold, folded_hash

TAIL, IN_PROPORTION = 10, 20  # of each stratum
Behind = Mapping[tuple[str, MixStratum], Share]


@dataclass(frozen=True)
class Wordings:
    """The mix that a run went by, the strata left behind in it, and the longer wordings drawn for them."""

    mix: LogMix
    behind: Behind
    drawn: tuple[Drawn, ...]

    def lack(self, stratum: Stratum, *, is_short: bool) -> dict[str, Any] | None:
        """What the evidence of a wording tells of its stratum; None where the set represents it."""
        share = self.behind.get((stratum.locale, MixStratum(stratum.script, stratum.query_type, is_short)))
        if share is None:
            return None
        period = self.mix.period.words if self.mix.period else ""
        return {"period": period, "is_short": is_short, **share.as_json()}

    def figures(self) -> dict[str, Any]:
        """What the run tells of them; nothing where no stratum is left behind."""
        if not self.behind:
            return {}
        strata = [
            {"locale": locale, **stratum._asdict(), **share.as_json()}
            for (locale, stratum), share in self.behind.items()
        ]
        return {"left_behind": strata, "longer": len(self.drawn)}


def draw_wordings(run: MiningRun, *, stratum_of: Callable[[KeywordQuery], Stratum], seed: int) -> Wordings:
    """Draw for a run of the log; `stratum_of` tells where a query is."""
    corpus = run.generation.index.corpus
    mix = log_mix(corpus, today=today_in(corpus, run.created_at))
    behind = {
        (locale.locale, stratum): share for locale in mix.locales for stratum, share in locale.left_behind.items()
    }
    longer = {key for key in behind if not key[1].is_short}
    if not longer:
        return Wordings(mix, behind, ())
    wanted = {Stratum(locale, stratum.script, stratum.query_type) for locale, stratum in longer}
    fresh = mine(_lines(run, mix, longer), fewer_than=sys.maxsize).queries
    fitting = [query for query in fresh if query.tokens >= FEWER_THAN and stratum_of(query) in wanted]
    new = _new(run, fitting, stratum_of=stratum_of)
    draw = Draw(top=0, random=TAIL, proportional=IN_PROPORTION * len(wanted), seed=seed)
    return Wordings(mix, behind, select(new, stratum_of=stratum_of, draw=draw).drawn)


def _lines(run: MiningRun, mix: LogMix, strata: set[tuple[str, MixStratum]]) -> Iterator[LogLine]:
    """The lines of the period that are in one of `strata`."""
    anywhere = Q()
    for locale, stratum in sorted(strata):
        anywhere |= Q(own=locale) & in_stratum(stratum)
    found = read_lines(run.generation.index.corpus).filter(in_period(mix.period), anywhere).order_by("pk")
    for text, locale, count, day in found.values_list("text", "locale", "count", "date"):
        yield LogLine(text, locale, count, f"{day:%Y-%m}" if day else "")


def _new(
    run: MiningRun, queries: list[KeywordQuery], *, stratum_of: Callable[[KeywordQuery], Stratum]
) -> list[KeywordQuery]:
    """Those that are no query of the set yet and that no earlier generation saw rejected.

    What this generation itself decided stays, so that mining again carries the verdicts over.
    """
    corpus = run.generation.index.corpus
    hashes = {folded_hash(corpus.slug, stratum_of(query).locale, query.text): query for query in queries}
    standing = live(corpus).exclude(proposal__run__generation=run.generation).values_list("folded_hash", flat=True)
    twins = set(rows_in(standing, "folded_hash", hashes))
    seen = Proposal.objects.filter(run__generation__index__corpus=corpus, run__miner=Miner.SHORT_KEYWORD)
    before = seen.exclude(run__generation=run.generation).filter(status=Proposal.Status.REJECTED)
    rejected = set(before.values_list("fingerprint", flat=True))
    return [
        query
        for digest, query in hashes.items()
        if digest not in twins and fingerprint(fold(query.text, query.locale)) not in rejected
    ]
