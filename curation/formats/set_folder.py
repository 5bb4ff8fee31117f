"""An exported set as it comes back in: what `set.json` says of it, held against its files, and each query's stratum."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path, PurePosixPath

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from curation.formats.delimited import delimited_records, tsv_rows
from curation.formats.export.beside import ABOUT, STRATA
from curation.formats.export.folder import FORMS
from curation.formats.faults import Fault, FileRefused
from curation.formats.lines import read_lines
from curation.formats.opening import Limits, Part, open_packed, open_part, parts_of
from curation.formats.records import Record

WHOLE = tuple(form for form, layout in FORMS.items() if layout.holds_corpus)
"""The layouts that come back in whole: documents, queries and grades."""
_BLOCK = 1 << 20
_MOST = 1 << 24


class ExactList(BaseModel):
    """The encoder by whose vectors exact search drew the candidates of `queries` queries."""

    model_config = ConfigDict(frozen=True)

    encoder: str = Field(min_length=1, max_length=200)
    revision: str = Field(max_length=200)
    queries: int = Field(ge=1)


class About(BaseModel):
    """What `set.json` says, as far as the way back needs it; `files` gives each file's SHA-256.

    `exact_lists` is None where the set was exported, or frozen, before it was said.
    """

    model_config = ConfigDict(frozen=True)

    name: str = Field(alias="set", min_length=1, max_length=100)
    form: str = Field(alias="format")
    relevant_from: int = Field(ge=1, le=3)
    traffic: dict[str, float] = Field(default_factory=dict)
    plan: list[dict[str, str | int]] = Field(default_factory=list)
    exact_lists: list[ExactList] | None = None
    files: dict[str, str]


@dataclass(frozen=True, slots=True)
class SetFolder:
    """An exported set that is whole; `strata` gives by query id the columns of `strata.tsv`."""

    about: About
    strata: Mapping[str, Mapping[str, str]]


def read_set_folder(path: Path, limits: Limits) -> SetFolder:
    """Read what stands beside an export, and hold every file against its hash.

    Raises:
        FileRefused: it is no folder or zip that `export_set` wrote, holds no documents, or is not as it was written.
    """
    parts = _parts(path, limits)
    about = _about(parts.pop(ABOUT), limits)
    if about.form not in WHOLE:
        raise FileRefused(
            f"The layout {about.form[:40]} holds no documents to bring back; {', '.join(WHOLE)} come back whole."
        )
    _hold_against(about.files, parts, limits)
    strata = {row.get("query_id", ""): row for row in _strata(parts[STRATA], limits)} if STRATA in parts else {}
    return SetFolder(about, strata)


def _parts(path: Path, limits: Limits) -> dict[str, Part]:
    """The files by their names beside `set.json`, which may lie in a folder of the zip."""
    parts = parts_of(path, name=path.name, limits=limits)
    homes = [PurePosixPath(part.name).parent for part in parts if PurePosixPath(part.name).name == ABOUT]
    if len(homes) != 1:
        found = "more than one" if homes else "no"
        raise FileRefused(f"There is {found} {ABOUT} in it. Choose one folder or zip that export_set wrote.")
    home = "" if homes[0] == PurePosixPath() else f"{homes[0]}/"
    named: dict[str, Part] = {}
    for part in parts:
        if not part.name.startswith(home):
            raise FileRefused(f"{part.name[:200]} is not of this set: it lies outside the folder of {ABOUT}.")
        if named.setdefault(part.name.removeprefix(home), part) is not part:
            raise FileRefused(f"{part.name[:200]} is in it twice, and {ABOUT} names one; pack the folder again.")
    return named


def _about(part: Part, limits: Limits) -> About:
    with open_packed(part, limits) as stream:
        written = stream.read(_MOST)
    try:
        return About.model_validate_json(written)
    except ValidationError as fault:
        where = ".".join(str(step) for step in fault.errors()[0]["loc"]) or "its text"
        raise FileRefused(f"{ABOUT} is not as export_set writes it: look at {where[:80]}.") from fault


def _hold_against(hashes: Mapping[str, str], parts: Mapping[str, Part], limits: Limits) -> None:
    for name in sorted(hashes.keys() | parts.keys()):
        if name not in parts:
            raise FileRefused(f"{name[:200]} is missing, which {ABOUT} names.")
        if name not in hashes:
            raise FileRefused(f"{name[:200]} is not of this set: {ABOUT} does not name it.")
        if hashes[name] != _hash_of(parts[name], limits):
            raise FileRefused(
                f"{name[:200]} is not the file that was exported: {ABOUT} gives it another SHA-256. "
                "Export the set again, or import its files one by one."
            )


def _hash_of(part: Part, limits: Limits) -> str:
    digest = sha256()
    with open_packed(part, limits) as stream:
        while block := stream.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()


def _strata(part: Part, limits: Limits) -> Iterator[Mapping[str, str]]:
    with open_part(part, limits) as stream:
        for record in delimited_records(tsv_rows(read_lines(stream, most=limits.line))):
            if isinstance(record, Fault):
                raise FileRefused(f"{STRATA}: {record.reason}", line=record.line)
            if isinstance(record, Record):
                yield {name: str(value) for name, value in record.fields.items()}
