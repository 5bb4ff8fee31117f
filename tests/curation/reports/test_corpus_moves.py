"""Documents go and texts change: grades stay, and the counts say what they rest on."""

from __future__ import annotations

import json
import re
from html import unescape
from importlib import import_module
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.core.management import call_command
from django.test import Client

from curation.actions.qrels import settle_golds_again
from curation.models import Corpus, Document, Qrel, Query, QueryScore
from tests import factories
from tests.bringing import bring, run, written

pytestmark = pytest.mark.django_db

V1, V2 = "c19-corpus-v1.jsonl", "c19-corpus-v2.jsonl"


def judged(folder: Path, cases: Path, *rows: str) -> Corpus:
    """The first version of the corpus with q1, judged as the rows say ("d1 2")."""
    bring("import_corpus", "claims", cases / V1)
    bring("import_queries", "claims", written(folder, "q.jsonl", {"id": "q1", "text": "soru", "locale": "tr"}))
    lines = [
        {"query_id": "q1", "doc_id": row.split()[0], "grade": int(row.split()[1]), "judge": "ayse"} for row in rows
    ]
    assert bring("import_judgments", "claims", written(folder, "j.jsonl", *lines)).code == 0
    return Corpus.objects.get(slug="claims")


def cell() -> dict[str, Any]:
    [found] = json.loads(run("coverage", "claims", "--json")[1])["cells"]
    return dict(found)


def test_c19_a_changed_answer_counts_and_the_cell_says_so(tmp_path: Path, cases: Path) -> None:
    judged(tmp_path, cases, "d1 2", "d2 1", "d3 3")
    assert (cell()["n"], cell()["on_changed_text"]) == (1, 0)
    bring("import_corpus", "claims", cases / V2, "--whole")
    assert (cell()["n"], cell()["on_changed_text"], cell()["positives"]) == (1, 1, 2.0)
    bring("import_corpus", "claims", cases / V1)
    assert cell()["on_changed_text"] == 0


def test_c19_a_query_whose_only_answer_is_gone_leaves_the_counts_and_comes_back(tmp_path: Path, cases: Path) -> None:
    judged(tmp_path, cases, "d1 0", "d2 3")
    bring("import_corpus", "claims", cases / V2, "--whole")
    assert (cell()["n"], cell()["no_answer"], cell()["answer_gone"]) == (0, 0, 1)
    assert Qrel.objects.count() == 2
    assert Query.objects.get().gold_canonical_id == "d2"
    bring("import_corpus", "claims", cases / V1)
    assert (cell()["n"], cell()["answer_gone"]) == (1, 0)


def test_c19_a_gold_that_is_gone_gives_way_to_an_answer_that_stands(tmp_path: Path, cases: Path) -> None:
    corpus = judged(tmp_path, cases, "d1 2", "d2 3")
    query = Query.objects.get()
    made = factories.a_run(corpus, [], [query])
    made.scores.update(hits=["d1"])
    assert query.gold_canonical_id == "d2"
    bring("import_corpus", "claims", cases / V2, "--whole")
    query.refresh_from_db()
    assert (query.gold_canonical_id, made.scores.get().gold_rank) == ("d1", 1)


def test_a_run_finds_its_gold_by_the_documents_that_render_it_now(tmp_path: Path) -> None:
    """As a gate reads it: what is gone, or renders another article by now, keeps its place and answers nothing."""

    def bring_documents(**articles: str) -> None:
        rows = ({"id": name, "canonical_id": article, "text": name} for name, article in articles.items())
        assert bring("import_corpus", "claims", written(tmp_path, "d.jsonl", *rows), "--whole").code == 0

    bring_documents(first="hail", second="hail", third="storm")
    row = {"id": "q1", "text": "dolu", "locale": "tr", "gold_canonical_id": "hail"}
    bring("import_queries", "claims", written(tmp_path, "q.jsonl", row))
    lines = [f"q1 Q0 {name} {rank} {1 / rank} x" for rank, name in enumerate(("first", "third", "second"), 1)]
    bring("import_run", "claims", written(tmp_path, "r.run", *lines), "--name", "bm25")
    ranks = [QueryScore.objects.get().gold_rank]
    for articles in (
        {"second": "hail", "third": "storm"},
        {"second": "storm", "third": "hail"},
        {"fourth": "hail"},
        {"first": "hail", "second": "hail", "third": "storm"},
    ):
        bring_documents(**articles)
        ranks.append(QueryScore.objects.get().gold_rank)
    assert ranks == [1, 3, 2, None, 1]
    Document.objects.filter(external_id="first").update(gone_at="2026-01-01T00:00Z")
    import_module("curation.migrations.0025_gold_ranks").rank_again(apps, None)
    assert QueryScore.objects.get().gold_rank == 3  # as in an installation that counted what is gone


def test_an_article_stands_while_one_of_its_renderings_does() -> None:
    corpus = factories.a_corpus()
    [query] = factories.judged_queries(factories.a_stratum(corpus), 1)
    for language in ("en", "tr"):
        Document.objects.create(
            corpus=corpus, external_id=language, canonical_id=query.gold_canonical_id, language=language
        )
    Document.objects.filter(language="en").update(gone_at="2026-01-01T00:00Z")
    assert cell()["n"] == 1
    Document.objects.update(gone_at="2026-01-01T00:00Z")
    settle_golds_again(corpus=corpus, now=query.created_at)
    assert (cell()["n"], cell()["answer_gone"]) == (0, 1)


def test_the_list_of_queries_names_those_whose_answer_is_gone(tmp_path: Path, cases: Path, client: Any) -> None:
    corpus = judged(tmp_path, cases, "d2 3")
    bring("import_corpus", "claims", cases / V2, "--whole")
    client.force_login(factories.lena(corpus))
    page = client.get("/c/claims/queries/", {"status": "answer_gone"}).content.decode()
    assert "1 query under these filters" in page


def test_the_depth_of_imported_grades_is_their_number_and_of_a_pool_what_was_seen() -> None:
    corpus = factories.a_corpus()
    first, second = factories.judged_queries(factories.a_stratum(corpus), 2)
    Qrel.objects.create(query=first, canonical_id="x", grade=0, source="imported")
    Qrel.objects.filter(query=second).update(judged_depth=50)
    found = cell()
    assert (found["judged_depth"], found["positives"]) == (26.0, 1.0)
    assert (found["shallow"], found["lower_bound"]) == (1, True)
    told = [json.loads(depths(corpus, "--json")), depths(corpus)]
    assert [(each["query_id"], each["judged_depth"], each["lower_bound"]) for each in told[0]] == [
        (first.external_id, 2.0, True),
        (second.external_id, 50.0, False),
    ]
    assert [line.endswith("≥") for line in told[1].splitlines()[1:3]] == [True, False]


def depths(corpus: Corpus, *words: str) -> str:
    """What the command tells of each query."""
    printed = StringIO()
    call_command("coverage", corpus.slug, "--queries", *words, stdout=printed)
    return printed.getvalue()


def test_a_corpus_of_fewer_documents_than_a_pool_is_deep_when_all_are_judged(tmp_path: Path, cases: Path) -> None:
    judged(tmp_path, cases, "d1 2", "d2 0")
    assert (cell()["judged_depth"], cell()["lower_bound"]) == (2.0, True)
    bring(
        "import_judgments",
        "claims",
        written(tmp_path, "more.jsonl", {"query_id": "q1", "doc_id": "d3", "grade": 0, "judge": "ayse"}),
    )
    assert (cell()["judged_depth"], cell()["lower_bound"]) == (3.0, False)


def behind(client: Client, page: str, count: str) -> list[list[Query]]:
    """The queries that each link with these words opens."""
    links = re.findall(rf'<a href="([^"]+)">{count}</a>', page)
    return [list(client.get(unescape(href)).context["page"]) for href in links]


def test_the_board_and_the_queries_tell_of_changed_texts_and_answers_gone(
    tmp_path: Path, cases: Path, client: Client
) -> None:
    corpus = judged(tmp_path, cases, "d2 1", "d3 2")
    client.force_login(factories.lena(corpus))
    bring("import_corpus", "claims", cases / V2, "--whole")
    query = Query.objects.get()
    place = f"{query.stratum.query_language},{query.stratum.corpus_language}"
    pages = (f"/c/claims/coverage/?cell={place}", "/c/claims/queries/", f"/c/claims/queries/{query.pk}/")
    told = [client.get(page).content.decode() for page in pages]
    assert behind(client, told[0], "1 rests on a changed text") == [[query]] * 2, "of the cell and of its part"
    assert [("2 judged, 1 positive" in page, "Text changed" in page) for page in told[1:]] == [(True, True)] * 2
    assert "lower bound</span>" in told[1]
    assert "Fewer than 50 documents were judged, so recall is a lower bound." in told[2]
    Qrel.objects.filter(canonical_id="d3").update(grade=0)
    Qrel.objects.filter(canonical_id="d2").update(grade=3)
    told = [client.get(page).content.decode() for page in pages]
    assert behind(client, told[0], "1 answer gone") == [[query]] * 2, "of the cell and of its part"
    assert ['<span class="tag warn">Answer gone</span>' in page for page in told[1:]] == [True, True]
