"""What a reviewer and a lead see of the queries of the log: how often, when, how drawn, and what was left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from curation.models import Corpus, Miner, MiningRun, Proposal, QueryType
from curation.reports.likeness import Alike, alike_in
from curation.reports.review import newest_run
from curation.reports.review_draft import Draft, slice_of
from curation.reports.run_words import counted
from curation.retrieval.locales import UNDETERMINED, language_name
from curation.retrieval.scripts import script_name

MONTHS_SHOWN = 12
TALLEST = 34  # of a bar, in the units of the drawing
WAYS = {
    "top": "one of the most asked",
    "random": "drawn by chance",
    "proportional": "drawn by chance, the likelier the more it is asked",
}


@dataclass(frozen=True, slots=True)
class Bar:
    """One month: how often the query was asked in it, and how high its bar stands."""

    month: date
    count: int
    height: float

    @property
    def top(self) -> float:
        """Where the bar begins, from above."""
        return TALLEST - self.height


@dataclass(frozen=True, slots=True)
class Keyword:
    """A query of the log as its reviewer sees it; `way` says how it was drawn, "" in runs older than draws.

    `lack` says in a sentence what the set lacks of its stratum, "" where it represents it.
    """

    first_day: date | None
    last_day: date | None
    bars: tuple[Bar, ...]
    way: str
    stratum: Mapping[str, Any]
    alike: Alike
    slice: str
    lack: str


def keyword_of(corpus: Corpus, draft: Draft) -> Keyword | None:
    """The evidence of a query from the log; None for a proposal of another family."""
    proposal = draft.proposal
    if proposal.run.miner != Miner.SHORT_KEYWORD:
        return None
    first, last = days_of(proposal.run)
    evidence: Mapping[str, Any] = proposal.evidence
    return Keyword(
        first_day=first,
        last_day=last,
        bars=bars_of(evidence.get("months", [])),
        way=WAYS.get(evidence.get("drawn", ""), ""),
        stratum=evidence.get("stratum", {}),
        alike=alike_in(corpus, proposal.text, locale=draft.locale or UNDETERMINED, but=proposal.pk),
        slice=slice_of(proposal),
        lack=lack_in_words(evidence),
    )


def lack_in_words(evidence: Mapping[str, Any]) -> str:
    """Why a wording is proposed for a stratum that the set has left behind; "" for any other."""
    lack: Mapping[str, Any] = evidence.get("lack", {})
    if not lack:
        return ""
    stratum = evidence["stratum"]
    kind = ", ".join(
        (
            script_name(stratum["script"], stratum["locale"]),
            QueryType(stratum["query_type"]).label.lower(),
            "under six words" if lack["is_short"] else "six words or more",
        )
    )
    asked = counted(evidence["count"], "time")
    when = f" in {lack['period']}" if lack["period"] else ""
    started = f"{100 * lack['traffic_share']:.0f} % of the searches in {language_name(stratum['locale'])}"
    held = counted(lack["queries"], "counted query", "counted queries")
    first = f"Asked {asked}{when}. {started}" if not lack["is_short"] else f"{started}{when}"
    return f"{first} are of this kind ({kind}); the set holds {held} of it."


def days_of(run: MiningRun) -> tuple[date | None, date | None]:
    """The first and the last day of the log that a run read; None where it names no days."""
    first, last = run.summary.get("log_days", (None, None))
    return (date.fromisoformat(first), date.fromisoformat(last)) if first else (None, None)


def bars_of(months: Sequence[tuple[str, int]]) -> tuple[Bar, ...]:
    """The last months in which a query was asked."""
    shown = months[-MONTHS_SHOWN:]
    most = max((count for _, count in shown), default=1)
    return tuple(Bar(date.fromisoformat(f"{month}-01"), count, TALLEST * count / most) for month, count in shown)


@dataclass(frozen=True, slots=True)
class Mined:
    """What the newest run made of the log, for the lead; `cut_off` are (query, what finishes it, searches)."""

    run: MiningRun
    first_day: date | None
    last_day: date | None
    strata: Sequence[Mapping[str, Any]]
    cut_off: Sequence[tuple[str, str, int]]
    personal: Mapping[str, int]
    pending: int


def mined_keywords(corpus: Corpus) -> Mined | None:
    """The newest finished run; None where the log was not mined yet."""
    run = newest_run(corpus, Miner.SHORT_KEYWORD)
    if run is None:
        return None
    first, last = days_of(run)
    return Mined(
        run=run,
        first_day=first,
        last_day=last,
        strata=run.summary.get("strata", []),
        cut_off=run.summary.get("cut_off_shown", []),
        personal=run.summary.get("personal_by_kind", {}),
        pending=run.proposals.filter(status=Proposal.Status.PENDING).count(),
    )
