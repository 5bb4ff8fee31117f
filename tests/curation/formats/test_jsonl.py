import io
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.formats.documents import DocumentRow, read_documents, write_documents
from curation.formats.faults import FileRefused

from .reads import CASES, faults_of, rows_of, written


def reason_of(folder: Path, content: bytes | str) -> str:
    (fault,) = faults_of(read_documents(written(folder, "c.jsonl", content)))
    return fault.reason


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ('{"id": "a", "text": "t", "id": "b"}', "The key id stands twice in one object; keep one."),
        ('{"id": "a", "text": "t", "m": {"x": 1, "x": 2}}', "The key x stands twice in one object; keep one."),
        ('{"id": "a", "text": "t", "m": NaN}', "NaN is not a number that can be kept."),
        ('{"id": "a", "text": "t", "m": 1e999}', "1e999 is not a number that can be kept."),
        ('{"id": "a", "text": "x\\u0000y"}', "The row holds a NUL character, which no text can keep; remove it."),
        ('{"id": "a", "text": "x\0y"}', "The row holds a NUL character, which no text can keep; remove it."),
        ('{"id": "a", "text": "\\ud83d"}', "The row holds half of a surrogate pair"),
        ('{"id": "a", "text": "t", "m": [{"\\udc00": 1}]}', "The row holds half of a surrogate pair"),
        ('["a"]\n{"id": "a", "text": "t"}', ""),
        ('"a"', "The line is not a JSON object; write one {...} a line."),
        ('{"id": "a", "text": "t"} {}', "The line is not JSON: Extra data at character 26."),
        ('{"id": "a", "text": "t", "m": ' + "[" * 200_000 + "}", "The line is nested too deeply to be read."),
        ('{"id": "a", "text": "t", "m": ' + "9" * 5000 + "}", "A number has 5,000 digits; write it as text."),
    ],
)
def test_what_json_leaves_open_is_refused_by_line(tmp_path: Path, line: str, reason: str) -> None:
    if not reason:
        with pytest.raises(FileRefused, match="one JSON value; write one object a line"):
            reason_of(tmp_path, line)
        return
    assert reason_of(tmp_path, line).startswith(reason)


def test_a_refused_line_is_named_by_its_id(tmp_path: Path) -> None:
    path = written(tmp_path, "c.jsonl", '{"text": "t", "id": "a", "m": NaN}\n{"_id": 12, "m": }')
    assert [(fault.line, fault.id) for fault in faults_of(read_documents(path))] == [(1, "a"), (2, "12")]


@pytest.mark.parametrize("text", ["\\ud83d\\ude00", "\\\\u0000", "\\\\ud83d"])
def test_a_whole_pair_and_a_written_out_escape_are_text(tmp_path: Path, text: str) -> None:
    path = written(tmp_path, "c.jsonl", f'{{"id": "a", "text": "{text}"}}')
    assert [row.text for row in rows_of(read_documents(path))] == [json.loads(f'"{text}"')]


@pytest.mark.parametrize("content", ['{\n"id": "a"\n}', '[\n{"id": "a"}]', '[{"id": "a"}]'])
def test_one_json_value_over_lines_is_refused_once(tmp_path: Path, content: str) -> None:
    with pytest.raises(FileRefused, match="one JSON value; write one object a line"):
        list(read_documents(written(tmp_path, "c.json", content)))


def test_bytes_that_are_not_utf8_are_named_by_offset_and_line(tmp_path: Path) -> None:
    content = b"\xef\xbb\xbf" + b'{"id": "a", "text": "t"}\n' + '{"id": "b", "text": "Größe"}\n'.encode("latin-1")
    with pytest.raises(FileRefused) as refusal:
        list(read_documents(written(tmp_path, "c.jsonl", content)))
    assert str(refusal.value) == "The file is not UTF-8: byte 0xF6 at offset 51, line 2. Save it as UTF-8."
    assert content[51] == 0xF6


def test_a_surrogate_spelled_in_utf8_is_not_utf8(tmp_path: Path) -> None:
    with pytest.raises(FileRefused, match="byte 0xED at offset 21, line 1"):
        list(read_documents(written(tmp_path, "c.jsonl", b'{"id": "a", "text": "\xed\xa0\x80"}')))


def exported(rows: list[DocumentRow], form: str = "jsonl") -> str:
    out = io.StringIO(newline="")
    write_documents(out, rows, form="beir" if form == "beir" else "jsonl")
    return out.getvalue()


def test_c52_line_ends_that_json_allows_are_written_escaped_and_read_back(tmp_path: Path) -> None:
    rows = rows_of(read_documents(CASES / "c52-corpus.jsonl"))
    text = exported(rows)
    assert (len(text.splitlines()), text.count("\\u2028"), text.count("\\u2029"), text.count("\\u0085")) == (5, 1, 1, 1)
    again = rows_of(read_documents(written(tmp_path, "again.jsonl", text)))
    assert [row.text for row in again] == [row.text for row in rows]
    assert exported(again) == text


def test_c54_every_id_and_text_of_the_corpus_comes_out_as_it_went_in(tmp_path: Path) -> None:
    rows = rows_of(read_documents(CASES / "c54-corpus.csv"))
    again = rows_of(read_documents(written(tmp_path, "again.jsonl", exported(rows))))
    assert [(row.external_id, row.text) for row in again] == [(row.external_id, row.text) for row in rows]
    assert (len(again), again[2].external_id) == (7, "007")


WORDS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12)
IDS = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=6).filter(lambda word: word.strip())
JSON = st.recursive(st.none() | st.booleans() | st.integers() | WORDS, lambda inner: st.lists(inner, max_size=3))


@given(
    external_id=IDS,
    canonical_id=IDS,
    text=WORDS,
    title=WORDS,
    more=st.dictionaries(WORDS, JSON, max_size=3),
    form=st.sampled_from(["jsonl", "beir"]),
)
def test_any_document_comes_back_equal_from_both_forms(
    tmp_path_factory: pytest.TempPathFactory,
    *,
    external_id: str,
    canonical_id: str,
    text: str,
    title: str,
    more: dict[str, object],
    form: str,
) -> None:
    row = DocumentRow(
        1, external_id, canonical_id, "tr", "Latn", True, title, f"{text}.", {"jurisdiction": "AT"}, {"x": 1}
    )
    path = written(tmp_path_factory.mktemp("any"), "c.jsonl", exported([row], form))
    assert rows_of(read_documents(path)) == [row]
    extra = {f"x-{name}": value for name, value in more.items()}
    line = json.dumps({"id": "a", "text": "t"} | extra, ensure_ascii=True)
    read = rows_of(read_documents(written(path.parent, "m.jsonl", line)))
    assert read[0].metadata == extra
    assert rows_of(read_documents(written(path.parent, "n.jsonl", exported(read, form)))) == [read[0]]
