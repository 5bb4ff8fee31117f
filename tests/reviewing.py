"""Mined proposals of each reviewable family, as a finished run leaves them."""

from __future__ import annotations

import hashlib
import json
from datetime import UTC, date, datetime
from typing import Any

import numpy as np

from curation.miners.documents import Documents
from curation.miners.kept import AsRead, facts_of, shared_of
from curation.miners.near_duplicate import mine
from curation.models import (
    Corpus,
    Document,
    Generation,
    Miner,
    MiningRun,
    NearDuplicateGroup,
    NearDuplicateMember,
    Proposal,
    TargetIndex,
)
from tests.factories import some_traffic
from tests.judging import stage

NOW = datetime(2026, 7, 14, 12, 0, tzinfo=UTC)
HAIL = {
    "HD-A": "The insured bears €500 of each hail loss, from 1 April 2023, for vehicles garaged in Germany. Limit €40,000.",
    "HD-B": "The insured bears €750 of each hail loss, from 1 April 2024, for vehicles garaged in Germany. Limit €40,000.",
    "HD-C": "The insured bears €900 of each hail loss, from 1 April 2024, for vehicles garaged in Austria. Limit €40,000.",
}
BARRATRY = (
    "Clause A is an all-risks cover, so wilful misconduct of the crew against the shipowner, known as barratry, is "
    "insured unless the assured was privy to it. Treat the loss as barratry and ask for the port log."
)


def a_finished_run(corpus: Corpus, miner: str, **fields: Any) -> MiningRun:
    """A DONE run of `miner` in the corpus's one open generation."""
    index, _ = TargetIndex.objects.get_or_create(
        corpus=corpus, name="exact", defaults={"kind": "exact", "remine_due_on": date(2026, 10, 14)}
    )
    generation, _ = Generation.objects.get_or_create(
        index=index, number=1, defaults={"due_on": date(2026, 7, 14), "opened_at": NOW}
    )
    given = {"state": MiningRun.State.DONE, "created_at": NOW, "finished_at": NOW, **fields}
    return MiningRun.objects.create(generation=generation, miner=miner, **given)


def a_document(corpus: Corpus, external_id: str, text: str, **fields: Any) -> Document:
    """An English document whose canonical id is its external id, in capitals."""
    return stage.a_document(
        corpus, external_id, text, **{"canonical_id": external_id.upper(), "is_source": True, **fields}
    )


def a_proposal(run: MiningRun, text: str, **fields: Any) -> Proposal:
    """A pending proposal at the end of the run."""
    rank = run.proposals.count() + 1
    fingerprint = hashlib.sha256(f"{text} {fields.get('group')}".encode()).hexdigest()
    return Proposal.objects.create(
        run=run, text=text, **{"rank": rank, "fingerprint": fingerprint, "locale": "en", **fields}
    )


def a_group(run: MiningRun, texts: dict[str, str] = HAIL, *, title: str = "Hail deductible, motor fleet") -> Proposal:
    """A near-duplicate group mined from `texts` by external id, and its proposal."""
    corpus, ids = run.generation.index.corpus, sorted(texts)
    documents = [a_document(corpus, name, texts[name], title=title) for name in ids]
    mined = Documents(
        external_ids=ids,
        canonical_ids=[document.canonical_id for document in documents],
        languages=["en"] * len(ids),
        titles=[title] * len(ids),
        texts=[texts[name] for name in ids],
        sources=[True] * len(ids),
        facts=[{}] * len(ids),
    )
    gram = np.full((len(ids), len(ids)), 0.95) + np.eye(len(ids)) * 0.05
    read = AsRead(
        {document.external_id: document.texts.get(current=True).sha256 for document in documents},
        {name: mined.described(row) for row, name in enumerate(ids)},
    )
    (found,) = mine(np.linalg.cholesky(gram).astype(np.float32), mined, threshold=0.9).groups
    group = NearDuplicateGroup.objects.create(
        run=run,
        key=hashlib.sha256(" ".join(ids).encode()).hexdigest(),
        differs_in=list(found.differs_in),
        facts=json.loads(json.dumps(facts_of(found, read=read))),
        shared=json.loads(json.dumps(shared_of(found))),
        min_cosine=found.min_cosine,
    )
    NearDuplicateMember.objects.bulk_create(
        NearDuplicateMember(group=group, document=document, min_cosine=0.95) for document in documents
    )
    return a_proposal(run, found.topic, group=group)


def a_term(run: MiningRun, term: str = "barratry", *, text: str = BARRATRY, **fields: Any) -> Proposal:
    """A rare term with the chunk that holds it, and a drafted query."""
    chunk = a_document(run.generation.index.corpus, f"MC-{term}", text, title="Cargo clauses A: insured perils")
    given = {"document": chunk, "evidence": {"term": term, "df": 7}, **fields}
    return a_proposal(run, given.pop("query", f"is {term} by the master covered"), **given)


def a_keyword(
    run: MiningRun, text: str = "hagel sb flotte", *, locale: str = "de", count: int = 214, **fields: Any
) -> Proposal:
    """A short query from the log."""
    evidence = {"count": count, "tokens": len(text.split()), "locales": [[locale, count]]}
    return a_proposal(run, text, locale=locale, evidence=evidence, **fields)


def some_of_each(corpus: Corpus) -> dict[str, Proposal]:
    """One proposal of each reviewable family in a corpus of three locales."""
    some_traffic(corpus, en=0.6, de=0.3, ja=0.1)
    return {
        Miner.NEAR_DUPLICATE: a_group(a_finished_run(corpus, Miner.NEAR_DUPLICATE)),
        Miner.RARE_ENTITY: a_term(a_finished_run(corpus, Miner.RARE_ENTITY)),
        Miner.SHORT_KEYWORD: a_keyword(a_finished_run(corpus, Miner.SHORT_KEYWORD)),
    }
