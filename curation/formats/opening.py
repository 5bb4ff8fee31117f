"""Files, gzip, zip and folders opened as bounded streams; nothing is ever unpacked to a named place on disk."""

import gzip
import io
import stat
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO, TypeAlias, cast

from curation.formats.faults import FileRefused
from curation.formats.kinds import EMPTY_ZIP, GZIP, ZIP

_BUFFER = 1 << 16
_MIB = 1 << 20
_DAMAGE = (EOFError, zlib.error, gzip.BadGzipFile, zipfile.BadZipFile, NotImplementedError)

Stream: TypeAlias = "io.BufferedReader[Any]"


@dataclass(frozen=True, slots=True)
class Limits:
    """What one import may cost, in bytes (`members` in files): as uploaded, unpacked, and a line."""

    packed: int = 200 * _MIB
    unpacked: int = 2048 * _MIB
    line: int = 8 * _MIB
    members: int = 10_000


@dataclass(frozen=True, slots=True)
class Part:
    """One readable file of what was handed over. `path` is set where it lies unpacked on disk."""

    name: str
    open: Callable[[], AbstractContextManager[BinaryIO]]
    path: Path | None = None


def parts_of(path: Path, *, name: str, limits: Limits) -> tuple[Part, ...]:
    """The files in a folder, a zip, or the one file itself; `name` is what its owner calls it.

    Raises:
        FileRefused: nothing there, not a regular file, over a limit, or a broken or locked archive.
    """
    if path.is_dir():
        return _folder_parts(path, limits)
    size = _regular_size(path)
    if size > limits.packed:
        raise FileRefused(f"The file has {_size(size)}; at most {_size(limits.packed)} can be uploaded.")
    with path.open("rb") as stream:
        head = stream.read(4)
    if head in {ZIP, EMPTY_ZIP}:
        return _zip_parts(path, limits)
    return (Part(name, _opener(path), path),)


@contextmanager
def open_part(part: Part, limits: Limits) -> Iterator[Stream]:
    """The part as a buffered stream of unpacked bytes that refuses to give more than `limits.unpacked`."""
    with ExitStack() as stack:
        stream: Stream = stack.enter_context(open_packed(part, limits))
        if stream.peek(2)[:2] == GZIP:
            unpacked = stack.enter_context(gzip.GzipFile(fileobj=stream))
            stream = stack.enter_context(_metered(unpacked, limits))
        yield stream


@contextmanager
def open_packed(part: Part, limits: Limits) -> Iterator[Stream]:
    """The part as `open_part`, but as it lies there: what is packed inside it stays packed."""
    with part.open() as packed, _metered(packed, limits) as stream:
        yield stream


def _metered(source: BinaryIO | gzip.GzipFile, limits: Limits) -> AbstractContextManager[Stream]:
    return closing(io.BufferedReader(_Metered(source, limits.unpacked), _BUFFER))


class _Metered(io.RawIOBase):
    """Counts the bytes that leave a stream, and says in words what is wrong with a broken archive."""

    def __init__(self, source: BinaryIO | gzip.GzipFile, most: int) -> None:
        self._source = source
        self._most = most
        self._given = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "bytearray | memoryview") -> int:  # type: ignore[override]  # the stub's Buffer has no len()
        try:
            block = self._source.read(len(buffer))
        except _DAMAGE as error:
            raise FileRefused("The archive is cut off or damaged; pack it again.") from error
        self._given += len(block)
        if self._given > self._most:
            raise FileRefused(f"Unpacked, the file has more than {_size(self._most)}, the most that is read.")
        buffer[: len(block)] = block
        return len(block)


def _regular_size(path: Path) -> int:
    try:
        found = path.stat()
    except OSError as error:
        raise FileRefused(f"No file can be read at {path}.") from error
    if not stat.S_ISREG(found.st_mode):
        raise FileRefused(f"{path} is neither a file nor a folder.")
    return found.st_size


def _opener(path: Path) -> Callable[[], AbstractContextManager[BinaryIO]]:
    return lambda: path.open("rb")


def _folder_parts(folder: Path, limits: Limits) -> tuple[Part, ...]:
    found = []
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not _hidden(path.relative_to(folder).as_posix()):
            found.append(Part(path.relative_to(folder).as_posix(), _opener(path), path))
        if len(found) > limits.members:
            raise FileRefused(f"The folder holds more than {limits.members:,} files.")
    if sum(_regular_size(part.path) for part in found if part.path) > limits.unpacked:
        raise FileRefused(f"The folder holds more than {_size(limits.unpacked)}, the most that is read.")
    return tuple(found)


def _zip_parts(path: Path, limits: Limits) -> tuple[Part, ...]:
    try:
        with zipfile.ZipFile(path) as archive:
            members = [member for member in archive.infolist() if not member.is_dir()]
    except zipfile.BadZipFile as error:
        raise FileRefused("The zip archive is cut off or damaged; pack it again.") from error
    if any(member.filename == "[Content_Types].xml" for member in members):
        raise FileRefused("The file is an Office workbook. Save the sheet as CSV UTF-8 and choose that file.")
    if len(members) > limits.members:
        raise FileRefused(f"The zip archive holds more than {limits.members:,} files.")
    if any(member.flag_bits & 1 for member in members):
        raise FileRefused("The zip archive is locked with a password; pack it without one.")
    if sum(member.file_size for member in members) > limits.unpacked:
        raise FileRefused(f"Unpacked, the zip archive has more than {_size(limits.unpacked)}, the most that is read.")
    return tuple(
        Part(member.filename, _member_opener(path, member)) for member in members if not _hidden(member.filename)
    )


def _member_opener(path: Path, member: zipfile.ZipInfo) -> Callable[[], AbstractContextManager[BinaryIO]]:
    @contextmanager
    def opened() -> Iterator[BinaryIO]:
        with ExitStack() as stack:
            try:
                archive = stack.enter_context(zipfile.ZipFile(path))
                stream = stack.enter_context(archive.open(member))
            except _DAMAGE as error:
                raise FileRefused(
                    f"{member.filename[:200]} cannot be unpacked: it is damaged, or packed in a way that is not read; "
                    "pack it again."
                ) from error
            yield cast("BinaryIO", stream)

    return opened


def _hidden(name: str) -> bool:
    return any(piece.startswith((".", "__MACOSX")) for piece in PurePosixPath(name).parts)


def _size(count: int) -> str:
    if count < _MIB:
        return f"{count:,} bytes"
    return f"{count / _MIB:,.0f} MiB"
