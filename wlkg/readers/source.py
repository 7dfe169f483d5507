"""One input as a stream of bytes: a path or standard input, decompressed and counted."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, BinaryIO, Protocol, cast

from wlkg.errors import InputError, TooLargeError
from wlkg.progress import SILENT, Progress
from wlkg.readers.budget import Budget
from wlkg.readers.complaints import complaints

STDIN = "-"

#: Whole-document formats (JSON, XML, graph6) are not read beyond this size.
DOCUMENT_LIMIT = 2**31

_PIECE = 1 << 20
_BOM = b"\xef\xbb\xbf"


class _ArrowStream:
    """A stream of Arrow, whose own ``read`` never frees the memory of a read that fails."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def read(self, size: int = -1) -> bytes:
        data: bytes = self._stream.read_buffer(None if size < 0 else size).to_pybytes()
        return data


def _zstd(stream: BinaryIO) -> BinaryIO:
    import pyarrow as pa

    compressed = pa.CompressedInputStream(pa.PythonFile(stream, mode="r"), "zstd")
    return cast(BinaryIO, _ArrowStream(compressed))


def _gzip(stream: BinaryIO) -> BinaryIO:
    return cast(BinaryIO, gzip.GzipFile(fileobj=stream, mode="rb"))


def _xz(stream: BinaryIO) -> BinaryIO:
    return cast(BinaryIO, lzma.LZMAFile(stream))


def _bz2(stream: BinaryIO) -> BinaryIO:
    return cast(BinaryIO, bz2.BZ2File(stream))


#: Compressions by suffix: the first bytes of such a file, and how to open it.
COMPRESSIONS: dict[str, tuple[bytes, Callable[[BinaryIO], BinaryIO]]] = {
    ".gz": (b"\x1f\x8b", _gzip),
    ".xz": (b"\xfd7zXZ\x00", _xz),
    ".bz2": (b"BZh", _bz2),
    ".zst": (b"\x28\xb5\x2f\xfd", _zstd),
}


class Readable(Protocol):
    """A stream of bytes for readers."""

    def read(self, size: int = -1) -> bytes: ...


@dataclass(frozen=True)
class Source:
    """Where a graph comes from; ``path`` is ``-`` for standard input."""

    path: str
    progress: Progress = SILENT
    #: How many bytes the input may grow to; None for the default of `Budget`.
    max_input: int | None = None
    #: Whether it is a graph, for which ``--max-input`` may be given, and not a table about one.
    is_graph: bool = True
    #: The most bytes of one read, where memory is short; None for as many as are asked for.
    most_at_once: int | None = None

    @cached_property
    def budget(self) -> Budget:
        """How much of the allowed size the input has used."""
        return Budget(self.path, self.max_input, is_adjustable=self.is_graph)

    def beside(self, path: Path) -> Source:
        """Another file that is read in the same way."""
        return Source(str(path), self.progress, self.max_input)

    @property
    def suffixes(self) -> tuple[str, str]:
        """The suffixes of format and compression, in lower case; each may be empty."""
        name = Path(self.path)
        last = name.suffix.lower()
        if last in COMPRESSIONS:
            return Path(name.stem).suffix.lower(), last
        return last, ""

    @contextmanager
    def open(self) -> Iterator[Readable]:
        """The decompressed bytes without a byte-order mark; damaged data is an input error."""
        if self.path == STDIN:
            total = None
            raw = _stdin()
        else:
            check_file(self.path)
            try:
                total = Path(self.path).stat().st_size or None  # a pipe has no size
                # Unbuffered, so closing never waits for a read in progress; stdin stays open.
                raw = cast(BinaryIO, Path(self.path).open("rb", buffering=0))  # noqa: SIM115
            except OSError as error:
                raise _unopened(error, self.path) from error
        self.progress.start(f"reading {Path(self.path).name}", total, "bytes")
        try:
            counted = _Counted(raw, self)
            yield _Guarded(self._decompressed(counted), self)
        finally:
            self.progress.finish()
            if self.path != STDIN:
                raw.close()

    def _decompressed(self, counted: _Counted) -> BinaryIO:
        buffered = io.BufferedReader(counted, buffer_size=1 << 20)
        start = buffered.peek(6)
        suffix = self.suffixes[1]
        if self.path == STDIN:
            suffix = next(
                (s for s, (magic, _) in COMPRESSIONS.items() if start.startswith(magic)), ""
            )
        if not start:
            raise InputError("the file is empty", path=self.path)
        if not suffix:
            return buffered
        magic, opener = COMPRESSIONS[suffix]
        if not start.startswith(magic):
            raise InputError(
                f"the name ends in {suffix}, but the content is not compressed that way",
                path=self.path,
                remedy="Rename or compress the file",
            )
        return opener(buffered)

    def read_document(self, limit: int | None = None) -> bytes:
        """The whole content, for formats that cannot be read as a stream."""
        bound = DOCUMENT_LIMIT if limit is None else limit
        # In pieces, so that memory follows the content: a stream allocates what it is asked for.
        content = io.BytesIO()
        with self.open() as stream:
            while content.tell() <= bound and (piece := stream.read(_PIECE)):
                content.write(piece)
        if content.tell() > bound:
            raise TooLargeError(
                f"{self.path}: more than {bound:,} bytes once decompressed; this format "
                "is read as a whole. Convert it to N-Triples or TSV"
            )
        return content.getvalue()


def _stdin() -> BinaryIO:
    if sys.stdin is None or sys.stdin.closed:
        raise InputError("standard input is closed", path=STDIN)
    return sys.stdin.buffer


def check_file(path: str) -> None:
    """Raise a clear error for a path that is missing, a folder, a device or unreadable."""
    try:
        mode = Path(path).stat().st_mode
    except (FileNotFoundError, NotADirectoryError) as error:
        raise InputError("no such file", path=path) from error
    except (OSError, ValueError) as error:  # ValueError: the name has a null character
        raise _unopened(error, path) from error
    if stat.S_ISCHR(mode) or stat.S_ISBLK(mode):
        raise InputError(
            "this is a device, which may never end",
            path=path,
            remedy="Name a file, or - for standard input",
        )
    if stat.S_ISDIR(mode):
        raise InputError(
            "this is a folder",
            path=path,
            remedy="A folder can be read if it holds "
            "train.txt, or entity2id.txt and its companions",
        )
    if not os.access(path, os.R_OK):  # opening a named pipe would disturb it
        raise InputError("cannot be opened: no permission to read", path=path)


def _unopened(error: OSError | ValueError, path: str) -> InputError:
    return InputError(f"cannot be opened: {getattr(error, 'strerror', error)}", path=path)


class _Counted(io.RawIOBase):
    """Raw bytes on their way to the decompressor, with progress reports."""

    def __init__(self, raw: BinaryIO, source: Source) -> None:
        self._raw = raw
        self._source = source

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        try:
            data = self._raw.read(len(buffer))
        except OSError as error:
            raise InputError(
                f"cannot be read: {error.strerror or error}", path=self._source.path
            ) from error
        buffer[: len(data)] = data
        self._source.budget.stored += len(data)
        self._source.progress.done(self._source.budget.stored)
        return len(data)


class _Guarded:
    """A stream whose decompression errors become input errors; it also drops a byte-order mark."""

    def __init__(self, stream: BinaryIO, source: Source) -> None:
        self._stream = stream
        self._source = source
        self._start = self._read(len(_BOM)).removeprefix(_BOM)

    def read(self, size: int = -1) -> bytes:
        if self._source.most_at_once is not None and size > self._source.most_at_once:
            size = self._source.most_at_once
        start = self._start if size < 0 else self._start[:size]
        if not start:
            return self._read(size)
        self._start = self._start[len(start) :]
        return start + self._read(max(size - len(start), 0) if size >= 0 else size)

    def _read(self, size: int) -> bytes:
        with complaints(
            "the compressed data is damaged or cut short",
            self._source.path,
            remedy="Fetch or compress the file again",
        ):
            data = bytes(self._stream.read(size))
        self._source.budget.spend(len(data))
        return data
