"""What one number says of all locales, and what it leaves out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from curation.measures.headline import HEADLINE_ALARM, Sensitivity, macro, sensitivity, weighted

LOCALE_FLOOR = 0.60


@dataclass(frozen=True, slots=True)
class Headline:
    """The averages over locales beside the lowest locale.

    `weighted` is the mean by traffic over the readable locales, which hold `covered` of the traffic (0 to 1); both are
    None where the corpus has no traffic shares. `readable` of `locales` locales hold a score.
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

    def as_json(self) -> dict[str, Any]:
        """The headline as the command prints it, with the lines it is read against."""
        return {**asdict(self), "floor": LOCALE_FLOOR, "alarm": HEADLINE_ALARM}

    def in_words(self) -> str:
        """One line: the lowest locale first, the averages after it."""
        if self.lowest is None or self.lowest_score is None:
            return ""
        parts = [f"Lowest locale: {self.lowest} {self.lowest_score:.3f} (floor {LOCALE_FLOOR:.2f})"]
        parts.append(f"macro {self.macro:.3f} over {self.readable} of {self.locales} locales")
        if self.weighted is not None and self.covered is not None:
            parts.append(f"traffic-weighted {self.weighted:.3f} over {100 * self.covered:.1f} % of traffic")
        return "; ".join(parts)


def headline(scores: Mapping[str, float | None], *, shares: Mapping[str, float]) -> Headline:
    """The headline of locales' scores (None where a locale is not readable)."""
    readable = {locale: score for locale, score in scores.items() if score is not None}
    lowest = min(readable, key=lambda locale: (readable[locale], locale), default=None)
    by_traffic = weighted(scores, shares) if shares else None
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
    )
