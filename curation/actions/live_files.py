"""The file of live queries that a search service writes for an index: read from where the last reading stopped."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import BinaryIO

from django.conf import settings

from curation.actions.live_queries import AHEAD, MOST_AT_ONCE, take
from curation.formats.live_queries import LiveQueryRefused, LiveText, read_line
from curation.indexes.base import IndexRefused
from curation.models import LiveFile, TargetIndex

LONGEST = 250  # bytes of a name on disk, with room for the ending of a rotated file
HEAD = 1_024  # bytes by which a file is known again
FOLDER = "live-queries"


def live_file_of(index: TargetIndex) -> Path | None:
    """Where a search service writes what `index` was asked: `INDEX_FOLDER/live-queries/SLUG/NAME.jsonl`.

    None where the name of the index can be no name of a file, or leads out of that folder: then the API is left.
    """
    root = Path(settings.INDEX_FOLDER).resolve()
    path = root / FOLDER / index.corpus.slug / f"{index.name}.jsonl"
    is_name = "/" not in index.name and "\0" not in index.name and len(os.fsencode(path.name)) <= LONGEST
    try:
        return path if is_name and path.resolve().is_relative_to(root) else None
    except RuntimeError:  # a link that leads to itself
        return None


def read_live_file(*, index: TargetIndex, now: datetime) -> FileReading:
    """Take in what was written to the file of `index` since it was last read; whole lines alone.

    A file that was renamed (`.1`) is read to its end before the one that took its name; one that was cut short, or
    begins otherwise than before, is read from its beginning. What is read twice is stored once.

    Raises:
        IndexRefused: the file cannot be read.
    """
    path, reading = live_file_of(index), FileReading(index, now)
    if path is None:
        return reading
    place = LiveFile.objects.filter(index=index).first()
    rotated = path.with_name(f"{path.name}.1")
    try:
        if place is not None and rotated.exists() and str(rotated.stat().st_ino) == place.inode:
            place = reading.read(rotated, place)
        if path.exists():
            reading.read(path, place)
    except OSError as fault:
        words = (fault.strerror or "unknown").lower()
        raise IndexRefused(f"The file of live queries of {index.name} cannot be read: {words}.") from fault
    return reading


@dataclass
class FileReading:
    """One reading: how many queries were new or known; `refused` lines could not be read, `fault` is the last."""

    index: TargetIndex
    now: datetime
    stored: int = 0
    known: int = 0
    refused: int = 0
    fault: str = ""

    def read(self, path: Path, place: LiveFile | None) -> LiveFile:
        """Take in what stands in the file behind `place`, if that is about this file, and store how far it came."""
        with path.open("rb") as lines:
            inode = str(path.stat().st_ino)
            lines.seek(place.offset if place and _is_same(lines, inode, place) else 0)
            batch: list[LiveText] = []
            for query in self._queries(lines):
                batch.append(query)
                if len(batch) == MOST_AT_ONCE:
                    self._take(batch)
                    batch = []
            self._take(batch)
            end = lines.tell()
            lines.seek(0)
            head = lines.read(min(HEAD, end))
        return self._placed(inode, end, head)

    def _queries(self, lines: BinaryIO) -> Iterator[LiveText]:
        """The searches of the whole lines that follow; a last line without its end waits for the next reading."""
        while True:
            start = lines.tell()
            line = lines.readline()
            if not line.endswith(b"\n"):
                lines.seek(start)
                return
            if line.strip():
                yield from self._query(line)

    def _query(self, line: bytes) -> Iterator[LiveText]:
        try:
            query = read_line(line).require_by(self.now + AHEAD)
        except LiveQueryRefused as refusal:
            self.refused, self.fault = self.refused + 1, str(refusal)
        else:
            yield query

    def _take(self, batch: list[LiveText]) -> None:
        taken = take(index=self.index, queries=batch, now=self.now)
        self.stored, self.known = self.stored + taken.stored, self.known + taken.known

    def _placed(self, inode: str, end: int, head: bytes) -> LiveFile:
        place, _ = LiveFile.objects.get_or_create(
            index=self.index, defaults={"inode": inode, "head": 0, "offset": 0, "read_at": self.now}
        )
        place.inode, place.offset, place.read_at = inode, end, self.now
        place.head, place.head_sha256 = len(head), hashlib.sha256(head).hexdigest()
        place.refused, place.fault = place.refused + self.refused, self.fault or place.fault
        place.save()
        self.refused = 0  # told with this file, not again with the next
        return place


def _is_same(lines: BinaryIO, inode: str, place: LiveFile) -> bool:
    """Whether this is the file that was read, as long as it was or longer."""
    size = lines.seek(0, 2)
    lines.seek(0)
    head = hashlib.sha256(lines.read(place.head)).hexdigest()
    return place.inode == inode and size >= place.offset and head == place.head_sha256
