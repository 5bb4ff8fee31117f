"""What a gate holds a run against: exact float32 search at the encoder's full width, over the very same queries.

An approximate baseline would let a compressed index score well by making the same mistakes, so a file or a stored run
may stand for it only where it tells that it is one: by the hash of the vectors and their width.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from django.db.models import F

from curation.formats.tables import Reading
from curation.models import Corpus, EmbeddingSpace, Query, RankedRun

from .embeddings import current_documents_sha256
from .exact_search import placed_answers
from .run_answers import Answers, AnswersRefused, answers_of_file, answers_of_run
from .set_content import Content

KIND = "exact_float32"
QUANTISED = "quantise"
SIDECAR = ".provenance.json"
ANSWERS = "answers_sha256"
"""The key of a provenance that binds it to the answers of one run."""


@dataclass(frozen=True, slots=True)
class Baseline:
    """The baseline's answers, and where they come from in the words of `provenance`."""

    answers: Answers
    provenance: Mapping[str, Any]
    is_measured_now: bool = False

    @property
    def is_tied(self) -> bool:
        """Whether these are known to be the answers that the provenance tells of."""
        return self.is_measured_now or ANSWERS in self.provenance


def provenance(space: EmbeddingSpace) -> dict[str, Any]:
    """What stands beside a baseline so that it can be told for one."""
    return {
        "kind": KIND,
        "encoder": space.encoder,
        "revision": space.revision,
        "dims": space.dims,
        "native_dims": space.native_dims,
        "space_sha256": space.sha256,
    }


def at_full_width(corpus: Corpus) -> list[EmbeddingSpace]:
    """The corpus's vectors at their encoder's full width and as it made them, the newest first."""
    spaces = corpus.embedding_spaces.filter(dims=F("native_dims")).select_related("corpus").order_by("-current", "-pk")
    return [each for each in spaces if QUANTISED not in each.transform_order]


def newest_at_full_width(corpus: Corpus) -> EmbeddingSpace | None:
    """The newest of these, of the corpus's documents as they are now or were before."""
    return next(iter(at_full_width(corpus)), None)


def full_width_space(corpus: Corpus) -> EmbeddingSpace:
    """The corpus's newest vectors at their encoder's full width.

    Raises:
        AnswersRefused: there are none, or the documents have changed since they were made.
    """
    space = newest_at_full_width(corpus)
    if space is None:
        raise AnswersRefused(
            f"Corpus {corpus.slug} has no vectors at their encoder's full width, so there is no exact baseline; "
            "encode it, or import vectors whose dims equal native_dims."
        )
    if space.documents_sha256 != current_documents_sha256(corpus):
        raise AnswersRefused(
            f"The documents of {corpus.slug} have changed since its vectors were made, so they are no baseline any "
            "more; encode the corpus again, or import vectors for it as it is now."
        )
    return space


def exact_baseline(
    corpus: Corpus, content: Content, *, k: int, progress: Callable[[int, int], None] | None = None
) -> Baseline:
    """Search for the members of a set now; `progress(done, total)` counts queries and may raise to stop.

    A query that the encoder cannot place is missing from the answers.

    Raises:
        AnswersRefused: see `full_width_space`.
        VectorsRefused: the vectors or the encoder are not where they should be.
    """
    space = full_width_space(corpus)
    queries = [Query(pk=pk, corpus=corpus, text=member.text) for pk, member in content.members.items()]
    found: dict[str, list[str]] = {}
    for answer in placed_answers(space, queries, k=k):
        found[content.members[answer.query_pk].external_id] = [document for document, _ in answer.hits]
        if progress is not None:
            progress(len(found), len(queries))
    return Baseline(Answers("exact", space.sha256, k, found), provenance(space), is_measured_now=True)


def file_baseline(corpus: Corpus, content: Content, *, path: Path, reading: Reading) -> Baseline:
    """A baseline that was measured before: a run with its provenance in a file beside it.

    Raises:
        AnswersRefused: see `require_exact` and `require_same`; or queries are missing.
        FileRefused: the run cannot be read.
    """
    told = provenance_beside(path)
    require_exact(corpus, told, name=path.name)
    answers = answers_of_file(path, content, reading=reading)
    require_same(told, answers.sha256, name=path.name)
    return Baseline(_whole(answers, content), told)


def run_baseline(corpus: Corpus, content: Content, *, run: RankedRun) -> Baseline:
    """The same of a run that was imported with its provenance.

    Raises:
        AnswersRefused: see `require_exact`; or queries are missing.
    """
    require_exact(corpus, run.provenance, name=run.name)
    return Baseline(_whole(answers_of_run(run, content), content), run.provenance)


def require_exact(corpus: Corpus, told: Mapping[str, Any], *, name: str) -> None:
    """Refuse a run that its provenance does not make an exact one of the corpus's vectors at full width.

    Raises:
        AnswersRefused: there is none, or it tells of cut or approximate vectors, of some that the corpus lacks,
            or of documents that have changed since.
    """
    if not told:
        raise AnswersRefused(
            f"{name} carries no provenance, so nothing tells that it is exact; import it with the one that export_run "
            "wrote beside it, or use the baseline exact."
        )
    if told.get("kind") != KIND or told.get("dims") != told.get("native_dims"):
        raise AnswersRefused(f"{name} is no exact float32 run at full width, so it is no baseline.")
    known = [each for each in at_full_width(corpus) if each.sha256 == told.get("space_sha256")]
    if not known:
        raise AnswersRefused(
            f"{name} was made of vectors that {corpus.slug} does not hold at full width; use the baseline exact."
        )
    if known[0].documents_sha256 != current_documents_sha256(corpus):
        raise AnswersRefused(
            f"The documents of {corpus.slug} have changed since {name} was made, so it is no baseline any more; "
            "use the baseline exact."
        )


def require_same(told: Mapping[str, Any], sha256: str, *, name: str) -> None:
    """Refuse answers that took the place of those the provenance was written for; one that binds none is believed.

    Raises:
        AnswersRefused: they are others.
    """
    if told.get(ANSWERS, sha256) != sha256:
        raise AnswersRefused(
            f"{name} does not hold the answers that its provenance was written for: another run took their place, or "
            "they were cut. Export the exact run again, or use the baseline exact."
        )


def _whole(answers: Answers, content: Content) -> Answers:
    """A file without a query, or with fewer documents of one, would lower the relative floor; exact search does not."""
    names = [member.external_id for member in content.members.values()]
    absent = sorted(name for name in names if name not in answers.documents)
    if absent:
        raise AnswersRefused(
            f"{answers.name} does not answer {len(absent):,} of the {len(names):,} queries of the set, such as "
            f"{absent[0]}, so it is no baseline for it; use the baseline exact."
        )
    return replace(answers, depth=min(map(len, answers.documents.values())))


def beside(path: Path) -> Path:
    """Where the provenance of a baseline file stands."""
    return path.parent / f"{path.name}{SIDECAR}"  # also of the folder at hand, which has no name


def provenance_beside(path: Path) -> dict[str, Any]:
    """What the file beside a baseline file tells of it.

    Raises:
        AnswersRefused: there is none, or it is no JSON object.
    """
    told_in = beside(path)
    try:
        told = json.loads(told_in.read_bytes())
    except OSError as fault:
        raise AnswersRefused(
            f"A baseline file carries its provenance in {told_in.name}, which cannot be read; export_run writes it "
            "beside the exact run."
        ) from fault
    except ValueError as fault:
        raise AnswersRefused(f"{told_in.name} is not JSON, so nothing tells what {path.name} is.") from fault
    if not isinstance(told, dict):
        raise AnswersRefused(f"{told_in.name} holds no JSON object, so nothing tells what {path.name} is.")
    return told
