"""How hard a generation's queries are for exact search, slice by slice, on the one run that measures all of them."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from django.db.models import Count, Exists, OuterRef, Q

from curation.measures.hit import DEPTH
from curation.models import Corpus, Generation, MiningRun, Proposal, Query, RankedRun

from .counts import counted, found

EXACT = "exact"
Tally = tuple[int, int]  # hits and n


def exact_run(corpus: Corpus) -> RankedRun | None:
    """The stored run of exact search; None where nothing was measured yet."""
    return corpus.ranked_runs.filter(name=EXACT, embedding_space__current=True).first()


def queries_in(generation: Generation, runs: Collection[MiningRun]) -> Q:
    """What tells the queries of a generation, with its newest finished `runs`.

    A query made of a proposal is in every generation that found the proposal, by its fingerprint; one that came
    otherwise is in each that was open, or still to come, when it was made.
    """
    same = Proposal.objects.filter(
        run__in=[run.pk for run in runs],
        run__miner=OuterRef("proposal__run__miner"),
        fingerprint=OuterRef("proposal__fingerprint"),
    )
    brought = Q(proposal__isnull=True)
    if generation.closed_at is not None:
        brought &= Q(created_at__lt=generation.closed_at)
    return brought | Q(Exists(same))


def hits_by_slice(
    generation: Generation, runs: Collection[MiningRun], *, exact: RankedRun | None
) -> Mapping[str, Tally]:
    """Slice → how many of its counted queries exact search finds among the first ten documents, and n; one SQL query.

    Without a run every count of hits is 0, and says nothing.
    """
    corpus = generation.index.corpus
    queries = Query.objects.filter(corpus=corpus, status=Query.Status.JUDGED).filter(counted(corpus))
    if exact is not None:
        queries = queries.alias(is_found=found(exact, DEPTH))
    hits = Count("pk", filter=Q(is_found=True) if exact is not None else Q(pk__isnull=True))
    rows = queries.filter(queries_in(generation, runs)).order_by().values_list("stratum__slice")
    return {name: (of, n) for name, of, n in rows.annotate(hits=hits, n=Count("pk"))}
