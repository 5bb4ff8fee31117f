"""The traffic mix as every export writes it: JSON, and one row a class or stratum."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .log_lines import MixStratum
from .log_mix import LocaleMix, LogMix, Share
from .log_period import Period

Row = dict[str, Any]
COLUMNS = (
    "period",
    "locale",
    "dimension",
    "class",
    "script",
    "query_type",
    "words",
    "searches",
    "traffic_share",
    "queries",
    "set_share",
    "set_low",
    "set_high",
    "difference",
    "standing",
)
STRATUM = "stratum"


def as_json(mix: LogMix) -> Row:
    """The report: what there is of the log, the period, and each locale."""
    found = mix.extent
    return {
        "log": {"days": _days(found.days), "lines": found.lines, "undated": found.undated, "unread": found.unread},
        "period": _days(mix.period),
        "locales": [_locale(each) for each in mix.locales],
    }


def rows(mix: LogMix) -> Iterator[Row]:
    """One row a class of each dimension and a stratum, locale by locale; empty where a figure is not known."""
    period = mix.period.words if mix.period else ""
    for locale in mix.locales:
        for row in _rows(locale):
            yield {column: {"period": period, "locale": locale.locale, **row}.get(column) for column in COLUMNS}


def place(stratum: MixStratum) -> dict[str, str]:
    """A stratum as exports name it."""
    words = "under 6" if stratum.is_short else "6 or more"
    return {"script": stratum.script, "query_type": stratum.query_type, "words": words}


def standing(share: Share) -> str:
    """What the rule of the report says of a stratum, in one word or a few; "" where nothing."""
    told = [
        word
        for word, is_so in (("rare", share.is_rare), ("thin", share.is_thin), ("not asked", share.is_not_asked))
        if is_so
    ]
    return ", ".join(told)


def _rows(mix: LocaleMix) -> Iterator[Row]:
    for dimension in mix.dimensions:
        for name, share in dimension.classes.items():
            yield {"dimension": dimension.name, "class": name, **_figures(share)}
    for stratum, share in mix.strata.items():
        yield {"dimension": STRATUM, **place(stratum), "standing": standing(share), **_figures(share)}


def _figures(share: Share) -> Row:
    low, high = share.as_json()["set_ci"] or (None, None)
    return {**share.as_json(), "set_low": low, "set_high": high}


def _locale(mix: LocaleMix) -> Row:
    return {
        "locale": mix.locale,
        "searches": mix.searches,
        "placed_by_guess": mix.guessed,
        "is_doubtful": mix.is_doubtful,
        "queries": mix.queries,
        **mix.apart.as_json(),
        "dimensions": {
            dimension.name: {
                **dimension.apart.as_json(),
                "classes": {name: share.as_json() for name, share in dimension.classes.items()},
            }
            for dimension in mix.dimensions
        },
        "strata": [
            {**place(stratum), **share.as_json(), "standing": standing(share)} for stratum, share in mix.strata.items()
        ],
        "quarters": [
            {"quarter": each.period.words, "searches": each.searches, "distance": _rounded(each.distance)}
            for each in mix.quarters
        ],
    }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)


def _days(period: Period | None) -> dict[str, str] | None:
    return {"since": period.since.isoformat(), "until": period.until.isoformat()} if period else None
