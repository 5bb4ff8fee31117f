"""The gate through its command: every exit code, the arithmetic in words, and what is stored."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path
from xml.etree import ElementTree as ET

import ir_measures
import pytest
import time_machine
from django.db import IntegrityError, transaction
from django.utils import timezone

from curation.actions.corpora import CorpusAsked, import_corpus
from curation.actions.receipts import Intake
from curation.models import (
    Corpus,
    Document,
    DocumentText,
    EmbeddingSpace,
    FrozenQrel,
    GateCell,
    GateReport,
    GateSlice,
    Qrel,
    QueryScore,
    RankedRun,
    SetVersion,
    Waiver,
)
from curation.reports.embeddings import current_documents_sha256
from curation.reports.gate_exports import as_junit, as_markdown, as_text
from curation.reports.gate_report import report_of
from curation.reports.set_content import Content, content_intact
from tests import factories
from tests.bringing import written
from tests.curation.gating import scene
from tests.curation.gating.scene import say

pytestmark = pytest.mark.django_db


@pytest.fixture
def corpus() -> Corpus:
    return scene.searchable()


def test_a_run_that_holds_every_floor_passes_with_0_and_says_what_k_means(corpus: Corpus) -> None:
    _, made = scene.whole(corpus)
    scene.a_run(corpus, scene.spread(made, lost=8))
    said = say("gate", "hard@1", "--run", "int8", "--k", 5, "--json")
    told = said.json
    assert (said.code, told["verdict"], told["exit_code"]) == (0, "pass", 0)
    assert [each["verdict"] for each in told["slices"]] == ["pass"] * 4
    assert told["baseline"]["kind"] == "exact_float32"
    assert told["baseline"]["dims"] == told["baseline"]["native_dims"] == 8
    assert told["k_share_of_corpus"] == 5 / 40
    assert any("k = 5 is 12.5% of the corpus's 40 documents" in note["text"] for note in told["notes"])
    assert told["pooled"]["verdict"] == "not gated"


def test_one_fallen_slice_rejects_with_1_is_named_first_and_tells_its_arithmetic(corpus: Corpus) -> None:
    _, made = scene.whole(corpus)
    keyword = [query for query in made if query.stratum.slice == "keyword"]
    found = {query: 4 if query in keyword[:50] else 5 for query in made}
    scene.a_run(corpus, found)
    said = say("gate", "hard@1", "--run", "int8", "--k", 5)
    assert said.code == 1
    assert said.text.startswith("Rejected: keyword fell below its relative floor\n")
    assert (
        "0.900 against a floor of 0.970, which is 0.97 × 1.000. 100 queries, standard error 0.010 to the relative floor."
        in said.text
    )
    assert (
        "0.070 under its relative floor, 100 queries, a standard error of 0.010 is small enough to decide" in said.text
    )
    assert "All slices pooled are not gated. Alone, this number would have passed." in said.text
    report = GateReport.objects.get()
    assert next(row.slice for row in report.slices.order_by("pk")) == "keyword"
    assert len(report.slices.get(slice="keyword").lost) == 50
    report.slices.filter(slice="keyword").update(
        se=0.018, relative_se=0.0196
    )  # where the baseline spreads, they differ
    for write in (as_text, as_markdown, as_junit):
        assert "100 queries, standard error 0.020 to the relative floor." in write(report_of(report))
        assert "a standard error of 0.020 is small enough" in write(report_of(report)) or write is as_markdown


def test_a_small_slice_near_its_floor_warns_with_3_also_where_it_held(corpus: Corpus) -> None:
    made = scene.queries_in(corpus, {"distinctive": 100, "near_duplicate": 100, "rare_entity": 24, "keyword": 100})
    factories.frozen_set(corpus)
    rare = [query for query in made if query.stratum.slice == "rare_entity"]
    scene.a_run(corpus, {query: 0 if query in rare[:1] else 5 for query in made})
    said = say("gate", "hard@1", "--run", "int8", "--k", 5, "--json")
    slices = {each["slice"]: each for each in said.json["slices"]}
    assert (said.code, said.json["verdict"]) == (3, "warn")
    assert slices["rare_entity"]["verdict"] == "warn"
    assert slices["rare_entity"]["queries_to_decide"] == 100
    assert [floor["decided"] for floor in slices["rare_entity"]["floors"]] == [False, False]
    assert "rare_entity cannot decide" in say("gate", "hard@1", "--run", "int8", "--k", 5).text


def test_an_empty_slice_warns(corpus: Corpus) -> None:
    made = scene.queries_in(corpus, {"distinctive": 100, "near_duplicate": 100, "rare_entity": 100})
    factories.frozen_set(corpus)
    scene.a_run(corpus, scene.spread(made, lost=4))
    said = say("gate", "hard@1", "--run", "int8", "--k", 5)
    assert said.code == 3
    assert said.text.startswith("Warning: no query in keyword\n")
    assert [row.slice for row in GateReport.objects.get().slices.order_by("pk")][-1] == "keyword"
    assert "keyword: No query of the set is in this slice" in said.text


def test_a_cell_below_its_floor_rejects_and_the_lowest_is_printed_first(corpus: Corpus) -> None:
    _, made = scene.whole(corpus)
    german = scene.queries_in(corpus, {"distinctive": 100}, locale="de")
    factories.frozen_set(corpus)
    found = {**dict.fromkeys(made, 5), **{query: 5 if place < 59 else 0 for place, query in enumerate(german)}}
    scene.a_run(corpus, found)
    said = say("gate", "hard@2", "--run", "int8", "--k", 5, "--json")
    lowest = said.json["cells"]["rows"][0]
    assert said.code == 1
    assert (lowest["query_language"], lowest["score"], lowest["verdict"]) == ("de", 0.59, "reject")
    text = say("gate", "hard@2", "--run", "int8", "--k", 5).text
    assert "locale de and 2 more below 0.60 at hit@10" in text


def test_a_planned_locale_below_its_target_is_no_evidence_and_warns(corpus: Corpus) -> None:
    _, made = scene.whole(corpus)
    made += scene.queries_in(corpus, {"distinctive": 20}, locale="th", planned=120)
    factories.a_stratum(corpus, "et en Latn question keyword", planned=30)
    factories.frozen_set(corpus)
    scene.a_run(corpus, scene.spread(made, lost=8))
    said = say("gate", "hard@2", "--run", "int8", "--k", 5)
    assert said.code == 3
    assert "no evidence for th, et" in said.text or "no evidence for et, th" in said.text
    assert "Not evidence: locale th: 20 of 120 planned" in said.text
    assert "Not evidence: locale et: 0 of 30 planned" in said.text


def test_queries_the_run_leaves_out_count_0_and_are_listed(corpus: Corpus) -> None:
    _, made = scene.whole(corpus)
    scene.a_run(corpus, dict.fromkeys(made[1:], 5))
    told = say("gate", "hard@1", "--run", "int8", "--k", 5, "--json").json
    assert told["missing"] == [made[0].external_id]
    assert sorted(each["recall"] for each in told["slices"]) == [0.99, 1.0, 1.0, 1.0]


def test_documents_that_nobody_judged_are_listed_best_first(corpus: Corpus) -> None:
    _, made = scene.whole(corpus, 5)
    scene.a_run(corpus, dict.fromkeys(made, 3))
    told = say("gate", "hard@1", "--run", "int8", "--k", 5, "--json").json
    assert set(told["unjudged"]) == {query.external_id for query in made}
    assert told["unjudged"][made[0].external_id] == ["ad10", "ad11"]
    assert (told["unjudged_documents"], told["unjudged_queries"]) == (40, 20)
    assert "The JSON report lists the documents." in say("gate", "hard@1", "--run", "int8", "--k", 5).text


def test_a_report_keeps_the_highest_ranked_of_what_nobody_judged_and_says_where_all_is(
    corpus: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, made = scene.whole(corpus, 5)
    scene.a_run(corpus, dict.fromkeys(made, 2) | {made[0]: 5})
    monkeypatch.setattr("curation.reports.unjudged.KEPT", 45)
    gate = ("gate", "hard@1", "--run", "int8", "--k", 5)
    said = say(*gate, "--json")
    kept = said.json["unjudged"]
    assert {len(found) for found in kept.values()} == {2}
    assert (len(kept), said.json["unjudged_documents"], said.json["unjudged_queries"]) == (19, 57, 19)
    out = tmp_path / "unjudged.tsv"
    where = "manage.py measure hard@1 --run int8 --k 5 --unjudged FILE writes all"
    assert f"the first 2 of each query, 38 of 57 documents; {where}" in say(*gate).text
    assert say("measure", "hard@1", "--run", "int8", "--k", 5, "--unjudged", out).code == 0
    lines = out.read_text().splitlines()
    assert (lines[0], len(lines)) == ("query_id\tcanonical_id", 58)
    assert say("measure", "hard@1", "--run", "int8", "--k", 5, "--unjudged", tmp_path).code == 2


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["hard@9", "--run", "int8"], "the newest version of hard is hard@1"),
        (["claims", "--run", "int8"], "names no set version"),
        (["hard@1", "--run", "nothing"], "has no run called nothing"),
        (["hard@1", "--run", "int8"], "too few for recall@200"),
        (["hard@1", "--run", "int8", "--k", "0"], "k counts documents"),
        (["hard@1", "--run", "int8", "--k", "5", "--commit", "f" * 201], "at most 200 characters"),
        (["hard@1", "--run", "int8", "--k", "5", "--junit", "/nowhere/at/all.xml"], "/nowhere/at/all.xml cannot be"),
        (["hard@1", "--run", "int8", "--k", "5", "--markdown", "/"], "/ cannot be written: Is a directory."),
        (["hard@1", "--run", "x" * 300, "--k", "5"], "cannot be read: file name too long"),
        (["hard@1", "--run", "int8", "--k", "5", "--baseline", "lost.run"], "has no run called lost.run"),
        (["hard@1", "--run", "int8", "--k", "5", "--manifest", "none.json"], "The manifest none.json cannot be read"),
        (["hard@1", "--run", "int8", "--k", "5", "--run-date", "2026-07-13"], "int8 is stored, and is as old as that"),
    ],
)
def test_a_gate_that_cannot_run_ends_with_2_and_stores_nothing(corpus: Corpus, words: list[str], said: str) -> None:
    _, made = scene.whole(corpus, 2)
    scene.a_run(corpus, dict.fromkeys(made, 5))
    answer = say("gate", *words)
    assert answer.code == 2
    assert said in answer.text
    assert not GateReport.objects.exists()


def test_a_file_that_is_no_run_is_named_with_a_way_out_that_there_is(corpus: Corpus, tmp_path: Path) -> None:
    scene.whole(corpus, 1)
    empty, table = tmp_path / "empty.run", tmp_path / "int8.csv"
    empty.write_bytes(b"")
    table.write_text("question,document,rank\nq1,d1,1\n", encoding="utf-8")
    assert say("gate", "hard@1", "--run", empty) == (2, "empty.run: The file is empty.")
    said = say("gate", "hard@1", "--run", table)
    assert (said.code, said.text.startswith("int8.csv: The file has no column for query_id")) == (2, True)
    assert "import the file and say query_id=COLUMN there" in said.text
    live = say("overlap", corpus.indexes.create(name="flat", kind="exact").name, "--queries", empty)
    assert live == (2, "empty.run holds no live query; name a file that does, or measure those told (--queries log).")


def test_without_vectors_that_fit_there_is_no_baseline_and_the_gate_ends_with_2(corpus: Corpus) -> None:
    _, made = scene.whole(corpus, 2)
    scene.a_run(corpus, dict.fromkeys(made, 5))
    Document.objects.filter(external_id="d00").update(gone_at=timezone.now())
    assert "documents of claims have changed" in say("gate", "hard@1", "--run", "int8", "--k", 5).text
    EmbeddingSpace.objects.update(native_dims=16)
    refused = say("gate", "hard@1", "--run", "int8", "--k", 5)
    assert (refused.code, "full width" in refused.text) == (2, True)


def test_a_run_that_stops_before_the_tenth_document_has_no_cells(corpus: Corpus) -> None:
    _, made = scene.whole(corpus, 2)
    scene.a_run(corpus, dict.fromkeys(made, 5), k=5)
    refused = say("gate", "hard@1", "--run", "int8", "--k", 5)
    assert (refused.code, "too few for the hit@10 of cells; bring a run of 10 documents." in refused.text) == (2, True)
    assert say("measure", "hard@1", "--run", "int8", "--k", 5).code == 0


@pytest.mark.parametrize("served", ["d00", "ad00"])
def test_what_the_corpus_does_not_hold_answers_nothing(corpus: Corpus, served: str) -> None:
    """A document that is gone, and the name of an article, which is no document."""
    _, made = scene.whole(corpus, 2)
    Document.objects.filter(external_id="d00").update(gone_at=timezone.now())
    EmbeddingSpace.objects.update(documents_sha256=current_documents_sha256(corpus))
    own = [query for query in made if query.gold_canonical_id == "ad00"]
    run = scene.a_run(corpus, dict.fromkeys(made, 0))
    run.scores.filter(query__in=own).update(hits=[served, *(f"d1{place}" for place in range(5)), *scene.DOCUMENTS[-4:]])
    told = say("gate", "hard@1", "--run", "int8", "--k", 5, "--json").json
    assert {each["recall"] for each in told["slices"]} == {0.0}
    assert any(f"among the run's first 5, such as {served}: what" in note["text"] for note in told["notes"])


def test_the_board_finds_the_golds_that_the_gate_finds_when_a_document_has_gone(corpus: Corpus, tmp_path: Path) -> None:
    """An article stands by another rendering, which the run does not have."""
    Document.objects.create(corpus=corpus, external_id="e00", canonical_id="ad00")
    EmbeddingSpace.objects.update(documents_sha256=current_documents_sha256(corpus))
    made = scene.queries_in(corpus, {"distinctive": 100})
    factories.frozen_set(corpus)
    scene.a_run(corpus, dict.fromkeys(made, 5))
    say("export_run", "claims", "int8", "--out", tmp_path / "int8.run")
    assert say("import_run", "claims", tmp_path / "int8.run", "--name", "int8").code == 0
    found = [found_by_both()]
    rows = [{"id": name, "canonical_id": f"a{name}", "text": name} for name in scene.DOCUMENTS[1:]]
    whole = written(tmp_path, "d.jsonl", *rows, {"id": "e00", "canonical_id": "ad00", "text": "hail"})
    import_corpus(asked=CorpusAsked("claims", whole=True), intake=Intake(whole), now=timezone.now())
    EmbeddingSpace.objects.update(documents_sha256=current_documents_sha256(corpus))
    found.append(found_by_both())
    assert found == [(1.0, 1.0), (0.87, 0.87)]


def found_by_both() -> tuple[float, float]:
    """hit@10 of the one locale, on the board and in the gate."""
    [cell] = say("coverage", "claims", "--run", "int8", "--by", "query_language", "--json").json["cells"]
    rows = say("gate", "hard@1", "--run", "int8", "--k", 5, "--json").json["cells"]["rows"]
    [locale] = [row for row in rows if row["crossing"] == "locale"]
    return cell["score"], locale["score"]


def test_a_run_that_is_replaced_while_it_is_read_is_not_gated(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    _, made = scene.whole(corpus, 2)
    run = scene.a_run(corpus, dict.fromkeys(made, 5))

    def replaced(version: SetVersion) -> Content:
        RankedRun.objects.filter(pk=run.pk).update(sha256="cd" * 32)
        return content_intact(version)

    monkeypatch.setattr("curation.actions.gating.content_intact", replaced)
    refused = say("gate", "hard@1", "--run", "int8", "--k", 5)
    assert (refused.code, "Another run took the place of int8" in refused.text) == (2, True)


def test_a_place_to_write_is_looked_at_first_and_left_as_it_was(corpus: Corpus, tmp_path: Path) -> None:
    scene.whole(corpus, 2)
    kept, new = tmp_path / "kept.xml", tmp_path / "new.md"
    kept.write_text("of yesterday")
    assert say("gate", "hard@1", "--run", "nothing", "--junit", kept, "--markdown", new).code == 2
    assert (kept.read_text(), new.exists()) == ("of yesterday", False)


def test_a_fault_of_the_program_ends_with_2_and_not_with_1(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    _, made = scene.whole(corpus, 2)
    scene.a_run(corpus, dict.fromkeys(made, 5))
    monkeypatch.setattr("curation.management.commands.gate.report_of", lambda _report: 1 / 0)
    assert say("gate", "hard@1", "--run", "int8", "--k", 5).code == 2


def test_the_file_of_a_run_is_gated_without_an_import(corpus: Corpus, tmp_path: Path) -> None:
    _, made = scene.whole(corpus)
    run = tmp_path / "int8.run"
    lines = (
        f"{query.external_id} Q0 {document} {rank} {10 - rank} int8\n"
        for query in made
        for rank, document in enumerate(scene.answers(query, 5))
    )
    run.write_text("".join(lines))
    assert say("gate", "hard@1", "--run", run, "--k", 5).code == 0
    report = GateReport.objects.get()
    assert (report.run, report.run_name, len(report.run_sha256)) == (None, "int8.run", 64)
    run.write_text(f"{made[0].external_id} Q0 d00 1 nonsense int8\n")
    refused = say("gate", "hard@1", "--run", run, "--k", 5)
    assert (refused.code, "int8.run, line 1: The score nonsense" in refused.text) == (2, True)


def test_an_exported_exact_run_carries_its_provenance_and_stands_as_the_baseline(
    corpus: Corpus, tmp_path: Path
) -> None:
    _, made = scene.whole(corpus, 3)
    scene.a_run(corpus, dict.fromkeys(made, 5))
    say("coverage", "claims", "--run", "exact")
    out = tmp_path / "exact.run"
    assert say("export_run", "claims", "exact", "--k", 10, "--out", out).code == 0
    assert {line.split()[3] for line in out.read_text().splitlines()} == set(map(str, range(1, 11)))
    deeper = say("gate", "hard@1", "--run", "exact", "--k", 20, "--baseline", out)
    assert "too few for recall@20; bring a run of 20" in deeper.text
    assert say("export_run", "claims", "exact", "--k", 200, "--out", out).code == 0
    assert RankedRun.objects.get(name="exact").k == 200
    assert say("gate", "hard@1", "--run", "exact", "--baseline", out).code == 3
    told = say("gate", "hard@1", "--run", "int8", "--k", 5, "--baseline", out, "--json").json
    assert told["baseline"]["space_sha256"] == EmbeddingSpace.objects.get().sha256
    assert [each["baseline"] for each in told["slices"]] == [1.0] * 4
    stood = EmbeddingSpace.objects.get().documents_sha256
    EmbeddingSpace.objects.update(documents_sha256="ab" * 32)
    changed = say("gate", "hard@1", "--run", "int8", "--k", 5, "--baseline", out)
    assert (changed.code, "have changed since exact.run was made" in changed.text) == (2, True)
    EmbeddingSpace.objects.update(documents_sha256=stood)
    beside = tmp_path / "exact.run.provenance.json"
    beside.write_text(json.dumps(json.loads(beside.read_text()) | {"dims": 4}))
    refused = say("gate", "hard@1", "--run", "int8", "--k", 5, "--baseline", out)
    assert (refused.code, "no exact float32 run at full width" in refused.text) == (2, True)


@pytest.mark.parametrize(
    ("left_out", "words"),
    [(10, "does not answer 1 of the 12 queries of the set"), (7, "holds the first 3 documents of a query")],
)
def test_a_cut_file_is_no_baseline(corpus: Corpus, tmp_path: Path, left_out: int, words: str) -> None:
    _, made = scene.whole(corpus, 3)
    scene.a_run(corpus, dict.fromkeys(made, 5))
    say("coverage", "claims", "--run", "exact")
    out = tmp_path / "exact.run"
    say("export_run", "claims", "exact", "--out", out)
    lines = out.read_text().splitlines()
    last = lines[-1].split()[0]
    own = [line for line in lines if line.split()[0] == last]
    kept = [line for line in lines if line not in own] + own[: 10 - left_out]
    out.write_text("".join(f"{line}\n" for line in kept))
    beside = tmp_path / "exact.run.provenance.json"
    bound = json.loads(beside.read_text())
    assert "does not hold the answers" in say("gate", "hard@1", "--run", "int8", "--k", 5, "--baseline", out).text
    beside.write_text(json.dumps({name: value for name, value in bound.items() if name != "answers_sha256"}))
    said = say("gate", "hard@1", "--run", "int8", "--k", 5, "--baseline", out)
    assert said.code == 2
    assert words in said.text


@pytest.mark.parametrize(
    ("record", "words"),
    [
        ('{"collection": "a\\u0000b"}', "NUL or half of a pair"),
        ('{"built": 1e999}', "a number too large for JSON"),
        ('{"built": NaN}', "NaN is no number in JSON"),
        ('{"built": ' + "[" * 200 + "]" * 200 + "}", "nested deeper than 100 levels"),
    ],
)
def test_a_manifest_that_no_database_keeps_stops_the_gate(
    corpus: Corpus, tmp_path: Path, record: str, words: str
) -> None:
    _, made = scene.whole(corpus, 1)
    scene.a_run(corpus, dict.fromkeys(made, 5))
    path = tmp_path / "manifest.json"
    path.write_text(record)
    said = say("gate", "hard@1", "--run", "int8", "--k", 5, "--manifest", path)
    assert said.code == 2
    assert words in said.text


def test_a_small_slice_without_spread_is_told_that_it_tells_nothing(corpus: Corpus, tmp_path: Path) -> None:
    made = scene.queries_in(corpus, {"rare_entity": 26})
    factories.frozen_set(corpus)
    scene.a_run(corpus, dict.fromkeys(made, 5))
    markdown = tmp_path / "gate.md"
    said = say("gate", "hard@1", "--run", "int8", "--k", 5, "--markdown", markdown)
    why = "26 queries cannot decide: it takes 100; a spread of zero in fewer than 100 tells nothing"
    assert f"Both floors held, but {why}." in said.text
    for told in (said.text, markdown.read_text()):
        assert told.count("standard errors off it; a spread of zero in fewer than 100 tells nothing") == 1
        assert told.count("k = 5 is 12.5% of the corpus") == 1


def test_an_empty_slice_says_so_once(corpus: Corpus) -> None:
    made = scene.queries_in(corpus, {"keyword": 2})
    factories.frozen_set(corpus)
    scene.a_run(corpus, dict.fromkeys(made, 5))
    said = say("gate", "hard@1", "--run", "int8", "--k", 5)
    assert said.text.count("rare_entity: No query of the set is in this slice, so nothing stands for it.\n") == 1


def test_junit_and_markdown_name_each_slice_with_its_verdict(corpus: Corpus, tmp_path: Path) -> None:
    _, made = scene.whole(corpus)
    scene.a_run(corpus, {query: 4 if query.stratum.slice == "keyword" else 5 for query in made})
    junit, markdown = tmp_path / "gate.xml", tmp_path / "gate.md"
    assert say("gate", "hard@1", "--run", "int8", "--k", 5, "--junit", junit, "--markdown", markdown).code == 1
    suite = ET.fromstring(junit.read_text()).find("testsuite")
    assert suite is not None
    failed = [case.get("name") for case in suite if case.find("failure") is not None]
    assert failed == ["slice keyword"]
    assert suite.get("failures") == "1"
    assert "| keyword | 100 | 1.000 | 0.800 | −0.200 |" in markdown.read_text()


def test_a_set_that_grew_old_warns(corpus: Corpus) -> None:
    _, made = scene.whole(corpus)
    scene.a_run(corpus, scene.spread(made, lost=8))
    SetVersion.objects.update(frozen_at=timezone.now() - timedelta(days=100))
    said = say("gate", "hard@1", "--run", "int8", "--k", 5)
    assert said.code == 3
    assert "more than a quarter ago" in said.text


def test_a_set_of_an_older_generation_warns(corpus: Corpus) -> None:
    _, made = scene.whole(corpus)
    scene.a_run(corpus, scene.spread(made, lost=8))
    index = corpus.indexes.create(name="hnsw", kind="exact", is_production=True)
    index.generations.create(number=3, due_on="2026-07-01", opened_at=timezone.now())
    said = say("gate", "hard@1", "--run", "int8", "--k", 5)
    assert said.code == 3
    assert "mined again since (generation 3)" in said.text


def test_a_run_that_documents_have_overtaken_warns(corpus: Corpus) -> None:
    _, made = scene.whole(corpus)
    run = scene.a_run(corpus, scene.spread(made, lost=8))
    assert say("gate", "hard@1", "--run", "int8", "--k", 5).code == 0
    DocumentText.objects.filter(document__external_id="d00").update(created_at=run.measured_at + timedelta(days=1))
    said = say("gate", "hard@1", "--run", "int8", "--k", 5)
    assert said.code == 3
    assert "Warning: The run was stored on 13 July 2026, and 1 document of the corpus came or changed" in said.text
    assert "Run int8 (stored on 13 July 2026) against exact" in said.text


@time_machine.travel(scene.NOW, tick=False)
def test_a_file_is_as_old_as_its_day_says_and_of_no_known_date_without_one(corpus: Corpus, tmp_path: Path) -> None:
    """The corpus's documents came on 12 July at 14:04."""
    _, made = scene.whole(corpus)
    run = scene.a_run(corpus, scene.spread(made, lost=8))
    say("export_run", "claims", "int8", "--out", tmp_path / "int8.run")
    gate = ("gate", "hard@1", "--run", tmp_path / "int8.run", "--k", 5)
    undated = say(*gate)
    assert (undated.code, "Run int8.run (a file without a date) against" in undated.text) == (0, True)
    assert "a file on 13 July 2026, and when its answers were made is not known: documents that came" in undated.text
    old = say(*gate, "--run-date", "2026-07-11")
    assert (old.code, "Run int8.run (made on 11 July 2026) against" in old.text) == (3, True)
    assert "Warning: The run was made on 11 July 2026, and 40 documents of the corpus came or changed" in old.text
    assert say(*gate, "--run-date", "2026-07-12T16:03+02:00").code == 3
    dated = say(*gate, "--run-date", "2026-07-12", "--json")
    assert (dated.code, dated.json["run_dated"]) == (0, "2026-07-12T23:59:59.999999+00:00")
    stored = say("gate", "hard@1", "--run", "int8", "--k", 5, "--json").json
    assert stored["run_dated"] == run.measured_at.isoformat()
    for none in ("", "yesterday", "2026-07-99", "0001-01-01T00:00+14:00", "2026-07-14"):
        refused = say(*gate, "--run-date", none)
        assert (refused.code, "--run-date" in refused.text) == (2, True)


def test_a_set_of_an_index_that_left_production_warns(corpus: Corpus) -> None:
    """After a rollback: the index that came back has an older generation, or none."""
    index = corpus.indexes.create(name="hnsw", kind="exact", is_production=True)
    index.generations.create(number=3, due_on="2026-07-01", opened_at=timezone.now())
    _, made = scene.whole(corpus)
    scene.a_run(corpus, scene.spread(made, lost=8))
    assert say("gate", "hard@1", "--run", "int8", "--k", 5).code == 0
    corpus.indexes.update(is_production=False)
    corpus.indexes.create(name="flat", kind="exact", is_production=True)
    said = say("gate", "hard@1", "--run", "int8", "--k", 5)
    assert said.code == 3
    warned = "generation 3, mined against hnsw, and flat has taken its place since"
    assert warned in said.text
    assert say("freeze_set", "claims", "hard").text == "Nothing has changed since: this is the same as hard@1."
    version = SetVersion.objects.get()
    version.generation = None  # as sets were frozen once
    version.save()
    factories.hash_again(version)
    said = say("gate", "hard@1", "--run", "int8", "--k", 5)
    assert said.code == 3
    assert "no generation: generation 3 was mined against hnsw, and flat is not mined yet" in said.text


def test_a_headline_under_its_alarm_warns_and_rejects_nothing(corpus: Corpus) -> None:
    factories.some_traffic(corpus, tr=1.0)
    Corpus.objects.update(floors={"relative": 0.9})
    _, made = scene.whole(corpus)
    run = scene.a_run(corpus, dict.fromkeys(made, 5))
    missed = list(run.scores.filter(query__in=made[::4]))
    for score in missed:
        score.hits = score.hits[1:]  # the gold alone is lost
    QueryScore.objects.bulk_update(missed, ["hits"])
    said = say("gate", "hard@1", "--run", "int8", "--k", 5)
    assert said.code == 3
    assert "Traffic-weighted hit@10 is 0.750 over 100% of the traffic, under the alarm at 0.80" in said.text
    assert "Traffic-weighted hit@10 0.750 over 100% of the traffic: an alarm below 0.80, never a pass." in said.text


def test_floors_are_the_corpus_s_own_else_the_installation_s(corpus: Corpus) -> None:
    _, made = scene.whole(corpus)
    scene.a_run(corpus, {query: 4 if place % 4 == 0 else 5 for place, query in enumerate(made)})
    assert say("gate", "hard@1", "--run", "int8", "--k", 5).code == 1
    Corpus.objects.update(floors={"absolute": 0.80, "relative": 0.90})
    told = say("gate", "hard@1", "--run", "int8", "--k", 5, "--json")
    assert (told.code, told.json["floors"]["absolute"], told.json["floors"]["cell"]) == (0, 0.80, 0.60)


def test_the_share_of_positives_known_from_exact_search_alone_is_told(corpus: Corpus) -> None:
    made = scene.queries_in(corpus, dict.fromkeys(("distinctive", "near_duplicate", "rare_entity", "keyword"), 100))
    keyword = Qrel.objects.filter(query__stratum__slice="keyword")
    keyword.update(exact_only=False)
    keyword.filter(grade=3).update(exact_only=True)
    factories.frozen_set(corpus)
    scene.a_run(corpus, scene.spread(made, lost=8))
    text = say("gate", "hard@1", "--run", "int8", "--k", 5).text
    assert "keyword: 20% of 500 relevant answers known from exact search alone." in text
    assert "distinctive: Origin unknown for all 500 relevant answers." in text


def test_a_share_of_fewer_than_100_relevant_answers_is_told_as_a_count(corpus: Corpus) -> None:
    _, made = scene.whole(corpus, 2)
    keyword = Qrel.objects.filter(query__stratum__slice="keyword")
    keyword.update(exact_only=False)
    keyword.filter(grade=3).update(exact_only=True)
    factories.frozen_set(corpus)
    scene.a_run(corpus, dict.fromkeys(made, 5))
    text = say("gate", "hard@2", "--run", "int8", "--k", 5).text
    assert "keyword: 2 of 10 relevant answers known from exact search alone." in text


def test_the_dial_tells_what_depth_costs(corpus: Corpus) -> None:
    _, made = scene.whole(corpus)
    scene.a_run(corpus, scene.spread(made, lost=8), k=20)
    told = say("gate", "hard@1", "--run", "int8", "--k", 20, "--json").json
    assert [point["k"] for point in told["slices"][0]["dial"]] == [10, 20]


def test_the_database_refuses_a_score_without_evidence(corpus: Corpus) -> None:
    _, made = scene.whole(corpus, 2)
    scene.a_run(corpus, dict.fromkeys(made, 5))
    say("gate", "hard@1", "--run", "int8", "--k", 5)
    cells, slices = GateCell.objects.all(), GateSlice.objects.all()
    for rows, wrong in (
        (cells, {"score": 0.9}),
        (cells, {"n": 100}),
        (slices, {"n": 1}),
        (slices, {"verdict": "reject"}),
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            rows.update(**wrong)


def test_another_evaluator_measures_the_same_recall(corpus: Corpus) -> None:
    _, made = scene.whole(corpus, 5)
    found = {query: place % 6 for place, query in enumerate(made)}
    scene.a_run(corpus, found)
    told = say("measure", "hard@1", "--run", "int8", "--k", 5, "--json").json
    qrels = [
        ir_measures.Qrel(qrel.query.external_id, qrel.canonical_id, qrel.grade)
        for qrel in Qrel.objects.select_related("query")
    ]
    run = [
        ir_measures.ScoredDoc(query.external_id, f"a{document}", 10 - place)
        for query, count in found.items()
        for place, document in enumerate(scene.answers(query, count))
    ]
    measure = ir_measures.R(rel=2) @ 5
    theirs = {each.query_id: each.value for each in ir_measures.iter_calc([measure], qrels, run)}
    assert {each["query_id"]: each["recall"] for each in told["queries"]} == pytest.approx(theirs)


def test_a_draft_is_measured_with_its_paired_difference_and_cells_hide_what_is_thin(corpus: Corpus) -> None:
    made = scene.queries_in(corpus, {"keyword": 120})
    scene.a_run(corpus, scene.spread(made, lost=60))
    told = say("measure", "claims", "--run", "int8", "--k", 5, "--json").json
    keyword = next(each for each in told["slices"] if each["slice"] == "keyword")
    assert (keyword["n"], keyword["recall"], keyword["baseline"]) == (120, pytest.approx(0.9), 1.0)
    assert keyword["difference"]["value"] == pytest.approx(-0.1)
    low, high = keyword["difference"]["ci"]
    assert low < -0.1 < high < 0
    assert [(cell["n"], cell["recall"] is None, cell["difference"]) for cell in told["cells"]] == [(120, False, None)]
    text = say("measure", "claims", "--run", "int8", "--k", 5).text
    assert "−0.100" in text
    assert say("gate", "claims", "--run", "int8").code == 2


@pytest.mark.parametrize("command", ["gate", "measure"])
def test_a_set_that_somebody_wrote_to_is_not_gated(corpus: Corpus, command: str) -> None:
    _, made = scene.whole(corpus, each=1)
    scene.a_run(corpus, scene.spread(made, lost=0))
    FrozenQrel.objects.filter(query__external_id=made[0].external_id).update(grade=0)
    said = say(command, "hard@1", "--run", "int8", "--k", 5)
    assert said.code == 2
    assert "The rows of hard@1 do not give its hash any more" in said.text
    assert not GateReport.objects.exists()
    assert str(factories.frozen_set(corpus)) == "hard@2"  # the way out that the sentence names


def test_a_waiver_names_a_locale_as_cells_do_or_is_refused(corpus: Corpus) -> None:
    factories.lena(corpus)
    rest = ("--until", timezone.now().date() + timedelta(days=9), "--reason", "why", "--by", "lena")
    assert say("waive", "claims", "locale TR-tr", *rest).text.startswith("Waived until ")
    assert Waiver.objects.get().subject == "locale tr"
    refused = say("waive", "claims", "cell klingon en", *rest)
    assert (refused.code, '"klingon" is not known' in refused.text) == (2, True)
