"""How long a query is: bands of its words, as `tokens.words` counts them."""

SHORT_BELOW = 6
"""Words from which a query is no short keyword any more."""

BAND_FROM = {"1-2": 0, "3-5": 3, "6-9": SHORT_BELOW, "10+": 10}
"""Each band by the fewest words in it, the shortest first."""

LENGTH_BANDS = tuple(BAND_FROM)
SHORT_BANDS = tuple(band for band, fewest in BAND_FROM.items() if fewest < SHORT_BELOW)


def length_band(words: int) -> str:
    """Return the band of a query of so many words; a text of signs alone is in the shortest."""
    return next(band for band in reversed(LENGTH_BANDS) if words >= BAND_FROM[band])
