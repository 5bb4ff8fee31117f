"""Physical lines of a UTF-8 stream: split on line feeds alone, numbered as an editor numbers them."""

from collections.abc import Iterator
from typing import NamedTuple

from curation.formats.faults import Fault, FileRefused, Notice
from curation.formats.kinds import BYTE_ORDER_MARK
from curation.formats.opening import Stream

NUL_REASON = "The row holds a NUL character, which no text can keep; remove it."


class Line(NamedTuple):
    """One line without its line feed; a carriage return before it is still there."""

    number: int
    text: str


def read_lines(stream: Stream, *, most: int) -> Iterator[Line | Fault | Notice]:
    """Lines of at most `most` bytes; a longer one is skipped with a fault.

    A byte order mark at the very start is dropped with a notice; the same character anywhere else is text.
    U+2028, U+2029 and U+0085 end no line.

    Raises:
        FileRefused: a byte is not UTF-8; names its offset from the start of the file, and its line.
    """
    offset = 0
    if stream.peek(3)[:3] == BYTE_ORDER_MARK:
        offset = len(stream.read(3))
        yield Notice(1, "", "The file began with a byte order mark, which was dropped.")
    number = 0
    while raw := stream.readline(most + 1):
        number += 1
        start, offset = offset, offset + len(raw)
        if len(raw) > most and not raw.endswith(b"\n"):
            offset += _skip_line(stream)
            yield Fault(number, "", f"The line is longer than {most:,} bytes, the most that is read.")
            continue
        try:
            text = raw.decode()
        except UnicodeDecodeError as error:
            raise _not_utf8(raw[error.start], start + error.start, number) from error
        yield Line(number, text.removesuffix("\n"))


def _skip_line(stream: Stream) -> int:
    skipped = 0
    while block := stream.readline(1 << 16):
        skipped += len(block)
        if block.endswith(b"\n"):
            break
    return skipped


def _not_utf8(value: int, place: int, number: int) -> FileRefused:
    return FileRefused(
        f"The file is not UTF-8: byte 0x{value:02X} at offset {place:,}, line {number:,}. Save it as UTF-8.",
        line=number,
    )
