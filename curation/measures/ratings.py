"""Grades that several people gave to the same documents, counted: the table that every measure of agreement reads."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from curation.measures.refusals import MeasureRefused

Counts = npt.NDArray[np.int64]
"""Shape (documents, categories): how many people put each document into each category.

A person who said nothing of a document is in no cell of its row, so rows need not have one sum.
"""
Weights = npt.NDArray[np.float64]


def checked(counts: Counts) -> Counts:
    """`counts` as whole numbers.

    Raises:
        MeasureRefused: it is no table of counts.
    """
    if counts.ndim != 2 or not np.issubdtype(counts.dtype, np.integer) or (counts < 0).any():
        raise MeasureRefused("Agreement is read from a table of documents by categories that holds counts.")
    return counts.astype(np.int64)


def patterns(counts: Counts) -> tuple[Counts, Counts]:
    """The different rows of `counts`, and how often each occurs.

    There are few of them however many documents were graded, which is what makes drawing again cheap.
    """
    found, times = np.unique(checked(counts), axis=0, return_counts=True)
    return found, times.astype(np.int64)


def told_twice(counts: Counts) -> Counts:
    """The rows on which at least two people said something; nobody can agree or differ on the others."""
    told: Counts = checked(counts)[counts.sum(axis=1) >= 2]
    return told
