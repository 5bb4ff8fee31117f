"""Each row read is stored, merged or refused, whatever the file holds and however it is imported."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from curation.models import Corpus, Document, LogQuery, Qrel, Query
from judging.models import Judgment
from tests import factories
from tests.bringing import bring

IDS = st.sampled_from(["a", "b", "c", "caf\u00e9", "cafe\u0301", "", 7, None, "x" * 600])
TEXTS = st.sampled_from(["dolu", "DOLU", "sis", "", " ", None, 3, "\u200b", "a\tb"])
LOCALES = st.sampled_from(["tr", "TR", "en", "qq", "sr", "", None])
GRADES = st.sampled_from([0, 1, 2, 3, 4, -1, "cannot_judge", "", None, 1.5, "two"])
ROWS = st.fixed_dictionaries(
    {},
    optional={
        "id": IDS,
        "query_id": IDS,
        "doc_id": IDS,
        "text": TEXTS,
        "locale": LOCALES,
        "grade": GRADES,
        "judge": st.sampled_from(["ayse", "bora", ""]),
        "information_need_id": IDS,
        "gold_canonical_id": IDS,
        "slice": st.sampled_from(["keyword", "nonsense", "keyword, rare_entity"]),
        "count": st.sampled_from([1, 0, "many", 3_000_000_000]),
    },
)
LINES = st.lists(st.one_of(ROWS.map(json.dumps), st.sampled_from(["{", "[]", "", "nonsense"])), max_size=8)
COMMANDS = ["import_corpus", "import_queries", "import_qrels", "import_judgments", "import_log"]


@pytest.mark.django_db
@pytest.mark.parametrize("command", COMMANDS)
@settings(max_examples=30)
@given(lines=LINES, keep_good=st.booleans())
@example(lines=["{"], keep_good=False)
def test_read_is_stored_and_merged_and_refused(command: str, lines: list[str], keep_good: bool) -> None:
    ready()
    words = [*(["--keep-good"] if keep_good else []), *(["--dry-run"] if command == "import_corpus" else [])]
    before = counted()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "file.jsonl"
        path.write_text("\n".join(lines), encoding="utf-8")
        answer = bring(command, "claims", path, *words)
        again = bring(command, "claims", path, *words)
    read, stored, merged, refused = answer.counts
    assert read == stored + merged + refused
    opened = [error["reason"] for error in answer.json["errors"]] != ["The file is empty."]
    assert (answer.code == 2) == bool(answer.json["errors"]) == bool(refused or not opened)
    if refused and not keep_good:
        assert (stored, merged, counted()) == (0, 0, before)
    if stored or merged:
        assert len([error for error in answer.json["errors"] if error["line"]]) == refused
    if command != "import_corpus":
        assert again.json["stored"] == 0


def ready() -> None:
    """A corpus with two documents and a query, once for all examples."""
    if Corpus.objects.exists():
        return
    corpus = factories.a_corpus()
    for name in ("a", "b"):
        Document.objects.create(corpus=corpus, external_id=name, canonical_id=name)
    factories.a_query(factories.a_stratum(corpus), external_id="a", text="dolu")


def counted() -> list[int]:
    return [model.objects.count() for model in (Document, Query, Qrel, Judgment, LogQuery)]
