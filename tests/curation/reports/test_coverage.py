"""Coverage through its two doors: the command and the board."""

from __future__ import annotations

import csv
import io
import json
import re
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from curation.measures.targets import COUNT_TARGETS
from curation.models import Corpus, Qrel, Query
from tests import factories

pytestmark = pytest.mark.django_db


def words_of(page: str) -> str:
    """The page without its links."""
    return re.sub(r"</?a\b[^>]*>", "", page)


def ask(*words: str) -> dict[str, Any]:
    printed = io.StringIO()
    call_command("coverage", *words, "--json", stdout=printed)
    answer: dict[str, Any] = json.loads(printed.getvalue())
    return answer


@pytest.fixture
def corpus(db: None) -> Corpus:
    return factories.a_corpus()


@pytest.fixture
def turkish(corpus: Corpus) -> Corpus:
    """A Turkish of two populations: error strings at 0.62 and questions at 0.09 behind a pooled 0.15 or so."""
    questions = factories.judged_queries(factories.a_stratum(corpus, "tr en Latn-plain question distinctive"), 118)
    errors = factories.judged_queries(factories.a_stratum(corpus, "tr en Latn error_string distinctive"), 100)
    factories.a_run(corpus, questions[:11] + errors[:62], questions[11:] + errors[62:])
    return corpus


@pytest.mark.parametrize(("n", "use", "status"), [(29, "screen", "insufficient"), (30, "screen", "reported")])
def test_c62_thin_cell_shows_its_count_and_no_score(corpus: Corpus, n: int, use: str, status: str) -> None:
    queries = factories.judged_queries(factories.a_stratum(corpus), n)
    factories.a_run(corpus, queries, [])
    [cell] = ask("claims", "--use", use, "--run", "a-run")["cells"]
    assert (cell["n"], cell["status"]) == (n, status)
    assert (cell["score"] is None, cell["ci"] is None) == (status == "insufficient", status == "insufficient")


def test_the_split_shows_what_the_pooled_figure_hides(turkish: Corpus) -> None:
    pooled = ask("claims", "--run", "a-run")["cells"]
    split = ask("claims", "--run", "a-run", "--by", "query_language,query_type")["cells"]
    assert [round(cell["score"], 2) for cell in pooled] == [0.33]
    assert [(cell["query_type"], round(cell["score"], 2)) for cell in split] == [
        ("question", 0.09),
        ("error_string", 0.62),
    ]


def test_the_worst_cell_is_named_at_full_crossing_with_its_count_whatever_is_asked(turkish: Corpus) -> None:
    worst = ask("claims", "--run", "a-run", "--by", "query_language")["worst"]
    assert (worst["query_type"], worst["script"], worst["n"]) == ("question", "Latn-plain", 118)
    assert round(worst["score"], 2) == 0.09
    assert worst["ci_kind"] == "wilson"


def test_without_a_run_a_full_cell_is_unmeasured(turkish: Corpus) -> None:
    [cell] = ask("claims")["cells"]
    assert (cell["n"], cell["score"], cell["status"]) == (218, None, "unmeasured")


def test_a_query_missing_from_the_run_counts_as_not_found(corpus: Corpus) -> None:
    queries = factories.judged_queries(factories.a_stratum(corpus), 40)
    factories.a_run(corpus, queries[:30], [])
    [cell] = ask("claims", "--run", "a-run", "--use", "screen")["cells"]
    assert (cell["n"], cell["score"]) == (40, 0.75)


def test_no_answer_and_derived_and_ready_are_in_no_n(corpus: Corpus) -> None:
    stratum = factories.a_stratum(corpus)
    factories.judged_queries(stratum, 3)
    factories.judged_queries(stratum, 2, grade=1)
    factories.judged_queries(stratum, 4, source="derived")
    factories.a_query(stratum)
    [cell] = ask("claims")["cells"]
    assert (cell["n"], cell["no_answer"], cell["ready"]) == (3, 2, 1)


def test_retired_queries_leave_the_board(corpus: Corpus) -> None:
    [query] = factories.judged_queries(factories.a_stratum(corpus), 1)
    Query.objects.filter(pk=query.pk).update(status="retired", retired_reason="asked twice")
    assert ask("claims")["cells"] == []


def test_a_planned_stratum_without_queries_is_shown_with_nought(corpus: Corpus) -> None:
    factories.a_stratum(corpus, planned=120)
    [cell] = ask("claims")["cells"]
    assert (cell["n"], cell["status"]) == (0, "insufficient")


def test_the_headline_hides_a_locale_of_two_per_cent_and_says_so(corpus: Corpus) -> None:
    english = factories.judged_queries(factories.a_stratum(corpus, "en en Latn question distinctive"), 100)
    turkish = factories.judged_queries(factories.a_stratum(corpus), 100)
    factories.a_run(corpus, english[:87] + turkish[:15], english[87:] + turkish[15:])
    factories.some_traffic(corpus, en=0.98, tr=0.02)
    headline = ask("claims", "--run", "a-run")["headline"]
    assert headline["weighted"] == pytest.approx(0.98 * 0.87 + 0.02 * 0.15)
    assert (headline["lowest"], headline["lowest_score"]) == ("tr", 0.15)
    assert headline["macro"] == pytest.approx(0.51)


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["nowhere"], "There is no corpus nowhere. Known: "),
        (["claims", "--by", "colour"], "No dimension is called colour"),
        (["claims", "--only", "script"], "--only script is not of the form left=right."),
        (["claims", "--only", "script=Latn", "--only", "script=Arab"], "--only names script twice."),
        (["claims", "--by", ","], "A dimension has no name: the dimensions are query_language"),
        (["claims", "--only", "script=nope"], "No script is called nope: the corpus has Latn, Latn-plain."),
        (["claims", "--only", "script="], "No script goes without a name"),
        (["claims", "--only", "query_language=tr-TR"], "No query language is called tr-TR: the corpus has tr."),
        (["claims", "--run", "a-run", "--beside", "a-run"], "Run a-run stands beside itself"),
        (["claims", "--run", "other"], "no run called other"),
        (["claims", "--run", "a-run", "--k", "11"], "holds the first 10 documents"),
        (["claims", "--k", "0"], "at least 1"),
        (["claims", "--k", "99999999999999999999"], "at most 10,000"),
        (["claims", "--k", "99999999999999999999", "--run", "exact"], "at most 10,000"),
        (["claims", "--by", "slice,slice"], "named twice"),
        (["claims", "--run", "exact"], "has no vectors yet"),
    ],
)
def test_a_question_that_cannot_be_answered_ends_with_one_sentence(
    turkish: Corpus, words: list[str], reason: str
) -> None:
    with pytest.raises(CommandError, match=reason) as ended:
        ask(*words)
    assert ended.value.returncode == 2
    assert "\n" not in str(ended.value)


@pytest.fixture
def lead(turkish: Corpus, client: Client) -> Client:
    client.force_login(factories.lena(turkish))
    return client


def test_the_page_and_its_exports_give_the_commands_figures(lead: Client) -> None:
    told = ask("claims", "--run", "a-run")
    assert lead.get("/c/claims/coverage/export", {"run": "a-run"}).json() == told
    [row] = csv.DictReader(
        io.StringIO(lead.get("/c/claims/coverage/export", {"run": "a-run", "format": "csv"}).content.decode())
    )
    assert float(row["score"]) == told["cells"][0]["score"]
    page = lead.get("/c/claims/coverage/", {"run": "a-run"}).content.decode()
    assert "0.09 <small>0.05–0.16, n = 118</small>" in words_of(page)
    assert "Turkish × English, Latin without diacritics, question, distinctive" in page


def test_the_matrix_shows_a_thin_cell_without_a_score(lead: Client, turkish: Corpus) -> None:
    factories.judged_queries(factories.a_stratum(turkish, "de en Latn question distinctive"), 12)
    page = lead.get("/c/claims/coverage/", {"run": "a-run"}).content.decode()
    assert "German queries, English documents: 12 counted, count only" in page


def test_slice_counts_sum_to_the_total(lead: Client, turkish: Corpus) -> None:
    factories.judged_queries(factories.a_stratum(turkish, "tr en Latn question near_duplicate"), 5)
    page = lead.get("/c/claims/coverage/").content.decode()
    assert "distinctive 218 + near_duplicate 5 = 223" in words_of(page)


@pytest.mark.parametrize(
    "asked",
    [
        {"use": "nonsense"},
        {"by": "colour"},
        {"by": "slice,slice"},
        {"k": "x"},
        {"k": "9" * 25},
        {"cell": "a"},
        {"script": "Mars"},
        {"run": "none"},
    ],
)
def test_a_mistyped_address_is_no_server_error(lead: Client, asked: dict[str, str]) -> None:
    assert lead.get("/c/claims/coverage/", asked).status_code in {200, 400, 404}
    assert lead.get("/c/claims/coverage/export", asked).status_code in {200, 400, 404}


def test_the_board_asks_as_many_queries_for_many_strata_as_for_few(
    lead: Client, turkish: Corpus, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for locale in ("de", "fr", "ja", "ar", "th", "es", "it"):
        for query_type in ("question", "navigational"):
            stratum = factories.a_stratum(turkish, f"{locale} en Latn {query_type} distinctive")
            factories.judged_queries(stratum, 2)
    factories.a_run(turkish, [*Query.objects.all()], [], name="whole")
    factories.judged_queries(stratum, 1)  # missing from the run, which costs a query
    writing = turkish.memberships.get(role="lead").user
    turkish.memberships.create(user=writing, role="writer", languages=["tr"])  # Write counts at a price of its own
    lead.get("/c/claims/coverage/")
    with django_assert_max_num_queries(10):
        lead.get("/c/claims/coverage/", {"run": "whole", "cell": "tr,en"})


def test_queries_missing_from_the_run_are_listed_on_the_page_and_in_the_json(lead: Client, turkish: Corpus) -> None:
    [missing] = factories.judged_queries(factories.a_stratum(turkish), 1)
    assert ask("claims", "--run", "a-run")["missing"] == [missing.external_id]
    page = lead.get("/c/claims/coverage/", {"run": "a-run"}).content.decode()
    assert "1 counted query is not in this run and scores 0:" in page
    assert missing.external_id in page


def test_the_board_offers_scripts_in_words(turkish: Corpus, client: Client) -> None:
    client.force_login(factories.lena(turkish))
    assert (
        '<option value="Latn-plain">Latin without diacritics</option>'
        in client.get("/c/claims/coverage/").content.decode()
    )


def test_c62_page_export_and_command_hold_the_same_cells_for_every_count(corpus: Corpus, cases: Path) -> None:
    with (cases / "c62-cells.csv").open(encoding="utf-8", newline="") as file:
        counts = [(int(row["hits"]), int(row["judged"])) for row in csv.DictReader(file)]
    found: list[Query] = []
    missed: list[Query] = []
    for (hits, n), locale in zip(counts, ("tr", "de", "fr", "es", "it", "nl", "pl", "cs"), strict=True):
        queries = factories.judged_queries(
            factories.a_stratum(corpus, f"{locale} en Latn question distinctive", planned=9), n
        )
        found, missed = found + queries[:hits], missed + queries[hits:]
    factories.a_run(corpus, found, missed)
    lead = Client()
    lead.force_login(factories.lena(corpus))
    for use, target in COUNT_TARGETS.items():
        told = ask("claims", "--use", use, "--run", "a-run", "--by", "query_language,corpus_language")
        assert sorted(cell["n"] for cell in told["cells"]) == sorted(n for _, n in counts)
        assert {cell["n"] for cell in told["cells"] if cell["score"] is not None} == {
            n for _, n in counts if n >= target
        }
        address = f"/c/claims/coverage/export?run=a-run&use={use}"
        answer = lead.get(address)
        assert json.loads(answer.content, parse_constant=pytest.fail) == told
        rows = list(csv.DictReader(lead.get(f"{address}&format=csv").content.decode().splitlines()))
        assert [(row["n"], row["score"]) for row in rows] == [
            (str(cell["n"]), "" if cell["score"] is None else str(cell["score"])) for cell in told["cells"]
        ]
        page = lead.get(f"/c/claims/coverage/?run=a-run&use={use}").content.decode()
        assert ">nan" not in page.lower()
        assert "-0.00" not in page


def test_a_score_over_shallow_pools_says_that_it_is_a_lower_bound(lead: Client) -> None:
    page = lead.get("/c/claims/coverage/", {"run": "a-run", "cell": "tr,en"}).content.decode()
    bound = '<span aria-hidden="true">≥\N{NO-BREAK SPACE}</span><span class="sr">at least </span>'
    assert f'<p class="v">{bound}0.09 <small>' in page
    assert f'<p class="v">{bound}0.33 <small>Turkish' in page
    assert "218 counted, hit@10 at least 0.33, interval 0.28–0.40, a lower bound" in page
    assert f"Pooled {bound}0.33 hides two populations: Latin without diacritics, question at 0.09" in page
    assert "118 judged pairs: 1.0 a query, positives 1.0, 118 shallow." in words_of(page)
    assert lead.get("/c/claims/coverage/export", {"run": "a-run"}).json()["headline"]["lower_bounds"] == ["tr"]


def test_a_score_over_deep_pools_is_no_lower_bound(lead: Client) -> None:
    Qrel.objects.update(judged_depth=50)
    page = lead.get("/c/claims/coverage/", {"run": "a-run", "cell": "tr,en"}).content.decode()
    assert '<p class="v">0.09 <small>' in page
    assert '218 counted, hit@10 0.33, interval 0.28–0.40"' in page
    assert page.count("at least") == 1, "the legend alone"
    assert "5,900 judged pairs: 50.0 a query, positives 1.0." in page
    assert lead.get("/c/claims/coverage/export", {"run": "a-run"}).json()["headline"]["lower_bounds"] == []


def test_a_thin_cell_tells_its_depth_and_no_score(lead: Client, turkish: Corpus) -> None:
    factories.judged_queries(factories.a_stratum(turkish, "de en Latn question distinctive"), 12)
    page = lead.get("/c/claims/coverage/", {"run": "a-run", "cell": "de,en"}).content.decode()
    assert "German queries, English documents: 12 counted, count only" in page
    assert "12 judged pairs: 1.0 a query, positives 1.0, 12 shallow." in words_of(page)
    for href in re.findall(r'<a href="([^"]+)">12 shallow</a>', page):
        assert lead.get(unescape(href)).context["page"].paginator.count == 12
    assert "Pooled" not in page


def test_the_printed_table_shows_depth_and_lower_bounds(turkish: Corpus) -> None:
    def told() -> str:
        printed = io.StringIO()
        call_command("coverage", "claims", "--run", "a-run", stdout=printed)
        return printed.getvalue()

    shallow = told()
    assert "answer gone  text changed  judged depth  positives" in shallow
    assert "1.0           1.0        ≥ 0.335 (" in shallow
    assert "Lowest locale: tr ≥ 0.335" in shallow
    assert "≥: a lower bound" in shallow
    Qrel.objects.update(judged_depth=50)
    assert "≥" not in told()
