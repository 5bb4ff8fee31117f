"""Reading the vectors that people bring."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.retrieval.vector_files import read_ids, read_jsonl, read_npy
from curation.retrieval.vectors import VectorsRefused

ROWS = np.arange(1, 10, dtype=np.float32).reshape(3, 3)


def written(folder: Path, content: bytes) -> Path:
    path = folder / "vectors.jsonl"
    path.write_bytes(content)
    return path


def npy(folder: Path, rows: np.ndarray[Any, Any]) -> tuple[Path, Path]:
    np.save(folder / "v.npy", rows)
    (folder / "ids.txt").write_text("".join(f"d{n}\n" for n in range(len(rows))))
    return folder / "v.npy", folder / "ids.txt"


def test_c23_vectors_without_a_place_are_named(cases: Path) -> None:
    with pytest.raises(VectorsRefused) as refusal:
        read_jsonl(cases / "c23-vectors.jsonl")
    assert str(refusal.value).startswith("2 vectors (d3, d4) hold NaN, infinity or a number beyond float32;")
    with pytest.raises(VectorsRefused, match=r"1 vector \(q2\) holds NaN"):
        read_jsonl(cases / "c23-queries.jsonl")


def test_c27_mixed_dimensions_are_refused_with_the_line(cases: Path) -> None:
    with pytest.raises(VectorsRefused) as refusal:
        read_jsonl(cases / "c27-mixed.jsonl")
    assert str(refusal.value) == (
        "c27-mixed.jsonl, line 2: d4 has 5 dimensions but d3 on line 1 has 4;"
        " one file holds the vectors of one encoder."
    )


def test_c27_a_file_says_which_model_made_it(cases: Path) -> None:
    queries = read_jsonl(cases / "c27-queries.jsonl")
    assert (queries.ids, queries.encoder, queries.rows.shape) == (("q1",), "enc-b", (1, 3))
    assert read_jsonl(cases / "c27-vectors.jsonl").encoder == ""


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("objects", "c58-objects.npy holds Python objects, not plain numbers"),
        (
            "claims-4tb",
            "c58-claims-4tb.npy claims 1,000,000,000 rows of 1,024 numbers, which take 4,096,000,000,128 bytes,"
            " but the file has 192; it is damaged or cut off",
        ),
        ("two-rows", "c58-two-rows.npy has 2 rows but c58-ids.txt has 3 ids"),
    ],
)
def test_c58_files_that_would_break_on_reading_are_refused_before(cases: Path, name: str, words: str) -> None:
    with pytest.raises(VectorsRefused) as refusal:
        read_npy(cases / f"c58-{name}.npy", cases / "c58-ids.txt")
    assert str(refusal.value).startswith(words)


@pytest.mark.parametrize(
    ("name", "notices"),
    [
        ("bigendian", ()),
        ("fortran", ()),
        ("float64", ("c58-float64.npy holds float64 numbers; they are stored as float32.",)),
    ],
)
def test_c58_byte_order_layout_and_float64_are_read(cases: Path, name: str, notices: tuple[str, ...]) -> None:
    vectors = read_npy(cases / f"c58-{name}.npy", cases / "c58-ids.txt")
    expected = np.load(cases / f"c58-{name}.npy")
    assert vectors.ids == ("d1", "d2", "d3")
    assert vectors.notices == notices
    assert (vectors.matrix == expected).all()
    assert vectors.matrix.dtype == np.dtype("f4")


def test_float16_is_converted_with_a_notice(tmp_path: Path) -> None:
    vectors = read_npy(*npy(tmp_path, ROWS.astype(np.float16)))
    assert vectors.notices == ("v.npy holds float16 numbers; they are stored as float32.",)
    assert (vectors.matrix == ROWS).all()


def test_an_npy_of_a_newer_header_version_is_read(tmp_path: Path) -> None:
    with (tmp_path / "v.npy").open("wb") as file:
        np.lib.format.write_array(file, ROWS, version=(2, 0))
    (tmp_path / "ids.txt").write_text("a\nb\nc")
    assert (read_npy(tmp_path / "v.npy", tmp_path / "ids.txt").matrix == ROWS).all()


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        (np.ones(4, dtype=np.float32), r"shape \(4,\)"),
        (np.ones((2, 2, 2), dtype=np.float32), r"shape \(2, 2, 2\)"),
        (np.ones((0, 3), dtype=np.float32), r"shape \(0, 3\)"),
        (np.ones((2, 2), dtype=np.int8), r"holds \|i1, not plain numbers"),
        (np.ones((2, 2), dtype=np.complex64), "holds <c8, not plain numbers"),
        (np.ones((2, 2), dtype=np.longdouble), "holds <f16, not plain numbers"),
        (np.ones(2, dtype=[("x", "f4")]), "not plain numbers"),
        (np.array([[1, 0], [np.nan, 1]]), r"1 vector \(d1\) holds NaN"),
        (np.array([[1, 0], [1e39, 1]]), r"1 vector \(d1\) holds NaN, infinity or a number beyond float32"),
        (np.array([[0, 0], [0, 1]], dtype=np.float32), r"1 vector \(d0\) holds nothing but zeros"),
    ],
)
def test_arrays_that_are_no_vectors_are_refused(tmp_path: Path, rows: np.ndarray[Any, Any], words: str) -> None:
    with pytest.raises(VectorsRefused, match=words):
        read_npy(*npy(tmp_path, rows))


def test_bytes_after_the_array_are_refused(tmp_path: Path) -> None:
    path, ids = npy(tmp_path, ROWS)
    path.write_bytes(path.read_bytes() + b"\0")
    with pytest.raises(VectorsRefused, match="take 164 bytes, but the file has 165"):
        read_npy(path, ids)


HEADER = b"\x93NUMPY\x01\x00\x76\x00"


@given(
    st.one_of(
        st.binary(max_size=40),
        st.binary(max_size=130).map(lambda tail: HEADER + tail),
        st.text(st.sampled_from("{}()[],:'L0<f4 -"), max_size=118).map(
            lambda text: HEADER + text.encode().ljust(118) + bytes(36)
        ),
    )
)
def test_no_bytes_break_the_header_parser(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    folder = tmp_path_factory.mktemp("fuzz")
    (folder / "v.npy").write_bytes(content)
    (folder / "ids.txt").write_text("a")
    with pytest.raises(VectorsRefused, match=r"v\.npy"):
        read_npy(folder / "v.npy", folder / "ids.txt")


@pytest.mark.parametrize(
    "header",
    ["{'descr': 3, 'fortran_order': False, 'shape': (3, 3)}", "{'descr': '<f4', 'fortran_order': 0, 'shape': (-3, 3)}"],
)
def test_a_header_with_nonsense_in_it_is_refused(tmp_path: Path, header: str) -> None:
    path = tmp_path / "v.npy"
    path.write_bytes(HEADER + header.encode().ljust(118) + bytes(36))
    with pytest.raises(VectorsRefused, match=r"v\.npy"):
        read_npy(path, path)


def test_ids_are_read_as_written(tmp_path: Path) -> None:
    path = tmp_path / "ids.txt"
    path.write_bytes("\ufeff007\r\n7\r\n 7\r\n1e5\r\nd\u2028x\r\nd\u0301\r\nN/A\r\n".encode())
    assert read_ids(path) == ("007", "7", " 7", "1e5", "d\u2028x", "d\u0301", "N/A")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"a\nb\na\n", "ids.txt, line 3: the id a stands on line 1 already"),
        (b"a\n\nb\n", "ids.txt, line 2: an id cannot be empty"),
        (b"a\nb\0\n", "ids.txt, line 2: an id cannot be empty or hold NUL"),
        (b"a\n\xff\n", "ids.txt, line 2: not UTF-8"),
        (b"a\n\xed\xa0\x80\n", "ids.txt, line 2: not UTF-8"),
    ],
)
def test_an_id_list_with_a_fault_is_refused_by_line(tmp_path: Path, content: bytes, words: str) -> None:
    path = tmp_path / "ids.txt"
    path.write_bytes(content)
    with pytest.raises(VectorsRefused, match=words):
        read_ids(path)


def test_jsonl_keeps_ids_and_order(tmp_path: Path) -> None:
    content = '\ufeff{"id":"007","vector":[1,2.5]}\r\n\n{"id":7,"model":"","vector":[0,-1e-3]}'.encode()
    vectors = read_jsonl(written(tmp_path, content))
    assert vectors.ids == ("007", "7")
    assert (vectors.matrix == np.array([[1, 2.5], [0, -1e-3]], dtype=np.float32)).all()


GOOD = b'{"id":"a","vector":[1,2]}\n'


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (b"{", "line 2: this is not one JSON object"),
        (b'{"id":"\xff","vector":[1,2]}', "line 2: this is not one JSON object in UTF-8"),
        (b"[" * 100_000, "line 2: this is not one JSON object"),
        (b"[1,2]", 'line 2: a JSON object with an "id"'),
        (b'{"id":true,"vector":[1,2]}', 'line 2: a JSON object with an "id"'),
        (b'{"id":"","vector":[1,2]}', 'line 2: a JSON object with an "id"'),
        (b'{"id":"b\\u0000","vector":[1,2]}', 'line 2: a JSON object with an "id"'),
        (b'{"id":"b"}', 'line 2: the "vector" of b is not a list of numbers'),
        (b'{"id":"b","vector":[]}', 'line 2: the "vector" of b is not a list of numbers'),
        (b'{"id":"b","vector":[1,true]}', 'line 2: the "vector" of b is not a list of numbers'),
        (b'{"id":"b","vector":[1,"2"]}', 'line 2: the "vector" of b is not a list of numbers'),
        (b'{"id":"b","vector":[1,2],"model":3}', 'line 2: the "model" of b is not text'),
        (b'{"id":"b","vector":[1,2],"model":"m"}', "line 2: the model is m but not named on line 1"),
        (b'{"id":"b","vector":[1,' + b"9" * 400 + b"]}", "line 2: b holds a number beyond float32"),
        (b'{"id":"a","vector":[1,2]}', "line 2: the id a stands on line 1 already"),
    ],
)
def test_a_faulty_line_is_refused_by_number(tmp_path: Path, line: bytes, words: str) -> None:
    with pytest.raises(VectorsRefused, match=words):
        read_jsonl(written(tmp_path, GOOD + line))


def test_a_file_without_lines_is_refused(tmp_path: Path) -> None:
    with pytest.raises(VectorsRefused, match=r"vectors\.jsonl holds no vectors"):
        read_jsonl(written(tmp_path, b"\n"))


@given(st.lists(st.floats(-1e38, 1e38).filter(lambda number: abs(number) > 1e-30), min_size=1, max_size=5))
def test_numbers_in_jsonl_are_rounded_once_to_float32(
    tmp_path_factory: pytest.TempPathFactory, numbers: list[float]
) -> None:
    line = json.dumps({"id": "a", "vector": numbers}).encode()
    row = read_jsonl(written(tmp_path_factory.mktemp("jsonl"), line)).rows[0]
    assert row.tolist() == [float(np.float32(number)) for number in numbers]
