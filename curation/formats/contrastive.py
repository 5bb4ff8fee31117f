"""Rows to train a retriever on, under the column names of sentence-transformers: anchor, positive, negative(s).

Its trainers take the text columns by their order, so these stand first; what comes after them is to be left out when
training.
"""

from collections.abc import Iterator, Sequence

from curation.formats.records import JsonValue

Row = dict[str, JsonValue]


def triplets(anchor: str, positives: Sequence[str], negatives: Sequence[str]) -> Iterator[Row]:
    """A row for each positive with each negative, the negatives of a positive together."""
    for positive in positives:
        for negative in negatives:
            yield {"anchor": anchor, "positive": positive, "negative": negative}


def n_tuples(anchor: str, positives: Sequence[str], negatives: Sequence[str], *, size: int) -> Iterator[Row]:
    """A row for each positive with the first `size` negatives; none where there are fewer: every row is as wide."""
    if len(negatives) < size:
        return
    numbered: Row = {f"negative_{number}": text for number, text in enumerate(negatives[:size], 1)}
    for positive in positives:
        yield {"anchor": anchor, "positive": positive, **numbered}
