"""Where exact search ranks the versions of a group for the wording that is shown: asked for, found by a job, shown."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from curation import tasks
from curation.actions.embeddings import encode_corpus
from curation.models import Corpus, EmbeddingSpace, Job, Proposal
from curation.reports.embeddings import vectors_path
from curation.reports.exact_search import encoded
from curation.retrieval.exact import row_scores
from curation.retrieval.vectors import open_vectors
from tests import reviewing

PAGE = "/c/claims/review/near_duplicate/"


@pytest.fixture
def group(corpus: Corpus) -> Proposal:
    """A group of three versions in a corpus that is encoded."""
    made = reviewing.a_group(reviewing.a_finished_run(corpus, "near_duplicate"))
    encode_corpus(corpus=corpus, encoder="lsa")
    return made


def post(client: Client, proposal: Proposal, to: str, text: str, target: int = 1) -> str:
    """What the live checks answer for a text."""
    given = {"text": text, "locale": "en", "target": target}
    answer = client.post(f"{PAGE}{proposal.pk}/{to}/", given, headers={"HX-Request": "true"})
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


def shown(client: Client) -> str:
    return " ".join(client.get(PAGE).content.decode().split())


def wordings(proposal: Proposal) -> list[str]:
    assert proposal.group is not None
    return [member["query"] for member in proposal.group.facts["members"]]


def work() -> Job:
    """A worker does the one job that waits to rank versions."""
    job = Job.objects.get(kind="rank_versions", state=Job.State.QUEUED)
    tasks.work_on(job.pk)
    job.refresh_from_db()
    return job


def by_hand(corpus: Corpus, text: str) -> list[int]:
    """The rank of HD-A, HD-B and HD-C for a text, by scores alone."""
    space = EmbeddingSpace.objects.get(corpus=corpus, current=True)
    vectors, [query] = open_vectors(vectors_path(space)), encoded(space, [text])
    scores = dict(zip(vectors.ids, row_scores(vectors.matrix, query), strict=True))
    return [1 + sum(other > scores[name] for other in scores.values()) for name in sorted(reviewing.HAIL)]


def cells(page: str) -> list[str]:
    """What the column shows, version by version."""
    return [part.split(">", 1)[1].split("<", 1)[0] for part in page.split('id="rank-')[1:]]


def test_the_ranks_of_a_wording_are_those_of_exact_search_today(corpus: Corpus, lena: Client, group: Proposal) -> None:
    for number in range(5):
        reviewing.a_document(corpus, f"other-{number}", f"Glass cover {number} for hail, with a deductible in Austria.")
    encode_corpus(corpus=corpus, encoder="lsa")
    page = shown(lena)
    assert "Exact search has not ranked the versions for this wording yet." in page
    assert f'hx-post="{PAGE}{group.pk}/rank/" hx-trigger="load delay:1s"' in page
    text = wordings(group)[0]
    waiting = post(lena, group, "rank", text)
    assert "the ranks appear by themselves. No worker has answered yet." in waiting
    assert f'hx-post="{PAGE}{group.pk}/check/" hx-trigger="every 2s"' in waiting
    assert work().state == "done"
    expected = by_hand(corpus, text)
    page = post(lena, group, "check", text)
    assert cells(page) == [str(rank) for rank in expected]
    assert f"In exact search version 1 is at rank {expected[0]}" in page
    assert "hx-trigger" not in page
    assert cells(shown(lena))[:3] == [str(rank) for rank in by_hand(corpus, wordings(group)[0])]


def test_the_other_mined_wordings_are_ranked_with_it_and_a_new_one_is_asked_for(
    corpus: Corpus, lena: Client, group: Proposal
) -> None:
    post(lena, group, "rank", wordings(group)[0])
    work()
    for place, wording in enumerate(wordings(group), 1):
        assert cells(post(lena, group, "check", wording, place)) == [str(rank) for rank in by_hand(corpus, wording)]
    own = "vehicles garaged in Austria"
    assert cells(post(lena, group, "check", own, 3)) == ["", "", ""]
    post(lena, group, "rank", own, 3)
    post(lena, group, "rank", "hail in Austria", 3)
    work()
    assert cells(post(lena, group, "check", own, 3)) == [str(rank) for rank in by_hand(corpus, own)]
    assert "has not ranked the versions for this wording yet" in post(lena, group, "check", "hail in Austria", 3)
    post(lena, group, "rank", own, 3)
    assert Job.objects.filter(kind="rank_versions").count() == 2


def test_where_nothing_can_be_ranked_the_page_says_why_and_asks_for_nothing(corpus: Corpus, lena: Client) -> None:
    group = reviewing.a_group(reviewing.a_finished_run(corpus, "near_duplicate"))
    assert "Exact search has no ranks: this corpus has no vectors yet." in shown(lena)
    encode_corpus(corpus=corpus, encoder="lsa")
    EmbeddingSpace.objects.update(encoder="outside")
    page = post(lena, group, "rank", wordings(group)[0])
    assert "Exact search has no ranks: the vectors were made by outside outside Hardset" in page
    assert "hx-trigger" not in page
    EmbeddingSpace.objects.update(encoder="lsa")
    assert "hx-trigger" not in post(lena, group, "rank", " ")
    assert not Job.objects.exists()
    post(lena, group, "rank", "漢字")
    work()
    assert "The encoder cannot place this wording" in post(lena, group, "check", "漢字")


def test_ranks_of_other_vectors_are_forgotten_and_a_failure_is_told_and_not_repeated_by_itself(
    corpus: Corpus, lena: Client, group: Proposal
) -> None:
    text = wordings(group)[0]
    post(lena, group, "rank", text)
    work()
    space = EmbeddingSpace.objects.get()
    EmbeddingSpace.objects.update(sha256="0" * 64)
    assert cells(shown(lena)) == ["", "", ""]
    vectors_path(space).unlink()
    post(lena, group, "rank", text)
    assert work().state == "failed"
    page = post(lena, group, "check", text)
    assert "Exact search could not rank the versions: The vectors file" in page
    assert ">Ask again<" in page
    assert "hx-trigger" not in page


def test_no_version_costs_a_query_of_its_own(corpus: Corpus, lena: Client) -> None:
    run = reviewing.a_finished_run(corpus, "near_duplicate")
    more = {
        f"M-{year}": f"The fee is €{year} in {year}, from 1 May {year}, for all sheds." for year in range(2001, 2013)
    }
    small, large = reviewing.a_group(run), reviewing.a_group(run, more, title="Sheds")
    encode_corpus(corpus=corpus, encoder="lsa")
    asked = []
    for group in (small, large):
        post(lena, group, "rank", wordings(group)[0])
        work()
        with CaptureQueriesContext(connection) as captured:
            page = post(lena, group, "check", wordings(group)[0])
        assert "In exact search version 1 is at rank" in page
        asked.append(len(captured))
    assert asked[0] == asked[1]
