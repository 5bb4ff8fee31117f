"""What one number says of all locales, and what it leaves out."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from curation.measures.headline import HEADLINE_ALARM, HEALTHY, Sensitivity, macro, sensitivity, weighted

LOCALE_FLOOR = 0.60


@dataclass(frozen=True, slots=True)
class Headline:
    """The averages over locales beside the lowest locale.

    `weighted` is the mean by traffic over the readable locales, which hold `covered` of the traffic (0 to 1); both are
    None where the corpus has no traffic shares, and the mean where no locale with a share is readable. `readable` of
    `locales` locales hold a score; those of `lower_bounds` may be too low for want of judgments, and with them each
    mean. `hides` tells what the lowest locale's shortfall against a healthy one (0.87) takes from both means; None
    where it falls short of nothing.
    """

    weighted: float | None
    covered: float | None
    macro: float | None
    readable: int
    locales: int
    lowest: str | None
    lowest_score: float | None
    unmeasured: tuple[str, ...]
    sensitivity: tuple[Sensitivity, ...]
    lower_bounds: tuple[str, ...] = ()
    hides: Sensitivity | None = None

    @property
    def lowest_is_bound(self) -> bool:
        """Whether the lowest locale's score is a lower bound."""
        return self.lowest in self.lower_bounds

    @property
    def below_floor(self) -> float | None:
        """By how much the lowest locale fails its floor; None where it holds it."""
        failed = self.lowest_score is not None and self.lowest_score < LOCALE_FLOOR
        return LOCALE_FLOOR - self.lowest_score if failed and self.lowest_score is not None else None

    def as_json(self) -> dict[str, Any]:
        """The headline as the command prints it, with the lines it is read against."""
        return {**asdict(self), "floor": LOCALE_FLOOR, "alarm": HEADLINE_ALARM}

    def in_words(self) -> str:
        """One line: the lowest locale first, the averages after it."""
        if self.lowest is None or self.lowest_score is None:
            return ""
        lowest, mean = at_least(bound=self.lowest_is_bound), at_least(bound=bool(self.lower_bounds))
        parts = [f"Lowest locale: {self.lowest} {lowest}{self.lowest_score:.3f} (floor {LOCALE_FLOOR:.2f})"]
        parts.append(f"macro {mean}{self.macro:.3f} over {self.readable} of {self.locales} locales")
        if self.weighted is not None and self.covered is not None:
            parts.append(f"traffic-weighted {mean}{self.weighted:.3f} over {100 * self.covered:.1f} % of traffic")
        elif self.covered is not None:
            parts.append("no traffic-weighted mean, because no locale with a share of the traffic is readable")
        return "; ".join(parts)


def at_least(*, bound: bool) -> str:
    """What stands before a score in plain text: a sign where it is a lower bound."""
    return "≥ " if bound else ""


def headline(
    scores: Mapping[str, float | None], *, shares: Mapping[str, float], bounds: Collection[str] = ()
) -> Headline:
    """The headline of locales' scores (None where a locale is not readable); those of `bounds` are lower bounds."""
    readable = {locale: score for locale, score in scores.items() if score is not None}
    lowest = min(readable, key=lambda locale: (readable[locale], locale), default=None)
    by_traffic = weighted(scores, shares) if shares else None
    short = HEALTHY - readable[lowest] if lowest is not None else 0.0
    return Headline(
        weighted=by_traffic.value if by_traffic else None,
        covered=by_traffic.covered if by_traffic else None,
        macro=macro(scores).value,
        readable=len(readable),
        locales=len(scores),
        lowest=lowest,
        lowest_score=readable[lowest] if lowest is not None else None,
        unmeasured=tuple(sorted(set(scores) - set(readable))),
        sensitivity=sensitivity(scores, shares) if shares else (),
        lower_bounds=tuple(sorted(set(bounds) & set(readable))),
        hides=next((each for each in shortfall(scores, shares, short) if each.locale == lowest and short > 0), None),
    )


def shortfall(scores: Mapping[str, float | None], shares: Mapping[str, float], short: float) -> tuple[Sensitivity, ...]:
    """What a shortfall of `short` in each locale takes from the means; without traffic from the macro average alone."""
    if shares:
        return sensitivity(scores, shares, shortfall=short)
    readable = sum(score is not None for score in scores.values())
    return tuple(Sensitivity(locale, 0.0, None, short / readable, fires=False) for locale in scores if readable)
