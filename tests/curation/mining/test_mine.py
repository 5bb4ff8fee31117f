"""`manage.py mine`: each family's run, twice the same, its verdicts kept."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, cast

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from curation import tasks
from curation.actions import generations, jobs, mining
from curation.actions.families import short_keyword
from curation.actions.families.found import Found
from curation.actions.families.telling import Tell
from curation.actions.holds import Held
from curation.models import (
    Corpus,
    CorpusLocale,
    EmbeddingSpace,
    Generation,
    HardNegative,
    Job,
    LogQuery,
    Miner,
    MiningRun,
    NearDuplicateGroup,
    Proposal,
    Qrel,
    QueryVector,
    WorkerSign,
)
from curation.reports.proposals import current_proposals
from tests import factories
from tests.bringing import bring, run, written
from tests.curation.mining.claims import bring_claims, bring_query_vectors, document, lines_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def claims(tmp_path: Path) -> Corpus:
    return bring_claims(tmp_path)


def mined(miner: str) -> dict[str, Any]:
    code, out = run("mine", "claims", "--miner", miner, "--wait", "--json")
    assert code == 0, out
    told: dict[str, Any] = json.loads(out)
    return told


def exported(miner: str, folder: Path, *words: object) -> list[dict[str, Any]]:
    run("export_proposals", "claims", "--miner", miner, "--out", folder / "out.jsonl", *words)
    return lines_in(folder / "out.jsonl")


def test_near_duplicate_groups_are_stored_and_those_that_differ_in_a_fact_wait_for_review(
    claims: Corpus, tmp_path: Path
) -> None:
    told = mined("near_duplicate")
    assert (told["state"], told["generation"]) == ("done", 1)
    figures = {name: told["summary"][name] for name in ("found", "proposed", "set_aside", "largest")}
    assert figures == {"found": 2, "proposed": 1, "set_aside": 1, "largest": 3}
    hail, theft = exported("near_duplicate", tmp_path)
    assert (hail["members"], theft["members"]) == (["hail-a", "hail-b", "hail-c"], ["theft-1", "theft-2"])
    assert {"date", "amount", "jurisdiction"} <= set(hail["differs_in"])
    assert (hail["set_aside"], theft["set_aside"]) == (False, True)
    assert 0.99 < hail["min_cosine"] < 1
    assert list(hail["facts"]) == hail["members"]
    amounts = [hail["facts"][name]["amount"] for name in hail["members"]]
    assert amounts == [["€500"], ["€750"], ["€900"]]
    assert hail["declared_only"] == {"hail-a": {}, "hail-b": {}, "hail-c": {}}
    proposal = Proposal.objects.get()
    assert (proposal.text, proposal.locale, proposal.status) == ("Hail deductible, motor fleet", "en", "pending")
    assert proposal.group is not None
    assert proposal.group.key == hail["group"]


def test_a_date_that_only_its_field_knows_is_exported_apart_from_the_facts(tmp_path: Path) -> None:
    rows = [
        document("a", "Sanctions clause", "We pay nothing.", [1.0, 0.02], effective_date="2023-01-01"),
        document("b", "Sanctions clause", "We Pay nothing.", [1.0, 0.03], effective_date="2024-01-01"),
    ]
    bring("import_corpus", "claims", written(tmp_path, "corpus.jsonl", *rows))
    mined("near_duplicate")
    [line] = exported("near_duplicate", tmp_path)
    assert (line["differs_in"], line["set_aside"]) == (["formatting"], True)
    assert line["facts"] == {"a": {}, "b": {}}
    assert line["declared_only"] == {"a": {"date": ["2023-01-01"]}, "b": {"date": ["2024-01-01"]}}


def test_what_was_mined_is_told_in_plain_words(claims: Corpus) -> None:
    LogQuery.objects.all().delete()
    said = run("mine", "claims", "--wait")[1]
    assert "Near-duplicate groups, done. 2 groups found, similarity from 0." in said
    assert "0 judged, 5 not judged, for 1 query. 1 query short of eight, 3 documents in all." in said
    assert "Keyword queries, done. The corpus has no search log, so there is nothing to draw from;" in said
    assert "astray" not in said


def test_hard_negatives_are_high_and_not_relevant_and_the_unjudged_ones_stand_apart(
    claims: Corpus, tmp_path: Path
) -> None:
    told = mined("hard_negative")
    assert told["summary"]["queries"] == 1
    assert told["summary"]["skipped"] == 1  # nothing is settled about q1
    assert (told["summary"]["found"], told["summary"]["judged"], told["summary"]["short_queries"]) == (5, 0, 1)
    [line] = exported("hard_negative", tmp_path)
    assert line == {
        "query_id": "q2",
        "positives": ["hail-a", "hail-a-de"],
        "negatives": [],
        "derived": [],
        "unjudged": ["hail-b", "hail-c", "cargo", "theft-1", "theft-2"],
        "generation": 1,
        "index": f"exact@{EmbeddingSpace.objects.get().sha256}",
        "depth": 20,
    }
    assert list(HardNegative.objects.order_by("pk").values_list("rank", flat=True)) == [3, 4, 5, 6, 7]


def test_the_run_says_what_it_found_what_it_lacks_and_what_every_retriever_ranks_high(
    claims: Corpus, tmp_path: Path
) -> None:
    answers = [f"q2 Q0 {name} 1 {score} old" for name, score in (("hail-c", 9), ("hail-a", 8), ("hail-b", 7))]
    assert bring("import_run", "claims", written(tmp_path, "old.run", *answers), "--name", "old").code == 0
    told = mined("hard_negative")["summary"]
    expected = {
        "found": 5,
        "judged": 0,
        "unjudged": 5,
        "agreed_by_all": 2,
        "queries": 1,
        "short_queries": 1,
        "missing_negatives": 3,
        "skipped": 1,
        "unknown_documents": 0,
        "carried_over": 0,
    }
    assert {name: told[name] for name in expected} == expected
    found = HardNegative.objects.filter(lowest_place__isnull=False).order_by("lowest_place")
    assert list(found.values_list("document__external_id", "rank", "places", "lowest_place")) == [
        ("hail-b", 3, {"old": 3}, 3),
        ("hail-c", 4, {"old": 1}, 4),
    ]
    assert MiningRun.objects.get().params["retrievers"] == ["exact", "old"]


def test_a_hard_negative_that_turns_out_relevant_is_not_exported_as_one(claims: Corpus, tmp_path: Path) -> None:
    mined("hard_negative")
    query = claims.queries.get(external_id="q2")
    for canonical_id, grade in (("hail-b", 0), ("hail-c", 3)):
        Qrel.objects.create(query=query, canonical_id=canonical_id, grade=grade, source="agreed")
    [line] = exported("hard_negative", tmp_path)
    assert (line["positives"], line["negatives"]) == (["hail-a", "hail-a-de", "hail-c"], ["hail-b"])
    assert line["unjudged"] == ["cargo", "theft-1", "theft-2"]


def test_c21_no_relevant_document_and_no_twin_of_one_is_mined_and_unjudged_ones_say_so(
    cases: Path, tmp_path: Path
) -> None:
    corpus = cases / "c21-corpus.jsonl"
    bring("import_corpus", "claims", corpus, "--vectors", corpus, "--encoder-name", "outside")
    query = json.loads((cases / "c21-query.json").read_bytes())
    file = written(tmp_path, "q.jsonl", {"query_id": query["id"], "text": query["text"], "locale": "en"})
    assert bring("import_queries", "claims", file).counts == (1, 1, 0, 0)
    assert bring("import_qrels", "claims", cases / "c21-judgments.tsv").code == 0
    bring_query_vectors(Corpus.objects.get(), {"q1": query["vector"]})
    mined("hard_negative")
    [line] = exported("hard_negative", tmp_path)
    assert (line["positives"], line["negatives"], line["unjudged"]) == (["d1", "d5"], ["d6"], ["d3", "d4"])
    assert dict(HardNegative.objects.values_list("document__external_id", "grade")) == {"d3": None, "d4": None, "d6": 0}


def test_short_keywords_come_from_the_log_and_are_counted_by_script(claims: Corpus, tmp_path: Path) -> None:
    told = mined("short_keyword")
    assert told["summary"]["found"] == 2
    assert told["summary"]["long"] == 1
    assert sum(told["summary"]["by_script"].values()) == 2
    assert exported("short_keyword", tmp_path) == [
        {"text": "hagel sb flotte", "locale": "de", "count": 214, "tokens": 3},
        {"text": "水濡れ 免責", "locale": "ja", "count": 132, "tokens": 3},
    ]


def test_a_log_without_languages_gets_hints_among_the_corpus_own_locales(claims: Corpus) -> None:
    LogQuery.objects.update(locale="")
    claims.locales.all().delete()
    CorpusLocale.objects.bulk_create(CorpusLocale(corpus=claims, locale=tag) for tag in ("en", "de", "ja"))
    mined("short_keyword")
    hints = {proposal.text: (proposal.locale, proposal.evidence["hint"]) for proposal in Proposal.objects.all()}
    assert hints == {"hagel sb flotte": ("und", "de"), "水濡れ 免責": ("und", "ja")}


def test_rare_terms_come_with_the_chunk_that_holds_them_and_a_draft_query(claims: Corpus, tmp_path: Path) -> None:
    told = mined("rare_entity")
    lines = {line["term"]: line for line in exported("rare_entity", tmp_path)}
    assert told["summary"]["proposed"] == len(lines)
    barratry = lines["barratry"]
    assert (barratry["df"], barratry["document"]) == (1, "cargo")
    assert "barratry" in barratry["text"]
    assert [line["rank"] for line in lines.values()] == list(range(1, len(lines) + 1))
    proposal = Proposal.objects.get(evidence__term="barratry")
    assert (proposal.text, proposal.locale) == (barratry["text"], "en")
    assert proposal.document is not None
    assert proposal.document.external_id == "cargo"


def test_all_four_are_mined_by_one_command(claims: Corpus) -> None:
    code, out = run("mine", "claims", "--wait", "--json")
    told = [json.loads(line) for line in out.splitlines()]
    assert (code, [each["miner"] for each in told]) == (0, list(Miner))
    assert {each["state"] for each in told} == {"done"}
    assert Generation.objects.get().runs.count() == 4


@pytest.mark.parametrize("miner", list(Miner))
def test_the_same_run_again_gives_the_same_bytes(miner: str, claims: Corpus, tmp_path: Path) -> None:
    exports = []
    for number in range(2):
        mined(miner)
        out = tmp_path / f"{number}.jsonl"
        run("export_proposals", "claims", "--miner", miner, "--out", out)
        exports.append(out.read_bytes())
    assert exports[0] == exports[1]
    assert MiningRun.objects.filter(miner=miner, state="done").count() == 2


def test_a_verdict_is_carried_over_to_the_next_run_and_generation(claims: Corpus) -> None:
    mined("short_keyword")
    first = Proposal.objects.order_by("rank").first()
    assert first is not None
    lena, moment = factories.lena(claims), datetime(2026, 7, 1, tzinfo=UTC)
    Proposal.objects.filter(pk=first.pk).update(
        status="rejected", reviewer=lena, reason="not about claims", reviewed_at=moment
    )
    index = generations.production_index(corpus=claims)
    generations.open_next(index=index, due_on=date(2030, 1, 1), now=timezone.now())
    assert mined("short_keyword")["summary"]["carried_over"] == 1
    carried, fresh = current_proposals(claims).order_by("rank")
    assert carried.pk != first.pk
    assert (carried.status, carried.reviewer, carried.reason) == ("rejected", lena, "not about claims")
    assert (carried.reviewed_at, fresh.status) == (moment, "pending")


def test_an_older_generation_is_exported_by_its_number(claims: Corpus, tmp_path: Path) -> None:
    mined("short_keyword")
    claims.log_queries.filter(locale="de").delete()
    index = generations.production_index(corpus=claims)
    generations.open_next(index=index, due_on=date(2030, 1, 1), now=timezone.now())
    mined("short_keyword")
    assert len(exported("short_keyword", tmp_path)) == 1
    assert len(exported("short_keyword", tmp_path, "--generation", 1)) == 2
    with pytest.raises(CommandError, match="no finished short_keyword run in generation 7"):
        call_command("export_proposals", "claims", miner="short_keyword", out=tmp_path / "x", generation=7)


def test_groups_are_refused_in_words_where_the_documents_changed_after_their_vectors(
    claims: Corpus, tmp_path: Path
) -> None:
    claims.documents.filter(external_id="cargo").update(gone_at=timezone.now())
    code, out = run("mine", "claims", "--miner", "near_duplicate", "--wait", "--json")
    assert code == 2
    assert "changed after its vectors were made" in json.loads(out)["error"]
    assert not NearDuplicateGroup.objects.exists()


def test_a_corpus_without_a_log_has_no_keywords(claims: Corpus) -> None:
    claims.log_queries.all().delete()
    told = mined("short_keyword")
    assert (told["state"], told["summary"]["log_lines"], told["summary"]["found"]) == ("done", 0, 0)


def test_without_a_worker_the_command_says_that_the_runs_wait(claims: Corpus) -> None:
    code, out = run("mine", "claims", "--miner", "short_keyword")
    assert code == 0
    assert "Keyword queries, waiting.\n" in out
    assert "No worker has answered yet. The runs are stored and start when one does" in out
    assert Job.objects.get().state == "queued"


def test_with_a_worker_the_command_hands_the_runs_over(claims: Corpus) -> None:
    WorkerSign.objects.create(name="here", seen_at=timezone.now())
    assert "The workers have the runs" in run("mine", "claims", "--miner", "short_keyword")[1]


def test_asking_twice_is_one_run(claims: Corpus) -> None:
    run("mine", "claims", "--miner", "short_keyword")
    run("mine", "claims", "--miner", "short_keyword")
    assert mined("short_keyword")["state"] == "done"
    assert (MiningRun.objects.count(), Generation.objects.count()) == (1, 1)


def test_a_run_cancelled_midway_leaves_nothing_half_written(claims: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    def cancelled(of: MiningRun, tell: Tell) -> Found:
        jobs.cancel(job_id=of.job_id or 0, now=timezone.now())
        return short_keyword.find(of, tell)

    monkeypatch.setitem(cast("dict[str, Any]", mining.FAMILIES), "short_keyword", cancelled)
    run("mine", "claims", "--miner", "short_keyword", "--wait")
    assert not Proposal.objects.exists()


def test_what_a_run_cancelled_while_it_stores_has_stored_is_seen_by_nobody_and_goes(
    claims: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    mined("near_duplicate")
    current_proposals(claims).update(status="rejected", reason="no", reviewer=factories.lena(claims))
    writing = Held.writing

    @contextmanager
    def cancelled_after_proposals(held: Held) -> Iterator[None]:
        with writing(held):
            yield
        if Proposal.objects.filter(run__job=held.job).exists():
            jobs.cancel(job_id=held.job.pk, now=timezone.now())

    with monkeypatch.context() as patched:
        patched.setattr(Held, "writing", cancelled_after_proposals)
        run("mine", "claims", "--miner", "near_duplicate", "--wait")
    cancelled = MiningRun.objects.get(state="cancelled")
    assert (cancelled.groups.count(), cancelled.proposals.count()) == (2, 1)
    assert current_proposals(claims).get().run != cancelled
    assert mined("near_duplicate")["summary"]["carried_over"] == 1
    assert current_proposals(claims).get().reason == "no"
    tasks.sweep()
    assert (cancelled.groups.count(), cancelled.proposals.count()) == (0, 0)
    assert MiningRun.objects.filter(state="done", groups__isnull=False).distinct().count() == 2


def test_a_run_that_starts_again_first_takes_away_what_its_dead_worker_stored(claims: Corpus) -> None:
    run("mine", "claims", "--miner", "near_duplicate")
    NearDuplicateGroup.objects.create(run=MiningRun.objects.get(), key="0" * 64, min_cosine=1)
    assert mined("near_duplicate")["summary"]["found"] == 2
    assert NearDuplicateGroup.objects.exclude(key="0" * 64).count() == NearDuplicateGroup.objects.count() == 2


def test_a_corpus_that_is_not_there_is_refused_in_words() -> None:
    with pytest.raises(CommandError, match="There is no corpus nowhere"):
        call_command("mine", "nowhere")


def test_a_run_put_in_production_is_what_hard_negatives_are_mined_against(claims: Corpus, tmp_path: Path) -> None:
    before = claims.indexes.get(is_production=True)
    answers = [f"q2 Q0 {name} 1 {score} bm25" for name, score in (("theft-2", 9), ("hail-a", 8), ("cargo", 7))]
    path = written(tmp_path, "bm25.run", *answers)
    assert bring("import_run", "claims", path, "--name", "bm25", "--production").code == 0
    index = claims.indexes.get(is_production=True)
    assert (index.name, index.kind, index.remine_due_on) == ("bm25", "run", before.remine_due_on)
    assert claims.indexes.get(name="exact").remine_due_on is None
    mined("hard_negative")
    [line] = exported("hard_negative", tmp_path)
    assert line["unjudged"] == ["theft-2", "cargo"]
    places = dict(HardNegative.objects.values_list("document__external_id", "places"))
    assert places == {"theft-2": {"exact": 7}, "cargo": {"exact": 5}}
    assert bring("import_run", "claims", path, "--name", "bm25").json["merged"] == 3
    assert claims.ranked_runs.get(name="bm25").index == index


def test_generations_count_on_and_verdicts_are_kept_when_another_index_goes_into_production(
    claims: Corpus, tmp_path: Path
) -> None:
    mined("short_keyword")
    lena = factories.lena(claims)
    Proposal.objects.filter(rank=1).update(status="rejected", reviewer=lena, reason="not about claims")
    path = written(tmp_path, "bm25.run", "q2 Q0 cargo 1 9 bm25")
    assert bring("import_run", "claims", path, "--name", "bm25", "--production").code == 0
    told = mined("short_keyword")
    assert (told["generation"], told["summary"]["carried_over"]) == (2, 1)
    first, second = Generation.objects.order_by("number")
    assert (first.index.name, second.index.name) == ("exact", "bm25")
    assert (first.closed_at, second.closed_at) == (second.opened_at, None)
    assert current_proposals(claims).count() == 2
    assert len(exported("short_keyword", tmp_path, "--generation", 1)) == 2


def test_exact_search_has_no_say_about_a_query_whose_vector_was_not_brought(claims: Corpus, tmp_path: Path) -> None:
    qrels = written(tmp_path, "qrels.txt", "q1 0 theft-1 3")
    assert bring("import_qrels", "claims", qrels).code == 0
    answers = [f"{query} Q0 {name} 1 {score} bm25" for query in ("q1", "q2") for name, score in (("cargo", 2),)]
    path = written(tmp_path, "bm25.run", *answers)
    assert bring("import_run", "claims", path, "--name", "bm25", "--production").code == 0
    QueryVector.objects.filter(query__external_id="q1").delete()
    assert mined("hard_negative")["summary"]["agreed_by_all"] == 1
    places = HardNegative.objects.values_list("query__external_id", "places", "lowest_place")
    assert set(map(str, places)) == {"('q1', {}, None)", "('q2', {'exact': 5}, 5)"}


def test_an_empty_answer_of_the_mined_index_leaves_a_query_short_and_is_no_fault(
    claims: Corpus, tmp_path: Path
) -> None:
    path = written(tmp_path, "bm25.run", "q1 Q0 cargo 1 2 bm25")
    assert bring("import_run", "claims", path, "--name", "bm25", "--production").code == 0
    told = mined("hard_negative")["summary"]
    assert (told["queries"], told["found"], told["missing_negatives"]) == (1, 0, 8)
