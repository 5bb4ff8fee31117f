"""Large imports: refused before memory runs out, and written with few questions."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django import DjangoAssertNumQueries

from curation import commandline
from curation.actions import lookups, memory, receipts
from curation.models import Corpus, DocumentText, LogQuery
from tests import factories
from tests.bringing import bring, written

pytestmark = pytest.mark.django_db
MIB = 1 << 20


def documents(folder: Path, edition: str, *, count: int = 60) -> Path:
    rows = ({"id": f"d{number:02d}", "text": f"Text {number}, {edition} edition"} for number in range(count))
    return written(folder, f"{edition}.jsonl", *rows)


@pytest.mark.parametrize(("free", "stored"), [(599 * MIB, 0), (600 * MIB, 60)])
def test_a_file_whose_import_would_not_fit_into_memory_is_refused_while_it_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, free: int, stored: int
) -> None:
    taken = iter([0, 0, *[100 * MIB] * 60])
    monkeypatch.setattr(receipts, "LOOK_EVERY", 50)
    monkeypatch.setattr(memory, "resident", lambda: next(taken))
    monkeypatch.setattr(memory, "available", lambda: free)
    factories.a_corpus()
    answer = bring(
        "import_log", "claims", written(tmp_path, "log.csv", "query", *(f"hail {each}" for each in range(60)))
    )
    assert LogQuery.objects.count() == stored
    if not stored:
        assert answer.code == 2
        assert answer.reasons == [
            "The file is too large for this machine: its first 50 rows take 100 MiB of memory, to import them takes up "
            "to 7 times as much, and 599 MiB more are free. Split the file, or import it where there is more memory."
        ]


def test_a_command_that_takes_long_says_how_far_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commandline, "SECONDS_BETWEEN_FIGURES", -1)
    factories.a_corpus()
    log = written(tmp_path, "log.csv", "query", *(f"hail {each}" for each in range(1200)))
    told = StringIO()
    call_command("import_log", "claims", str(log), stdout=StringIO(), stderr=told)
    assert told.getvalue().splitlines() == [
        "0 rows read",
        "1,000 rows read",
        "1,200 rows read",
        "1,200 rows read, and being stored",
        "1,200 of 1,200 rows stored",
    ]


def test_what_is_free_is_told_by_the_machine_and_by_the_container(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "meminfo").write_text("MemTotal:  4000 kB\nMemAvailable:    3000 kB\n")
    for name, told in (
        ("memory.max", "2000000"),
        ("memory.current", "900000"),
        ("memory.stat", "file 9\ninactive_file 500"),
    ):
        (tmp_path / name).write_text(f"{told}\n")
    monkeypatch.setattr(memory, "_MACHINE", tmp_path / "meminfo")
    monkeypatch.setattr(memory, "_GROUP", tmp_path)
    assert memory.available() == 1_100_500
    (tmp_path / "memory.max").write_text("max\n")
    assert memory.available() == 3000 * 1024
    monkeypatch.setattr(memory, "_MACHINE", tmp_path / "none")
    assert memory.available() is None


def test_texts_that_all_changed_are_written_with_few_questions(
    tmp_path: Path, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    assert bring("import_corpus", "claims", documents(tmp_path, "first")).code == 0
    changed = documents(tmp_path, "second")
    with django_assert_max_num_queries(50):
        assert bring("import_corpus", "claims", changed).counts == (60, 60, 0, 0)
    texts = DocumentText.objects.filter(document__corpus=Corpus.objects.get())
    assert texts.filter(current=True, text__contains="second").count() == 60
    assert texts.filter(current=False, text__contains="first").count() == 60


def test_the_keys_of_new_documents_are_asked_for_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lookups, "MOST_VALUES", 10)
    with CaptureQueriesContext(connection) as asked:
        assert bring("import_corpus", "claims", documents(tmp_path, "first")).code == 0
    said = [each["sql"].removeprefix("10 times: ") for each in asked.captured_queries]
    stored = [place for place, sql in enumerate(said) if sql.startswith('INSERT INTO "curation_document')]
    assert len(stored) == 12  # ten rows each, of documents and then of texts
    assert [sql.split(" FROM ")[0] for sql in said[stored[0] : stored[-1]] if sql.startswith("SELECT")] == [
        'SELECT "curation_document"."external_id" AS "external_id", "curation_document"."id" AS "pk"'
    ]
