"""The demo corpus: our own claims documents, loaded once; what people did in it since then stays.

Each step looks at what is there and adds only what was never loaded, so that an interrupted load goes on where it
stopped. `manage.py demo` takes the steps one after the other, because the slow ones have progress to tell.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from django.db import transaction

from curation.actions import generations, mining, pooling
from curation.actions.corpora import CorpusAsked, import_corpus
from curation.actions.embeddings import encode_corpus
from curation.actions.logs import import_log
from curation.actions.plan import Numbers, plan_stratum
from curation.actions.queries import import_queries
from curation.actions.receipts import Intake, Receipt
from curation.actions.refusal import Refused
from curation.models import Corpus, EmbeddingSpace, Job, Miner, MiningRun, Need, Use
from curation.reports.places import StratumKey
from curation.retrieval.encoders.lsa import Progress

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures" / "claims"
SLUG, NAME = "claims", "Halden Mutual claims search"
FIRST_GENERATION = 1


def load_documents(*, now: datetime) -> Corpus:
    """The demo corpus with its documents and traffic shares.

    Raises:
        Refused: a corpus of somebody else's has its address.
    """
    corpus = Corpus.objects.filter(slug=SLUG).first()
    path = FIXTURES / "corpus.jsonl"
    if corpus is None:
        asked = CorpusAsked(slug=SLUG, name=NAME, traffic=_plan()["traffic"])
        _require_whole(import_corpus(asked=asked, intake=Intake(path), now=now))
        corpus = Corpus.objects.get(slug=SLUG)
    elif not corpus.documents.filter(external_id=_rows(path)[0]["doc_id"]).exists():
        raise Refused(
            f"There is a corpus {SLUG} already and it is not the demo's. Load the demo into another DATA_DIR."
        )
    return corpus


def encode(*, corpus: Corpus, encoder: str, progress: Progress | None = None) -> EmbeddingSpace:
    """The vectors of the documents; those that people chose since then stay."""
    current = corpus.embedding_spaces.filter(current=True).first()
    return current or encode_corpus(corpus=corpus, encoder=encoder, progress=progress)


def load_needs(*, corpus: Corpus) -> int:
    """The needs with their contexts and golds, before any query words them; how many the corpus has."""
    with transaction.atomic():
        if not corpus.needs.exists():
            Need.objects.bulk_create(
                Need(
                    corpus=corpus,
                    external_id=row["information_need_id"],
                    text=row["information_need"],
                    context=row.get("context", ""),
                    gold_canonical_id=row.get("gold_canonical_id", ""),
                    slice_hint=row.get("slice", ""),
                )
                for row in _rows(FIXTURES / "needs.jsonl")
            )
    return corpus.needs.count()


def load_plan(*, corpus: Corpus) -> int:
    """The planned strata, where nobody has planned yet; how many are planned."""
    planned = corpus.strata.filter(planned__gt=0)
    with transaction.atomic():
        if not planned.exists():
            for row in _plan()["strata"]:
                key = StratumKey(*(row[name] for name in StratumKey._fields))
                numbers = Numbers(Use(row["use"]), row["planned"], row["priority"])
                plan_stratum(corpus=corpus, key=key, numbers=numbers)
    return planned.count()


def load_queries(*, corpus: Corpus, name: str, now: datetime) -> int:
    """The queries of the file `name`, unless they were loaded before; how many the corpus has."""
    path = FIXTURES / name
    if not corpus.queries.filter(external_id=_rows(path)[0]["query_id"]).exists():
        _require_whole(import_queries(corpus=corpus, intake=Intake(path), now=now))
    return corpus.queries.count()


def load_log(*, corpus: Corpus) -> int:
    """The query log, unless the corpus has one; how many lines it holds."""
    if not corpus.log_queries.exists():
        _require_whole(import_log(corpus=corpus, intake=Intake(FIXTURES / "log.csv")))
    return corpus.log_queries.count()


def ask_for_mining(*, corpus: Corpus, now: datetime) -> list[Job]:
    """The jobs that the first generation still needs: one for each miner that has not come to its end in it."""
    generation = generations.current(corpus=corpus, now=now)
    if generation.number > FIRST_GENERATION:
        return []
    ended = set(generation.runs.filter(state=MiningRun.State.DONE).values_list("miner", flat=True))
    missing = [miner for miner in Miner if miner not in ended]
    return mining.ask_for(generation=generation, miners=missing, asked_by=None, now=now)


def ask_for_pools(*, corpus: Corpus, now: datetime) -> list[Job]:
    """The job that draws the first pools, unless one did; later ones are drawn as queries turn ready."""
    drawn = Job.objects.filter(corpus=corpus, kind=pooling.KIND, state=Job.State.DONE).exists()
    return [] if drawn else [pooling.ask_for_pools(corpus=corpus, asked_by=None, now=now)]


def _require_whole(receipt: Receipt) -> None:
    if receipt.errors:
        first = receipt.errors[0]
        raise Refused(f"The demo's files are damaged (line {first.line}, {first.id}): {first.reason}")


def _plan() -> dict[str, Any]:
    plan: dict[str, Any] = json.loads((FIXTURES / "strata.json").read_text(encoding="utf-8"))
    return plan


def _rows(path: Path) -> Sequence[dict[str, str]]:
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]
