"""What a finished mining run found, in one sentence a reader understands: for the pages and the command line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from curation.models import Miner, MiningRun
from curation.reports.thresholds import THRESHOLD

Told = Mapping[str, Any]
NO_LOG = "The corpus has no search log, so there is nothing to draw from; import one, then mine again."


def run_in_words(run: MiningRun) -> str:
    """What `run` found; figures that a run of an older version did not keep are left out."""
    words = WORDS[Miner(run.miner)](run.summary)
    carried = run.summary.get("carried_over")
    return f"{words} {counted(carried, 'verdict')} carried over." if carried else words


def counted(number: int, one: str, many: str = "") -> str:
    """A number with its word: "1 group", "3 groups", "2 queries"."""
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"


def groups_in_words(told: Told) -> str:
    """Near-duplicate groups, the similarity they begin at, and how many wait for a verdict."""
    threshold = f", similarity from {told[THRESHOLD]:g}" if THRESHOLD in told else ""
    parts = f"{told.get('proposed', 0):,} to review, {told.get('set_aside', 0):,} set aside"
    return f"{counted(told.get('found', 0), 'group')} found{threshold}: {parts}."


def negatives_in_words(told: Told) -> str:
    """What the index ranks high without its being settled relevant: how much of it was judged, and who is short."""
    found = counted(told.get("found", 0), "document")
    judged = f": {told['judged']:,} judged, {told['unjudged']:,} not judged" if "judged" in told else ""
    words = f"{found} ranked high without being settled relevant{judged}, for {queries(told.get('queries', 0))}."
    if short := told.get("short_queries"):
        words += f" {queries(short)} short of eight, {told.get('missing_negatives', 0):,} documents in all."
    if skipped := told.get("skipped"):
        words += f" {queries(skipped)} not mined: no relevant document is settled."
    return words


def queries(number: int) -> str:
    """A number of queries."""
    return counted(number, "query", "queries")


def terms_in_words(told: Told) -> str:
    """Rare terms and how many of them were drafted as queries."""
    return f"{counted(told.get('found', 0), 'rare term')} found, {told.get('proposed', 0):,} to review."


def keywords_in_words(told: Told) -> str:
    """Short queries of the log, how many were drawn, and what was left out; one sentence where there is no log."""
    if told.get("log_lines") == 0:
        return NO_LOG
    words = f"{counted(told.get('found', 0), 'short query', 'short queries')} found, {told.get('proposed', 0):,} drawn"
    if behind := told.get("left_behind"):
        strata = counted(len(behind), "stratum", "strata")
        words += f", and {counted(told.get('longer', 0), 'longer wording')} for {strata} that the set has left behind,"
    left = [
        (told.get("long"), "longer"),
        (told.get("cut_off"), "cut off"),
        (told.get("personal"), "with personal data"),
    ]
    out = ", ".join(f"{number:,} {why}" for number, why in left if number)
    return f"{words} to review." + (f" Left out: {out}." if out else "")


WORDS = {
    Miner.NEAR_DUPLICATE: groups_in_words,
    Miner.HARD_NEGATIVE: negatives_in_words,
    Miner.RARE_ENTITY: terms_in_words,
    Miner.SHORT_KEYWORD: keywords_in_words,
}
