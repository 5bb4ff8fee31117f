"""Each layout, line by line, and by the public tools that read it."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import ir_datasets
import ir_measures
import pyarrow.parquet as pq
import pytest
import pytrec_eval
import yaml
from ir_datasets.datasets import beir
from ir_datasets.util import LocalDownload

from curation.formats.export.folder import FORMS, write_folder, write_zip
from curation.formats.faults import WriteRefused

from .sets import SMALL, a_set, qrel, query

BY_DOCUMENT = {
    "q1": {"a1-de": 3, "a1-en": 3, "b2": 0},
    "q2": {"c3": 2},
    "q3": {"a1-de": 3, "a1-en": 3},
}


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The small set in every layout but OpenSearch's, which does not take it."""
    home = tmp_path_factory.mktemp("exports")
    folders = {form: home / form for form in FORMS if form != "opensearch"}
    for form, folder in folders.items():
        write_folder(folder, SMALL, form=form)
    return folders


def lines(path: Path) -> list[str]:
    return path.read_bytes().decode().split("\n")[:-1]


def about(folder: Path) -> dict[str, Any]:
    told: dict[str, Any] = json.loads((folder / "set.json").read_text())
    return told


def test_every_layout_says_each_querys_stratum_and_whose_grades_these_are(written: dict[str, Path]) -> None:
    for form, folder in written.items():
        assert lines(folder / "strata.tsv")[:2] == [
            "query_id\tquery_language\tcorpus_language\tscript\tquery_type\tslice\tuse\tgold_canonical_id",
            "q1\tde\ten\tLatn\tquestion\tdistinctive\tgate\ta1",
        ]
        told = about(folder)
        assert (told["set"], told["sha256"], told["relevant_from"]) == ("hard@4", "f" * 64, 2)
        assert (told["queries"], told["grades"], told["relevant"], told["gone"]) == (3, 4, 3, 1)
        assert told["qrels"] == (4 if form == "jsonl" else 6)
        assert set(told["files"]) == {
            path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()
        } - {"set.json"}


def test_a_zip_may_hold_files_beyond_what_zip_first_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zipfile, "ZIP64_LIMIT", 100)
    packed = io.BytesIO()
    write_zip(packed, SMALL, form="jsonl")
    with zipfile.ZipFile(packed) as archive:
        assert archive.testzip() is None
        assert max(member.file_size for member in archive.infolist()) > 100


def test_renderings_tell_which_article_a_document_is(written: dict[str, Path]) -> None:
    told = ["document_id\tcanonical_id", "a1-de\ta1", "a1-en\ta1", "b2\tb2", "c3\tc3"]
    assert lines(written["trec"] / "renderings.tsv") == told


def test_trec_is_read_by_ir_datasets_and_ir_measures(written: dict[str, Path]) -> None:
    folder = written["trec"]
    assert lines(folder / "qrels.txt")[0] == "q1 agreed a1-de 3"
    read = ir_datasets.create_dataset(queries_tsv=folder / "topics.tsv", qrels_trec=folder / "qrels.txt")
    assert read.qrels_dict() == BY_DOCUMENT
    assert [(one.query_id, one.text) for one in read.queries_iter()] == [
        (one.row.external_id, one.row.text) for one in SMALL.queries
    ]
    run = [ir_measures.ScoredDoc("q1", "b2", 2.0), ir_measures.ScoredDoc("q1", "a1-en", 1.0)]
    recall = ir_measures.R(rel=2) @ 10
    path = str(folder / "qrels.txt")
    qrels = list(ir_measures.read_trec_qrels(path))  # type: ignore[no-untyped-call]  # ir-measures brings no types
    scores = {one.query_id: one.value for one in ir_measures.iter_calc([recall], qrels, run)}
    assert scores == {"q1": 0.5, "q2": 0.0, "q3": 0.0}


def test_beir_is_read_as_a_beir_folder(written: dict[str, Path]) -> None:
    folder = written["beir"]
    qrels = beir.BeirQrels(LocalDownload(folder / "qrels" / "test.tsv"), {})
    assert qrels.qrels_dict() == BY_DOCUMENT
    queries = beir.BeirQueries("x", LocalDownload(folder / "queries.jsonl"), beir.GenericQuery)
    assert [one.text for one in queries.queries_iter()] == [one.row.text for one in SMALL.queries]
    documents = [json.loads(line) for line in lines(folder / "corpus.jsonl")]
    assert [one["_id"] for one in documents] == ["a1-de", "a1-en", "b2"]
    assert (documents[0]["title"], documents[0]["text"]) == ("T", "Text of a1-de")


def test_ranx_is_one_object_that_pytrec_eval_takes_too(written: dict[str, Path]) -> None:
    grades = json.loads((written["ranx"] / "qrels.json").read_text())
    assert grades == BY_DOCUMENT
    scores = pytrec_eval.RelevanceEvaluator(grades, {"recall_10"}, relevance_level=2).evaluate({"q1": {"a1-de": 1.0}})
    assert scores == {"q1": {"recall_10": 0.5}}


RANX = """
import json, sys, ranx
qrels = ranx.Qrels.from_file(sys.argv[1])
run = ranx.Run({"q1": {"a1-de": 2.0, "b2": 1.0}, "q2": {"b2": 1.0}, "q3": {"a1-de": 2.0, "a1-en": 1.0}})
print(json.dumps([qrels.to_dict(), ranx.evaluate(qrels, run, "recall-l2")], default=float))
"""


def test_ranx_reads_its_own_and_scores_a_run(written: dict[str, Path]) -> None:
    """In a process of its own, which compiles nothing: compiling would take most of a minute."""
    asked = [sys.executable, "-W", "ignore", "-c", RANX, str(written["ranx"] / "qrels.json")]
    answer = subprocess.run(
        asked, env={**os.environ, "NUMBA_DISABLE_JIT": "1"}, capture_output=True, text=True, check=True
    )
    grades, recall = json.loads(answer.stdout)
    assert grades == BY_DOCUMENT
    assert recall == pytest.approx((0.5 + 0 + 1) / 3)


def test_mteb_has_one_corpus_and_a_subset_for_each_language(written: dict[str, Path]) -> None:
    folder = written["mteb"]
    front = yaml.safe_load((folder / "README.md").read_text().split("---")[1])
    subsets = {one["config_name"]: one["data_files"][0]["path"] for one in front["configs"]}
    assert subsets["tr-qrels"] == "qrels/tr.parquet"
    assert subsets["tr-corpus"] == subsets["de-corpus"] == subsets["corpus"] == "corpus/test-*.parquet"
    assert all(list(folder.glob(path)) for path in subsets.values())
    first = {"query-id": "q1", "corpus-id": "a1-de", "score": 3, "canonical-id": "a1", "original-score": "1"}
    assert pq.read_table(folder / "qrels" / "de.parquet").to_pylist()[0] == first
    assert set(pq.read_table(folder / "qrels" / "tr.parquet").column("query-id").to_pylist()) == {"q2", "q3"}


def test_hf_is_parquet_with_a_card_that_names_its_tables(written: dict[str, Path]) -> None:
    folder = written["hf"]
    qrels = pq.read_table(next(folder.glob("qrels/*.parquet"))).to_pylist()
    assert {(row["query-id"], row["corpus-id"]): row["score"] for row in qrels} == {
        (query_id, name): grade for query_id, grades in BY_DOCUMENT.items() for name, grade in grades.items()
    }
    front = yaml.safe_load((folder / "README.md").read_text().split("---")[1])
    assert [one["config_name"] for one in front["configs"]] == ["corpus", "queries", "qrels", "strata"]
    assert pq.read_table(next(folder.glob("corpus/*.parquet"))).column("_id").to_pylist() == ["a1-de", "a1-en", "b2"]
    strata = pq.read_table(next(folder.glob("strata/*.parquet"))).to_pylist()
    assert ["\t".join(row.values()) for row in strata] == lines(folder / "strata.tsv")[1:]


def test_quepid_gets_a_file_for_each_language_so_that_a_text_names_one_query(written: dict[str, Path]) -> None:
    folder = written["quepid"] / "ratings"
    assert lines(folder / "de.csv") == ["query,docid,rating", "Allianz,a1-de,3", "Allianz,a1-en,3", "Allianz,b2,0"]
    assert lines(folder / "tr.csv")[1:3] == ["Allianz,c3,2", '"kaç ""gün"", ne zaman",a1-de,3']
    rated = json.loads((folder / "tr.json").read_text())["queries"]
    assert [one["placeholders"]["$query"] for one in rated] == ["Allianz", 'kaç "gün", ne zaman']
    assert [one["relevant_documents"] for one in rated] == [{"2": ["c3"]}, {"3": ["a1-de", "a1-en"]}]
    told = (written["quepid"] / "README.md").read_text()
    assert "`ratings/tr.csv`: 2 with a comma, 2 of them with both" in told
    assert "ratings/de.csv`" not in told
    (german,) = json.loads((folder / "de.json").read_text())["queries"]
    assert german["relevant_documents"] == {"0": ["b2"], "3": ["a1-de", "a1-en"]}


def test_opensearch_gets_the_bodies_of_its_two_requests(tmp_path: Path) -> None:
    made = a_set(query("q1", "Allianz", "de"), qrels=(qrel("q1", "a1", 3, "a1-de"), qrel("q1", "b2", 0)))
    write_folder(tmp_path / "out", made, form="opensearch")
    queries = json.loads((tmp_path / "out" / "de" / "query_set.json").read_text())
    assert (queries["name"], queries["sampling"]) == ("hard@4 de", "manual")
    assert queries["querySetQueries"] == [{"queryText": "Allianz"}]
    judgments = json.loads((tmp_path / "out" / "de" / "judgments.json").read_text())
    assert judgments["type"] == "IMPORT_JUDGMENT"
    ratings = [{"docId": "a1-de", "rating": "3.0"}, {"docId": "b2", "rating": "0.0"}]
    assert judgments["judgmentRatings"] == [{"query": "Allianz", "ratings": ratings}]


@pytest.mark.parametrize(
    ("form", "made", "words"),
    [
        ("trec", a_set(query("q 1", "x", "de"), query("q 2", "x", "tr")), "'q 1', 'q 2'. Export JSONL instead."),
        ("beir", a_set(query("q1", "x", "de"), qrels=(qrel("q1", "a 1", 3),)), "'a 1'. Export JSONL instead."),
        ("opensearch", SMALL, "more than 2,000 characters: q3. Export jsonl instead."),
        ("opensearch", a_set(query("q1", "😀" * 1001, "de")), "more than 2,000 characters: q1. Export jsonl instead."),
        ("quepid", a_set(query("q1", "x" * 2049, "de")), "more than 2,048 characters: q1. Export jsonl instead."),
        (
            "quepid",
            a_set(query("q1", "x", "de"), qrels=(qrel("q1", "a", 3, "é", "ş"),)),
            "at an end: ş. Export jsonl instead.",
        ),
    ],
)
def test_what_a_layout_cannot_hold_is_listed_and_nothing_is_written(
    tmp_path: Path, form: str, made: Any, words: str
) -> None:
    with pytest.raises(WriteRefused) as refusal:
        write_folder(tmp_path / "out", made, form=form)
    assert str(refusal.value).endswith(words)
    assert list(tmp_path.glob("*out*")) == list(tmp_path.glob(".*")) == []
