"""How the readers' tests compress data, by the suffix of the file."""

from __future__ import annotations

import bz2
import gzip
import lzma
from collections.abc import Callable

import pyarrow as pa


def zstd(data: bytes) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, "zstd") as stream:
        stream.write(data)
    return bytes(sink.getvalue())


def _gzipped(data: bytes) -> bytes:
    """Without a time, so that equal content is equal bytes."""
    return gzip.compress(data, mtime=0)


COMPRESS: dict[str, Callable[[bytes], bytes]] = {
    ".gz": _gzipped,
    ".xz": lzma.compress,
    ".bz2": bz2.compress,
    ".zst": zstd,
}
