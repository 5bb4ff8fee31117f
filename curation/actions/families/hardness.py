"""How hard a generation is: the margins of its queries, and what its index still confuses of earlier generations."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from curation.measures.decay import decay
from curation.measures.margin import margin, margins
from curation.miners.hard_negative import HardNegatives, JudgedQuery, Search, Shelf
from curation.models import HardNegative, Miner, MiningRun
from curation.reports.comparison import ALL


class Answers(dict[str, list[tuple[str, float]]]):
    """Query id → (canonical id, score) of the documents that the index answered, best first."""


def remembered(search: Search, shelf: Shelf, answers: Answers) -> Search:
    """`search`, which also leaves what it answered in `answers`; a document that is not in the corpus keeps its id."""

    def ask(names: Sequence[str], k: int) -> Sequence[Sequence[tuple[str, float]]]:
        found = search(names, k)
        for name, hits in zip(names, found, strict=True):
            answers[name] = [(shelf.canonical_ids.get(hit, hit), score) for hit, score in hits[:k]]
        return found

    return ask


def hardness(
    run: MiningRun, mined: HardNegatives, answers: Answers, *, judged: Sequence[JudgedQuery]
) -> dict[str, dict[str, Any]]:
    """The figures of the run by slice, and of all queries together.

    "margins": slice → `Margins`, of the queries with negatives. "decay": number of an earlier generation → slice →
    `Decay` with its share, what became of the negatives that generation's newest finished run kept.
    """
    slices = dict(run.generation.index.corpus.queries.values_list("external_id", "stratum__slice"))
    relevant = {query.query_id: query.relevant for query in judged}
    return {
        "margins": _margins(mined, answers, relevant, slices=slices),
        "decay": {str(number): _decay(earlier, answers, relevant, slices=slices) for number, earlier in _earlier(run)},
    }


def _margins(
    mined: HardNegatives, answers: Answers, relevant: Mapping[str, frozenset[str]], *, slices: Mapping[str, str]
) -> dict[str, Any]:
    found: defaultdict[str, list[float | None]] = defaultdict(list)
    for one in mined.queries:
        negatives = {each.canonical_id for each in one.negatives}
        if not negatives:
            continue
        value = margin(answers[one.query_id], relevant=relevant[one.query_id], negatives=negatives)
        for name in (ALL, slices[one.query_id]):
            found[name].append(value)
    return {name: asdict(margins(values)) for name, values in sorted(found.items())}


def _decay(
    earlier: Mapping[str, set[str]],
    answers: Answers,
    relevant: Mapping[str, frozenset[str]],
    *,
    slices: Mapping[str, str],
) -> dict[str, Any]:
    """What became of the negatives of one earlier generation; a query retired since is in no slice and not asked."""
    ranked = {query: [canonical for canonical, _ in answer] for query, answer in answers.items()}
    parts: defaultdict[str, dict[str, set[str]]] = defaultdict(dict)
    for query in earlier.keys() & ranked.keys():
        for name in (ALL, slices[query]):
            parts[name][query] = earlier[query]
    found = {name: decay(part, ranked, relevant) for name, part in sorted(parts.items())}
    return {name: {**asdict(part), "share": part.share} for name, part in found.items()}


def _earlier(run: MiningRun) -> Iterator[tuple[int, dict[str, set[str]]]]:
    """Each earlier generation's number with its negatives by query id: those of its newest finished run."""
    runs = MiningRun.objects.filter(
        generation__index__corpus=run.generation.index.corpus_id,
        generation__number__lt=run.generation.number,
        miner=Miner.HARD_NEGATIVE,
        state=MiningRun.State.DONE,
    )
    newest = dict(runs.order_by("generation__number", "pk").values_list("generation__number", "pk"))
    for number, pk in newest.items():
        pairs: defaultdict[str, set[str]] = defaultdict(set)
        kept = HardNegative.objects.filter(run=pk).values_list("query__external_id", "canonical_id")
        for query, canonical in kept.iterator(chunk_size=5000):
            pairs[query].add(canonical)
        yield number, pairs
