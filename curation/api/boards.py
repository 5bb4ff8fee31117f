"""Endpoints of what a corpus counts and what was mined for it."""

from __future__ import annotations

from typing import Annotated, Literal

from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from ninja import Query, Router
from pydantic import BaseModel, Field

from curation.access import LEADS
from curation.api import shapes
from curation.api.answers import Problem, Words, answer
from curation.api.doors import TokenDoor, entered
from curation.formats.json_lines import json_line
from curation.formats.pairs import split_pairs
from curation.measures.targets import Use
from curation.models import Corpus, Miner, RankedRun, Scope
from curation.models.measurements import DEEPEST
from curation.reports.coverage import CoverageRefused, Question, coverage
from curation.reports.mined import lines_of, newest_run
from curation.reports.picture import as_one_file
from curation.reports.run_answers import no_run_called
from curation.reports.traffic import readings

router = Router(tags=["corpus"])
Mined = Literal["near_duplicate", "hard_negative", "rare_entity", "short_keyword"]


class CoverageAsked(BaseModel):
    """As the options of `manage.py coverage`. Without `run` there are counts and no scores."""

    by: Words = "query_language,corpus_language"
    use: Use = "gate"
    run: Words = ""
    beside: Words = ""
    k: Annotated[int, Field(ge=1, le=DEEPEST)] = 10
    only: list[Words] = Field(default=[], description="dimension=value; may be given again", max_length=10)


@router.get(
    "/corpora/{slug:slug}/coverage",
    auth=TokenDoor(Scope.READ, standings=LEADS),
    response={200: shapes.Coverage, 422: Problem},
    operation_id="coverage",
    url_name="api_coverage",
)
def board(request: HttpRequest, slug: str, asked: Query[CoverageAsked]) -> HttpResponse:
    """Every cell with its count, and a score where it holds enough queries; as `manage.py coverage --json`."""
    corpus = entered(request).corpus
    return answer(coverage(corpus, question_of(corpus, asked)).as_json())


def question_of(corpus: Corpus, asked: CoverageAsked) -> Question:
    """What is asked.

    Raises:
        CoverageRefused: the corpus has no such run.
        FileRefused: `only` is no pair, or names a dimension twice.
    """
    return Question(
        by=tuple(asked.by.split(",")),
        use=asked.use,
        run=stored_run(corpus, asked.run),
        k=asked.k,
        facets=split_pairs(asked.only, option="only"),
        beside=stored_run(corpus, asked.beside),
    )


def stored_run(corpus: Corpus, name: str) -> RankedRun | None:
    """The run of that name, None where none is named.

    Raises:
        CoverageRefused: there is none; exact search is measured elsewhere, since to read changes nothing.
    """
    if not name:
        return None
    run = corpus.ranked_runs.filter(name=name).first()
    if run is None:
        raise CoverageRefused(no_run_called(corpus, name))
    return run


@router.get(
    "/corpora/{slug:slug}/traffic",
    auth=TokenDoor(Scope.READ),
    response=shapes.Traffic,
    operation_id="traffic",
    url_name="api_traffic",
)
def traffic(request: HttpRequest, slug: str) -> HttpResponse:
    """The traffic shares in use and those before, each with what is to be said of it; as `manage.py traffic --json`."""
    return answer({"readings": [each.as_json() for each in readings(entered(request).corpus)]})


class ProposalsAsked(BaseModel):
    """Whose proposals; those of the newest finished run where no generation is named."""

    miner: Mined
    generation: Annotated[int, Field(ge=1, le=10_000)] | None = None


@router.get(
    "/corpora/{slug:slug}/proposals",
    auth=TokenDoor(Scope.READ),
    response={404: Problem},
    operation_id="proposals",
    url_name="api_proposals",
    openapi_extra={
        "responses": {
            200: {"description": "JSON Lines", "content": {"application/x-ndjson": {"schema": {"type": "string"}}}}
        }
    },
)
def proposals(request: HttpRequest, slug: str, asked: Query[ProposalsAsked]) -> FileResponse:
    """What a miner found, as the JSON Lines that `manage.py export_proposals` writes."""
    run = newest_run(entered(request).corpus, Miner(asked.miner), generation=asked.generation)
    if run is None:
        raise Http404(f"There is no finished {asked.miner} run; mine it first.")
    return FileResponse(as_one_file(map(json_line, lines_of(run))), content_type="application/x-ndjson")
