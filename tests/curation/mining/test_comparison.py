"""One generation against another, through `manage.py generations`."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.models import Value
from django.db.models.functions import Concat
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from curation.actions import proposals
from curation.models import Corpus, Generation, HardNegative, LogQuery, Miner, MiningRun, Proposal, Query, RankedRun
from curation.reports.comparison import compare
from curation.reports.proposals import current_proposals
from tests import factories
from tests.bringing import bring, run, written
from tests.curation.mining.claims import DOCUMENTS, HAIL, bring_claims, document, mine, next_generation

pytestmark = pytest.mark.django_db


def told(*words: object) -> Any:
    code, out = run("generations", "claims", *words, "--json")
    assert code == 0, out
    return json.loads(out)


def compared() -> Any:
    return told("--compare", 1, 2)


@pytest.fixture
def claims(tmp_path: Path) -> Corpus:
    return bring_claims(tmp_path)


def test_each_family_tells_what_is_new_carried_and_dropped(claims: Corpus) -> None:
    mine("short_keyword", "near_duplicate", "hard_negative")
    next_generation(claims)
    claims.log_queries.filter(locale="de").delete()
    claims.log_queries.filter(locale="en").update(text="broken window")
    mine("short_keyword", "near_duplicate")
    families = {each.pop("miner"): each for each in compared()["families"]}
    assert families["short_keyword"] == {"older": 2, "newer": 2, "new": 1, "carried": 1, "changed": None, "dropped": 1}
    assert families["near_duplicate"] == {"older": 2, "newer": 2, "new": 0, "carried": 2, "changed": 0, "dropped": 0}
    unknown = dict.fromkeys(("older", "newer", "new", "carried", "changed", "dropped"))
    assert families["hard_negative"] == {**unknown, "older": 5}
    assert families["rare_entity"] == unknown


def test_a_group_that_shares_most_of_its_members_with_an_earlier_one_has_grown_and_is_not_new(
    claims: Corpus, tmp_path: Path
) -> None:
    """Of hail-a to hail-c a fourth edition makes four; theft-1 and theft-2 are parted, and cargo has a sister."""
    mine("near_duplicate")
    next_generation(claims)
    fourth = document("hail-d", HAIL, DOCUMENTS[2]["text"].replace("900", "950"), [1.0, 0.05, 0.0, 0.0])
    sister = {**DOCUMENTS[-1], "id": "cargo-2", "text": DOCUMENTS[-1]["text"].replace("insured", "covered")}
    parted = {**DOCUMENTS[5], "vector": [0.0, 1.0, 0.0, 0.0]}
    rows = [*DOCUMENTS[:5], parted, *DOCUMENTS[6:], fourth, sister]
    file = written(tmp_path, "grown.jsonl", *rows)
    assert run("import_corpus", "claims", file, "--vectors", file, "--encoder-name", "outside")[0] == 0
    [before] = current_proposals(claims)
    lead = factories.lena(claims)
    proposals.reject(corpus=claims, proposal=before, reason="facts misread", reviewer=lead, now=timezone.now())
    mine("near_duplicate")
    families = {each.pop("miner"): each for each in compared()["families"]}
    assert families["near_duplicate"] == {"older": 2, "newer": 2, "new": 1, "carried": 0, "changed": 1, "dropped": 1}
    client = Client()
    client.force_login(lead)
    page = " ".join(client.get("/c/claims/review/near_duplicate/").content.decode().split())
    assert "Grown by 1 since generation 1: hail-d joined. The verdict then: " in page
    assert "rejected this on" in page
    assert "facts misread" in page
    assert '<th scope="col" class="num">Changed</th>' in client.get("/c/claims/mining/generations/2/").content.decode()


def test_negatives_tell_what_the_index_of_now_still_confuses(claims: Corpus, tmp_path: Path) -> None:
    """Generation 1 mines exact search; generation 2 an index that has learnt to leave all but one of them out."""
    mine("hard_negative")
    old = set(HardNegative.objects.values_list("canonical_id", flat=True))
    assert old == {"hail-b", "hail-c", "cargo", "theft-1", "theft-2"}
    answers = [f"q2 Q0 {name} 1 {score} bm25" for name, score in (("hail-b", 9), ("hail-a", 8), ("hail-a-de", 7))]
    path = written(tmp_path, "bm25.run", *answers)
    assert bring("import_run", "claims", path, "--name", "bm25", "--production").code == 0
    mine("hard_negative")
    report = compared()
    both = {each["slice"]: each for each in report["hardness"]}
    assert both.keys() == {"distinctive", "all"}
    assert both["all"]["decay"] == {"queries": 1, "negatives": 5, "relevant": 0, "still": 1, "share": None}
    assert both["all"]["older"]["n"] == 1
    assert both["all"]["older"]["median"] > 0  # exact search ranks hail-a first
    assert both["all"]["newer"] == {"n": 1, "mean": -1.0, "median": -1.0, "unranked": 0}
    assert report["same_scale"] is False
    assert "different scales" in run("generations", "claims", "--compare", 1, 2)[1]


def test_a_run_against_the_same_index_decays_by_nothing(claims: Corpus) -> None:
    mine("hard_negative")
    next_generation(claims)
    mine("hard_negative")
    report = compared()
    [everything] = [each for each in report["hardness"] if each["slice"] == "all"]
    assert everything["decay"] == {"queries": 1, "negatives": 5, "relevant": 0, "still": 5, "share": None}
    assert everything["older"] == everything["newer"]
    assert report["same_scale"] is True
    assert report["older"]["index_fingerprint"] == report["newer"]["index_fingerprint"] != ""


def scored(corpus: Corpus, found: list[Query], missed: list[Query]) -> RankedRun:
    """The run of exact search over the corpus's own vectors."""
    exact = factories.a_run(corpus, found, missed, name="exact")
    exact.embedding_space = corpus.embedding_spaces.get(current=True)
    exact.save(update_fields=["embedding_space"])
    return exact


def keywords_kept(corpus: Corpus, finished: MiningRun, count: int) -> list[Query]:
    """Judged keyword queries made of as many proposals of a finished run."""
    queries = factories.judged_queries(factories.a_stratum(corpus, "tr en Latn question keyword"), count)
    for query in queries:
        query.proposal = Proposal.objects.create(
            run=finished, fingerprint=f"of {query.pk}", rank=query.pk, locale="tr", text=query.text, status="accepted"
        )
    Query.objects.bulk_update(queries, ["proposal"])
    return queries


@pytest.fixture
def two(claims: Corpus) -> tuple[MiningRun, MiningRun]:
    """A finished keyword run in each of two generations; the corpus's own queries make room for the factory's ids."""
    now = timezone.now()
    claims.queries.update(external_id=Concat(Value("claims-"), "external_id"))
    mine("short_keyword")
    second = next_generation(claims)
    newer = MiningRun.objects.create(generation=second, miner="short_keyword", state="done", created_at=now)
    return MiningRun.objects.get(generation__number=1), newer


def test_a_slice_is_scored_on_the_queries_that_each_generation_found(
    claims: Corpus, two: tuple[MiningRun, MiningRun]
) -> None:
    """30 of 40 found among those of the first, 10 of 40 among those of the second; 5 of the first are carried over."""
    first, second = (keywords_kept(claims, finished, count) for finished, count in zip(two, (40, 35), strict=True))
    carried = first[:5]
    Proposal.objects.bulk_create(
        Proposal(run=two[1], fingerprint=f"of {query.pk}", rank=query.pk, locale="tr", text=query.text)
        for query in carried
    )
    scored(claims, [*first[:30], *second[:5]], [*first[30:], *second[5:]])
    report = compared()
    assert report["baseline"]["measure"] == "hit@10"
    slices = {each["slice"]: each for each in report["slices"]}
    keyword = slices["keyword"]
    assert (keyword["older"]["n"], keyword["older"]["score"]) == (40, 0.75)
    assert (keyword["newer"]["n"], keyword["newer"]["score"]) == (40, 0.25)
    assert keyword["shift"]["value"] == -0.5
    assert keyword["shift"]["verdict"] == "lower"
    assert slices["near_duplicate"]["older"] == {"n": 0, "status": "insufficient", "score": None, "ci": None}


def test_a_slice_under_thirty_queries_shows_its_count_and_no_score(
    claims: Corpus, two: tuple[MiningRun, MiningRun]
) -> None:
    first, second = (keywords_kept(claims, finished, count) for finished, count in zip(two, (29, 30), strict=True))
    scored(claims, [*first, *second], [])
    keyword = next(each for each in compared()["slices"] if each["slice"] == "keyword")
    assert (keyword["older"]["n"], keyword["older"]["score"], keyword["shift"]) == (29, None, None)
    assert (keyword["newer"]["n"], keyword["newer"]["score"]) == (30, 1.0)
    assert "n = 29, insufficient" in run("generations", "claims", "--compare", 1, 2)[1]


def test_a_query_that_was_not_mined_is_in_every_generation_open_when_it_was_made_or_later(
    claims: Corpus, two: tuple[MiningRun, MiningRun]
) -> None:
    early, late = (factories.judged_queries(factories.a_stratum(claims), count) for count in (31, 2))
    Query.objects.filter(pk__in=[query.pk for query in early]).update(created_at=datetime(2020, 1, 1, tzinfo=UTC))
    Query.objects.filter(pk__in=[query.pk for query in late]).update(created_at=timezone.now() + timedelta(days=1))
    scored(claims, early, late)
    distinctive = next(each for each in compared()["slices"] if each["slice"] == "distinctive")
    assert distinctive["newer"]["n"] - distinctive["older"]["n"] == 2
    assert distinctive["older"]["n"] >= 31


def test_without_exact_search_there_are_counts_alone(claims: Corpus, two: tuple[MiningRun, MiningRun]) -> None:
    keywords_kept(claims, two[0], 30)
    keyword = next(each for each in compared()["slices"] if each["slice"] == "keyword")
    assert (keyword["older"]["status"], keyword["older"]["score"]) == ("unmeasured", None)


def test_the_note_says_that_absolute_floors_do_not_compare(claims: Corpus) -> None:
    mine("short_keyword")
    next_generation(claims)
    note = "Absolute floors are not comparable across generations"
    assert note in compared()["note"]
    assert note in run("generations", "claims", "--compare", 1, 2)[1]


def test_generations_are_listed_with_the_partition(claims: Corpus) -> None:
    mine("short_keyword")
    next_generation(claims)
    listed = told()
    assert [each["number"] for each in listed["generations"]] == [2, 1]
    assert listed["partition"] == {
        "distinctive": 2, "near_duplicate": 0, "rare_entity": 0, "keyword": 0, "queries": 2, "astray": 0,
    }  # fmt: skip
    words = run("generations", "claims")[1]
    assert "distinctive 2 + near_duplicate 0 + rare_entity 0 + keyword 0 = 2, all 2 queries" in words


@pytest.mark.parametrize(
    ("pair", "reason"), [((2, 1), "name the older one first"), ((1, 7), "claims has no generation 7")]
)
def test_a_comparison_that_cannot_be_made_is_refused_in_words(
    claims: Corpus, pair: tuple[int, int], reason: str
) -> None:
    mine("short_keyword")
    next_generation(claims)
    with pytest.raises(CommandError, match=reason):
        call_command("generations", "claims", compare=pair)


def test_a_comparison_costs_the_same_queries_however_much_was_mined(claims: Corpus) -> None:
    mine(*Miner)
    next_generation(claims)
    first, second = Generation.objects.select_related("index__corpus").order_by("number")
    counts = []
    for more in range(2):
        LogQuery.objects.create(corpus=claims, text=f"glass {more}", locale="en", sha256=f"more {more}")
        mine(*Miner)
        with CaptureQueriesContext(connection) as asked:
            compare(first, second)
        counts.append(len(asked))
    assert counts == [15, 15]
