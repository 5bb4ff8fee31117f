"""What oversampling small locales does to a set, and the weights that undo it in a headline."""

from __future__ import annotations

from collections.abc import Mapping


def oversampling(counts: Mapping[str, float], shares: Mapping[str, float]) -> dict[str, float]:
    """Return locale to how many times its share of the traffic its share of the set is: 120 of 1,000 at 2 % is 6.0.

    Only of locales with a share of the traffic above 0; empty where the set is.

    Args:
        counts: locale to queries in the set.
        shares: locale to its share of the traffic (0 to 1).
    """
    total = sum(counts.values())
    if not total:
        return {}
    return {locale: n / total / shares[locale] for locale, n in counts.items() if shares.get(locale)}


def headline_weights(counts: Mapping[str, float], shares: Mapping[str, float]) -> dict[str, float]:
    """Return locale to the weight of each of its queries: share of the traffic over share of the set.

    The mean of all queries' scores by these weights is the traffic-weighted mean of the locales' scores. A locale that
    has no share weighs 0; one without queries has no weight, as nothing stands for its traffic.
    """
    total = sum(counts.values())
    return {locale: shares.get(locale, 0.0) / (n / total) for locale, n in counts.items() if n}
