"""A text stream as blocks of whole lines, with their line numbers."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from wlkg.errors import InputError
from wlkg.readers.source import Readable

if TYPE_CHECKING:
    import pyarrow as pa

#: Large enough that most names repeat within a block, which keeps merging dictionaries cheap.
BLOCK_BYTES = 16 << 20

#: A block has no more lines: whoever reads it keeps several numbers for every line, which would
#: take gigabytes for a block of empty lines.
BLOCK_LINES = 1 << 20

#: A file with a longer line is assumed not to be a file of lines.
LONGEST_LINE = 64 << 20


@dataclass(frozen=True)
class Block:
    """Whole lines, each ending in a line feed; the first use of ``data`` checks for UTF-8."""

    raw: bytes
    first_line: int
    path: str

    @cached_property
    def data(self) -> bytes:
        """The bytes, checked to be UTF-8, with line feeds as the only line ends."""
        data = self.raw.replace(b"\r\n", b"\n") if b"\r\n" in self.raw else self.raw
        check_utf8(data, self.first_line, self.path)
        return data

    @cached_property
    def ends(self) -> npt.NDArray[np.int64]:
        """Position just after each line feed."""
        return np.flatnonzero(np.frombuffer(self.data, dtype=np.uint8) == ord("\n")) + 1

    @property
    def is_blank(self) -> bool:
        """Whether all lines are empty: millions of them can hide in a few compressed bytes."""
        return not self.data.strip(b"\n")

    def __len__(self) -> int:
        return len(self.ends)

    def line(self, index: int) -> bytes:
        """Line ``index`` of this block, without its line feed."""
        start = 0 if index == 0 else int(self.ends[index - 1])
        return self.data[start : int(self.ends[index]) - 1]

    def arrow(self) -> pa.Array:
        """The lines, line feeds included, as an Arrow array over the same bytes."""
        import pyarrow as pa

        offsets = np.zeros(len(self) + 1, dtype=np.int64)
        offsets[1:] = self.ends
        buffers = [None, pa.py_buffer(offsets), pa.py_buffer(self.data)]
        return pa.Array.from_buffers(pa.large_string(), len(self), buffers)


def blocks(stream: Readable, path: str, pool: ThreadPoolExecutor) -> Iterator[Block]:
    """The lines of a stream in blocks; the next block is read while the current one is in use."""
    first_line = 1
    rest = b""
    for piece in _pieces(stream, pool):
        data = rest + piece
        cut = data.rfind(b"\n") + 1
        rest = data[cut:]
        if len(rest) > LONGEST_LINE:
            raise InputError(
                f"a line is longer than {LONGEST_LINE >> 20} MiB",
                path=path,
                remedy="This does not look like a file of lines",
            )
        for lines in _portions(data, cut):
            yield Block(lines, first_line, path)
            first_line += lines.count(b"\n")
    if rest:
        yield Block(rest + b"\n", first_line, path)


def _portions(data: bytes, end: int) -> Iterator[bytes]:
    """The lines before ``end``, at most `BLOCK_LINES` at a time."""
    if data.count(b"\n", 0, end) <= BLOCK_LINES:
        if end:
            yield data[:end]
        return
    ends = np.flatnonzero(np.frombuffer(data, dtype=np.uint8, count=end) == ord("\n")) + 1
    cuts = [0, *ends[BLOCK_LINES - 1 : -1 : BLOCK_LINES].tolist(), end]
    for start, stop in pairwise(cuts):
        yield data[start:stop]


def _pieces(stream: Readable, pool: ThreadPoolExecutor) -> Iterator[bytes]:
    # Only one read at a time, so the pieces come in the order of the stream.
    next_piece = pool.submit(stream.read, BLOCK_BYTES)
    while data := next_piece.result():
        next_piece = pool.submit(stream.read, BLOCK_BYTES)
        yield data


def text_lines(data: bytes, path: str) -> list[tuple[int, str]]:
    """The non-blank lines of a small file, with their numbers."""
    check_utf8(data, 1, path)
    lines = (line.removesuffix("\r") for line in data.decode().split("\n"))
    return [(number, line) for number, line in enumerate(lines, 1) if line.strip()]


def is_utf8(data: bytes) -> bool:
    """Whether bytes are UTF-8; Arrow tells several times as fast as Python decodes them."""
    if data.isascii():
        return True
    import pyarrow as pa

    ends = pa.py_buffer(np.array([0, len(data)], dtype=np.int64))
    try:
        pa.Array.from_buffers(pa.large_string(), 1, [None, ends, pa.py_buffer(data)]).validate(
            full=True
        )
    except pa.ArrowInvalid:
        return False
    return True


def check_utf8(data: bytes, first_line: int, path: str) -> None:
    """Raise an input error with the position of the first byte that is not UTF-8."""
    if is_utf8(data):
        return
    try:
        data.decode()
    except UnicodeDecodeError as error:
        before = data[: error.start]
        raise InputError(
            f"byte 0x{data[error.start]:02x} is not UTF-8",
            path=path,
            line=first_line + before.count(b"\n"),
            column=error.start - before.rfind(b"\n"),
            remedy="Convert the file, for example with: iconv -f latin1 -t utf-8",
        ) from error
