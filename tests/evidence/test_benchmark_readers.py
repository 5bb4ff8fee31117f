"""`datasets` and the loader of mteb read our exports. mteb weighs gigabytes, so they are asked here alone.

`pip install datasets polars` and `pip install --no-deps mteb` are enough: the loader needs no PyTorch, which all else of
mteb does.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from curation.formats.documents import DocumentRow
from curation.formats.export.folder import write_folder
from tests.curation.formats.export.sets import a_set, qrel, query

datasets = pytest.importorskip("datasets", reason="datasets is not installed; pip install datasets")

pytestmark = pytest.mark.filterwarnings("ignore")  # those of the libraries

DOCUMENTS = (
    DocumentRow(0, "007", "a1", "de", "Latn", False, "T", "NA", {"effective_date": "2024-01-01"}, {"region": 7}),
    DocumentRow(0, "2024-01-01", "a1", "en", "Latn", True, "", "Text\u2028two", {}, {"region": "x"}),
    DocumentRow(0, "NA", "NA", "en", "Latn", False, "T", "1e3", {}, {}),
)
AWKWARD = replace(
    a_set(
        query("001", "Allianz", "de"),
        query("2024-02-02", "NA", "tr", gold="NA"),
        qrels=(qrel("001", "a1", 3, "007", "2024-01-01"), qrel("001", "NA", 0), qrel("2024-02-02", "NA", 2)),
    ),
    documents=lambda: iter(DOCUMENTS),
)
"""Ids and texts that readers like to take for numbers, moments or nothing."""


@pytest.fixture
def cached(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(datasets.config, "HF_HUB_OFFLINE", True)


def test_datasets_reads_every_table_of_hf_with_its_ids_as_text(tmp_path: Path, cached: None) -> None:
    write_folder(tmp_path / "hf", AWKWARD, form="hf")
    tables = {
        name: datasets.load_dataset(str(tmp_path / "hf"), name, split="test", cache_dir=str(tmp_path / "cache"))
        for name in ("corpus", "queries", "qrels", "strata")
    }
    assert tables["corpus"]["_id"][:] == ["007", "2024-01-01", "NA"]
    assert tables["corpus"]["text"][:] == ["NA", "Text\u2028two", "1e3"]
    assert tables["queries"]["_id"][:] == tables["strata"]["query_id"][:] == ["001", "2024-02-02"]
    assert tables["qrels"]["score"][:] == [3, 3, 0, 2]


def test_mteb_loads_all_languages_and_one(tmp_path: Path, cached: None, monkeypatch: pytest.MonkeyPatch) -> None:
    write_folder(tmp_path / "mteb", AWKWARD, form="mteb")
    loader = loader_of_mteb(monkeypatch)
    both = loader(str(tmp_path / "mteb"), revision=None, split="test").load()
    grades = {"001": {"007": 3, "2024-01-01": 3, "NA": 0}, "2024-02-02": {"NA": 2}}
    assert {query_id: dict(found) for query_id, found in both["relevant_docs"].items()} == grades
    assert (both["corpus"]["id"][:], both["queries"]["id"][:]) == (["007", "2024-01-01", "NA"], [*grades])
    turkish = loader(str(tmp_path / "mteb"), revision=None, split="test", config="tr").load()
    assert (turkish["queries"]["id"][:], len(turkish["corpus"])) == (["2024-02-02"], 3)


def loader_of_mteb(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Its class for retrieval tasks, without what the package imports besides."""
    found = importlib.util.find_spec("mteb")
    if found is None or not found.submodule_search_locations:
        pytest.skip("mteb is not installed; pip install --no-deps mteb")
    home = Path(found.submodule_search_locations[0])
    for name, folder in (("mteb", home), ("mteb.abstasks", home / "abstasks")):
        bare = ModuleType(name)
        bare.__path__ = [str(folder)]
        monkeypatch.setitem(sys.modules, name, bare)
    return importlib.import_module("mteb.abstasks.retrieval_dataset_loaders").RetrievalDatasetLoader
