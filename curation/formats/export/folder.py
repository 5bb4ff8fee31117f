"""An export as a folder: whole or not there at all, and the same bytes every time; or as a zip of such a folder."""

from __future__ import annotations

import shutil
import tempfile
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from curation.formats.export import evaluators, hubs, workbenches
from curation.formats.export.beside import write_about, write_moved, write_renderings, write_strata
from curation.formats.export.cards import write_card
from curation.formats.export.files import files_in, hash_of
from curation.formats.export.rows import ExportedSet
from curation.formats.faults import WriteRefused

# Zip's own beginning of time: an archive must not tell when it was packed.
_LONG_AGO = (1980, 1, 1, 0, 0, 0)
_BLOCK = 1 << 20


@dataclass(frozen=True, slots=True)
class ExportForm:
    """One layout, in words. `by` says what its qrels name, `subsets` what the head of its README.md lists.

    `remark` looks at a folder that was written, and says what its reader may stumble over there; "" for nothing.
    """

    write: Callable[[Path, ExportedSet], None]
    words: str
    holds_corpus: bool = True
    by: str = "document"
    subsets: Callable[[ExportedSet], Mapping[str, str]] = lambda _: {}
    remark: Callable[[Path], str] = lambda _: ""


FORMS: Mapping[str, ExportForm] = {
    "jsonl": ExportForm(evaluators.write_jsonl, "JSON Lines, everything, to import again", by="canonical_id"),
    "beir": ExportForm(evaluators.write_beir, "BEIR folder"),
    "trec": ExportForm(evaluators.write_trec, "TREC topics and qrels", holds_corpus=False),
    "mteb": ExportForm(hubs.write_mteb, "MTEB task, a subset for each language", subsets=hubs.mteb_subsets),
    "ranx": ExportForm(evaluators.write_ranx, "ranx qrels", holds_corpus=False),
    "quepid": ExportForm(
        workbenches.write_quepid,
        "Quepid ratings for each language, as CSV and as JSON for older Quepids",
        holds_corpus=False,
        remark=workbenches.refused_by_older,
    ),
    "opensearch": ExportForm(workbenches.write_opensearch, "OpenSearch query sets and judgments", holds_corpus=False),
    "hf": ExportForm(hubs.write_hf, "Hugging Face, Parquet", subsets=hubs.hf_subsets),
}


def write_folder(folder: Path, exported: ExportedSet, *, form: str) -> bool:
    """Write the export to `folder`; False where the very same one stands there already.

    Raises:
        WriteRefused: the form cannot hold the set, or the folder holds something else; nothing was written.
    """
    if folder.exists() and not folder.is_dir():
        raise WriteRefused(f"{folder} is a file; name a folder.")
    folder = folder.resolve()
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=f".{folder.name}.") as aside:
        fresh = Path(aside) / "export"
        fresh.mkdir()
        _fill(fresh, exported, form)
        if folder.exists() and any(folder.iterdir()):
            if same_files(folder, fresh):
                return False
            raise WriteRefused(f"{folder} is not empty and holds something else; name a new folder.")
        if folder.exists():
            folder.rmdir()
        fresh.rename(folder)
    return True


def write_zip(out: BinaryIO, exported: ExportedSet, *, form: str, aside: Path | None = None) -> None:
    """Write the export's folder as a zip, the same bytes every time; it is laid out below `aside` first.

    Raises:
        WriteRefused: the form cannot hold the set.
    """
    with tempfile.TemporaryDirectory(dir=aside) as laid_out:
        folder = Path(laid_out)
        _fill(folder, exported, form)
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
            for name in files_in(folder):
                member = zipfile.ZipInfo(name, _LONG_AGO)
                member.create_system, member.external_attr = 3, 0o644 << 16
                member.compress_type = zipfile.ZIP_DEFLATED
                member.file_size = (folder / name).stat().st_size  # from 2 GiB on, zip has another form for it
                with (folder / name).open("rb") as source, archive.open(member, "w") as target:
                    shutil.copyfileobj(source, target, _BLOCK)


def same_files(one: Path, other: Path) -> bool:
    """Whether two folders hold the same files with the same bytes."""
    names = files_in(one)
    return names == files_in(other) and all(hash_of(one / name) == hash_of(other / name) for name in names)


def _fill(folder: Path, exported: ExportedSet, form: str) -> None:
    layout = FORMS[form]
    layout.write(folder, exported)
    write_strata(folder, exported)
    write_moved(folder, exported)
    if layout.by == "document":
        write_renderings(folder, exported)
    subsets, remark = layout.subsets(exported), layout.remark(folder)
    write_card(folder, exported, form=form, by=layout.by, subsets=subsets, remark=remark)
    write_about(folder, exported, form=form, by=layout.by)
