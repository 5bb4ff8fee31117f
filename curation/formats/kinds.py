"""What kind of file the first bytes belong to, and the sentence for each kind that is not read here."""

from pathlib import PurePath
from typing import Literal

from curation.formats.faults import FileRefused

Form = Literal["jsonl", "csv", "tsv", "parquet"]

GZIP = b"\x1f\x8b"
ZIP = b"PK\x03\x04"
EMPTY_ZIP = b"PK\x05\x06"
PARQUET = b"PAR1"
BYTE_ORDER_MARK = b"\xef\xbb\xbf"

_SUFFIXES: dict[str, Form] = {
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "jsonl",
    ".csv": "csv",
    ".tsv": "tsv",
    ".tab": "tsv",
    # TREC's names: lines that are no JSON, whatever their first letter.
    ".qrels": "tsv",
    ".run": "tsv",
    ".trec": "tsv",
    ".parquet": "parquet",
    ".pq": "parquet",
}

_EXPECTED = "Expected is {forms}, alone or in a gzip or zip."
_TABLES = "JSONL, CSV, TSV or Parquet"
_LINES_TOO = "TREC's columns, JSONL, CSV, TSV or Parquet"
_WRONG_KINDS: tuple[tuple[bytes, str], ...] = (
    (b"\x89PNG", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"GIF8", "a GIF picture"),
    (b"%PDF", "a PDF"),
    (b"\x80\x02", "a Python pickle, which is never opened"),
    (b"\x80\x03", "a Python pickle, which is never opened"),
    (b"\x80\x04", "a Python pickle, which is never opened"),
    (b"\x80\x05", "a Python pickle, which is never opened"),
    (b"\x93NUMPY", "a NumPy array (vectors have an import of their own)"),
    (b"SQLite format 3\x00", "an SQLite database"),
    (b"\x89HDF", "an HDF5 file"),
    (b"ARROW1", "an Arrow file; Parquet is read instead"),
    (b"\xd0\xcf\x11\xe0", "an old Office file; save the sheet as CSV UTF-8"),
    (b"\x7fELF", "a program"),
    (b"MZ\x90", "a program"),
    (b"7z\xbc\xaf", "a 7z archive; use gzip or zip"),
    (b"Rar!", "a RAR archive; use gzip or zip"),
    (b"BZh", "a bzip2 archive; use gzip or zip"),
    (b"\xfd7zXZ", "an xz archive; use gzip or zip"),
    (b"\x28\xb5\x2f\xfd", "a zstd archive; use gzip or zip"),
    (GZIP, "an archive inside an archive; pack it once"),
    (ZIP, "an archive inside an archive; pack it once"),
    (b"\xff\xfe", "UTF-16 text; save it as UTF-8"),
    (b"\xfe\xff", "UTF-16 text; save it as UTF-8"),
)


def refuse_wrong_kind(head: bytes, *, lines_too: bool = False) -> None:
    """Raise `FileRefused` naming the kind when the first bytes are those of a file that holds no rows.

    `head` is what stands at the start of the unpacked file; signatures are those of the public file formats. With
    `lines_too` lines without a header, as TREC has them, are read as well.
    """
    if not head:
        raise FileRefused("The file is empty.")
    expected = _EXPECTED.format(forms=_LINES_TOO if lines_too else _TABLES)
    for signature, kind in _WRONG_KINDS:
        if head.startswith(signature):
            raise FileRefused(f"The file is {kind}. {expected}")
    if head.lstrip().lower().startswith((b"<!doctype html", b"<html")):
        raise FileRefused(f"The file is a web page. {expected}")


def form_of(name: str, head: bytes, *, lines_too: bool = False) -> Form:
    """The form of a file, by its name, else by its first line; Parquet always by its first bytes.

    Raises `FileRefused` when the name says Parquet and the bytes do not, or the text is one JSON array.
    """
    if head.startswith(PARQUET):
        return "parquet"
    refuse_wrong_kind(head, lines_too=lines_too)
    named = _SUFFIXES.get(PurePath(bare_name(name)).suffix.lower())
    if named == "parquet":
        raise FileRefused("The file is named Parquet and is not one; its first bytes are wrong.")
    return named or _form_of_text(head)


def bare_name(name: str) -> str:
    """The name without the ending of its packing: `corpus.jsonl.gz` is `corpus.jsonl`."""
    return name[:-3] if name.lower().endswith(".gz") else name


def _form_of_text(head: bytes) -> Form:
    first = head.removeprefix(BYTE_ORDER_MARK).lstrip().split(b"\n", 1)[0]
    if first.startswith((b"{", b"[")):
        return "jsonl"
    return "tsv" if b"\t" in first else "csv"
