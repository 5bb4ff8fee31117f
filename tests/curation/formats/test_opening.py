import gzip
import io
import zipfile
from pathlib import Path

import pytest

from curation.formats.documents import read_documents
from curation.formats.faults import FileRefused
from curation.formats.opening import Limits
from curation.formats.tables import Reading

from .reads import faults_of, rows_of, written

CORPUS = b"id,text\nd1,one\nd2,two\n"


def zipped(members: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return out.getvalue()


def refusal_of(path: Path, reading: Reading | None = None) -> str:
    with pytest.raises(FileRefused) as refusal:
        list(read_documents(path, reading))
    return str(refusal.value)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("c.csv", CORPUS),
        ("c.csv.gz", gzip.compress(CORPUS, mtime=0)),
        ("c.zip", zipped({"c.csv": CORPUS})),
        ("upload", CORPUS),
        ("upload", CORPUS.replace(b",", b"\t")),
        ("upload", gzip.compress(CORPUS, mtime=0)),
        ("upload", b'{"id": "d1", "text": "one"}\n{"id": "d2", "text": "two"}\n'),
        ("c.zip", zipped({"c.csv": gzip.compress(CORPUS, mtime=0), "__MACOSX/c.csv": b"x"})),
    ],
)
def test_a_file_is_read_packed_or_not_and_by_its_bytes_where_its_name_says_nothing(
    tmp_path: Path, name: str, content: bytes
) -> None:
    rows = rows_of(read_documents(written(tmp_path, name, content)))
    assert [(row.external_id, row.text) for row in rows] == [("d1", "one"), ("d2", "two")]


def test_the_owners_name_decides_over_the_name_it_is_stored_under(tmp_path: Path) -> None:
    path = written(tmp_path, "0001.bin", b"id\ttext\nd1\ta and b\n")
    assert [row.text for row in rows_of(read_documents(path, Reading(name="c.tsv")))] == ["a and b"]
    assert refusal_of(path, Reading(name="c.csv")).startswith("The file has no column for doc_id")


def test_a_file_over_the_upload_limit_is_refused_before_it_is_read(tmp_path: Path) -> None:
    path = written(tmp_path, "c.csv", CORPUS)
    assert refusal_of(path, Reading(limits=Limits(packed=10))) == (
        "The file has 22 bytes; at most 10 bytes can be uploaded."
    )


@pytest.mark.parametrize("name", ["bomb.csv.gz", "bomb.zip"])
def test_an_archive_that_unpacks_to_too_much_is_refused_in_a_sentence(tmp_path: Path, name: str) -> None:
    text = b"id,text\n" + b"d1,one\n" * 500_000
    path = written(tmp_path, name, gzip.compress(text, mtime=0) if name.endswith("gz") else zipped({"c.csv": text}))
    assert path.stat().st_size < 30_000
    assert refusal_of(path, Reading(limits=Limits(packed=100_000, unpacked=100_000))).endswith(
        "has more than 100,000 bytes, the most that is read."
    )


def test_a_zip_that_lies_about_its_size_is_still_stopped(tmp_path: Path) -> None:
    content = bytearray(zipped({"c.csv": b"id,text\n" + b"d1,one\n" * 100_000}))
    directory = content.index(b"PK\x01\x02")
    content[directory + 24 : directory + 28] = (8).to_bytes(4, "little")
    reason = refusal_of(written(tmp_path, "c.zip", bytes(content)), Reading(limits=Limits(unpacked=1000)))
    assert reason == "The archive is cut off or damaged; pack it again."


def test_too_many_files_in_one_archive_are_refused(tmp_path: Path) -> None:
    path = written(tmp_path, "c.zip", zipped({"a.csv": b"x", "b.csv": b"x", "c.csv": b"x"}))
    assert refusal_of(path, Reading(limits=Limits(members=2))) == "The zip archive holds more than 2 files."


def test_a_locked_zip_is_refused(tmp_path: Path) -> None:
    content = bytearray(zipped({"c.csv": CORPUS}))
    content[6] |= 1
    content[content.index(b"PK\x01\x02") + 8] |= 1
    assert "locked with a password" in refusal_of(written(tmp_path, "c.zip", bytes(content)))


@pytest.mark.parametrize("name", ["c.csv.gz", "c.zip"])
def test_an_archive_that_is_cut_off_is_refused(tmp_path: Path, name: str) -> None:
    content = gzip.compress(CORPUS * 50, mtime=0) if name.endswith("gz") else zipped({"c.csv": CORPUS * 50})
    assert "cut off or damaged; pack it again." in refusal_of(written(tmp_path, name, content[:40]))


def test_an_archive_in_an_archive_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path, "c.zip", zipped({"inner": zipped({"c.csv": CORPUS})}))
    assert "an archive inside an archive; pack it once" in refusal_of(path)


def test_a_workbook_is_refused_with_the_way_out(tmp_path: Path) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("[Content_Types].xml", "<x/>")
    assert "Save the sheet as CSV UTF-8" in refusal_of(written(tmp_path, "c.xlsx", out.getvalue()))


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b"\x89PNG\r\n\x1a\n", "a PNG picture"),
        (b"\x80\x04\x95\x00", "a Python pickle, which is never opened"),
        (b"%PDF-1.7", "a PDF"),
        (b"\x93NUMPY\x01\x00", "a NumPy array"),
        ("id,text\n".encode("utf-16"), "UTF-16 text; save it as UTF-8"),
        (b"<!DOCTYPE html><html>", "a web page"),
        (b"SQLite format 3\x00", "an SQLite database"),
    ],
)
@pytest.mark.parametrize("name", ["c.csv", "c.jsonl", "c.parquet", "c"])
def test_a_file_of_another_kind_is_named_whatever_it_is_called(
    tmp_path: Path, *, name: str, content: bytes, kind: str
) -> None:
    assert refusal_of(written(tmp_path, name, content)).startswith(f"The file is {kind}")


@pytest.mark.parametrize("content", [b"", b"\xef\xbb\xbf", b"\n\n\r\n"])
@pytest.mark.parametrize("name", ["c.csv", "c.tsv", "c.jsonl", "c"])
def test_an_empty_file_is_refused(tmp_path: Path, name: str, content: bytes) -> None:
    assert refusal_of(written(tmp_path, name, content)) == "The file is empty."


def test_a_path_without_a_file_is_refused(tmp_path: Path) -> None:
    assert refusal_of(tmp_path / "none.csv").startswith("No file can be read at")


def test_two_files_that_could_be_meant_are_refused(tmp_path: Path) -> None:
    path = written(tmp_path, "c.zip", zipped({"a.csv": CORPUS, "b.csv": CORPUS}))
    assert refusal_of(path).startswith("None of the 2 files inside could be the corpus.")


@pytest.mark.parametrize("packed", [False, True])
def test_a_beir_folder_is_read_packed_or_not(tmp_path: Path, packed: bool) -> None:
    corpus = b'{"_id": "d1", "title": "", "text": "t", "metadata": {"lang": "de", "url": "u"}}\n'
    if packed:
        path = written(tmp_path, "b.zip", zipped({"b/corpus.jsonl": corpus, "b/queries.jsonl": b"{}"}))
    else:
        path = tmp_path / "b"
        path.mkdir()
        written(path, "corpus.jsonl", corpus)
        written(path, "queries.jsonl", b"{}")
    (row,) = rows_of(read_documents(path))
    assert (row.external_id, row.language, row.metadata) == ("d1", "de", {"url": "u"})


def test_metadata_never_overrules_the_row_and_clashes_stay_inside(tmp_path: Path) -> None:
    line = '{"_id": "d1", "text": "t", "url": "a", "metadata": {"doc_id": "x", "text": "other", "url": "b"}}'
    (row,) = rows_of(read_documents(written(tmp_path, "c.jsonl", line)))
    assert (row.external_id, row.text) == ("d1", "t")
    assert row.metadata == {"url": "a", "doc_id": "x", "text": "other", "metadata": {"url": "b"}}


def test_the_line_limit_skips_one_line_and_no_more(tmp_path: Path) -> None:
    path = written(
        tmp_path, "c.jsonl", '{"id":"a","text":"t"}\n' + '{"id":"b","text":"' + "x" * 200_000 + '"}\n{oops\n'
    )
    faults = faults_of(read_documents(path, Reading(limits=Limits(line=1000))))
    assert [(fault.line, fault.reason[:40]) for fault in faults] == [
        (2, "The line is longer than 1,000 bytes, the"),
        (3, "The line is not JSON: Expecting property"),
    ]
