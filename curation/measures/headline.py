"""The averages over locales, and how much of a failure each would hide.

The sensitivity of a weighted mean to one locale is that locale's weight, whatever the scores are. So a headline
is a smoke alarm for what breaks everywhere; it never passes or rejects.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import fsum, isclose

from curation.measures.refusals import MeasureRefused

HEADLINE_ALARM = 0.80
HEALTHY, BROKEN = 0.87, 0.15
"""The locale whose fall the sensitivity table shows: from the score of a median locale to one that is unusable."""


@dataclass(frozen=True)
class Headline:
    """A mean over locales.

    `value` is None where nothing is measured; `covered` is the share of all weight that the measured locales
    hold (0 to 1); `unmeasured` are the locales outside it.
    """

    value: float | None
    covered: float
    unmeasured: tuple[str, ...]


@dataclass(frozen=True)
class Sensitivity:
    """What a headline shows of one locale's fall.

    `moves_weighted` and `moves_macro` are what the means lose, None where the locale is in neither; `fires` says
    whether the weighted mean would then stand below the alarm.
    """

    locale: str
    share: float
    moves_weighted: float | None
    moves_macro: float | None
    fires: bool


def macro(scores: Mapping[str, float | None]) -> Headline:
    """Return the mean in which every measured locale counts once; None marks an unmeasured locale."""
    return _mean(scores, dict.fromkeys(scores, 1 / len(scores)) if scores else {})


def weighted(scores: Mapping[str, float | None], shares: Mapping[str, float]) -> Headline:
    """Return the mean by traffic, over the measured locales, their weights scaled to sum to 1.

    Args:
        scores: locale to score, None where it is unmeasured.
        shares: locale to its share of traffic. A locale without a share has none; one without a score is
            unmeasured.

    Raises:
        MeasureRefused: a share is negative, or they do not sum to 1.
    """
    if min(shares.values(), default=0.0) < 0 or not isclose(fsum(shares.values()), 1, abs_tol=1e-6):
        raise MeasureRefused(f"Traffic shares are at least 0 and sum to 1; these sum to {fsum(shares.values()):g}.")
    return _mean({locale: scores.get(locale) for locale in shares}, shares)


def sensitivity(
    scores: Mapping[str, float | None], shares: Mapping[str, float], *, shortfall: float = HEALTHY - BROKEN
) -> tuple[Sensitivity, ...]:
    """Return, by share, what each locale's fall by `shortfall` would take from both means: weight x shortfall.

    Raises:
        MeasureRefused: as `weighted`.
    """
    headline, readable = weighted(scores, shares), sum(score is not None for score in scores.values())
    rows = []
    for locale, share in sorted(shares.items(), key=lambda pair: (-pair[1], pair[0])):
        measured = locale not in headline.unmeasured and headline.covered > 0
        loss = share / headline.covered * shortfall if measured else None
        rows.append(
            Sensitivity(
                locale=locale,
                share=share,
                moves_weighted=loss,
                moves_macro=shortfall / readable if measured else None,
                fires=_fires(headline.value, loss),
            )
        )
    return tuple(rows)


def _fires(value: float | None, loss: float | None) -> bool:
    return value is not None and loss is not None and value - loss < HEADLINE_ALARM


def _mean(scores: Mapping[str, float | None], weights: Mapping[str, float]) -> Headline:
    measured = {locale: score for locale, score in scores.items() if score is not None}
    covered = fsum(weights[locale] for locale in measured)
    total = fsum(weights[locale] * score for locale, score in measured.items())
    return Headline(
        value=total / covered if covered else None,
        covered=covered,
        unmeasured=tuple(locale for locale in scores if locale not in measured),
    )
