"""recall@k, the measure of gates: the share of a query's relevant canonical ids among the first k documents."""

from collections.abc import Collection, Sequence

from curation.measures.refusals import MeasureRefused

CI_KIND = "sample_se"


def recall_at(ranked_canonicals: Sequence[str], relevant: Collection[str], *, k: int) -> float | None:
    """Return the recall of one query; None where it has no relevant document, for it is in no mean then.

    Args:
        ranked_canonicals: the canonical id of each document, in the order of the run. The list is cut to the
            first k documents, then ids are compared, so two renderings of one article fill two places and
            count once.
        relevant: the canonical ids with a settled relevant grade.
        k: depth in documents.

    Raises:
        MeasureRefused: k is below 1.
    """
    if k < 1:
        raise MeasureRefused(f"A depth of {k} documents has no recall; the least depth is 1.")
    wanted = relevant if isinstance(relevant, frozenset) else frozenset(relevant)
    if not wanted:
        return None
    return len(wanted.intersection(ranked_canonicals[:k])) / len(wanted)
