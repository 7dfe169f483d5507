"""NumPy arrays of graph6 texts, as in BREC, read safely from untrusted files.

Such a file could hold pickled objects, which run code when they are loaded, or a header that claims
terabytes. So NumPy parses only the header, which must describe an array of text of exactly the
file's size. The array is then a view of the bytes that follow: nothing is unpickled or allocated.
"""

from __future__ import annotations

import io
import math
import warnings
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
from numpy.lib import format as npy

from wlkg.errors import InputError
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.readers.complaints import complaints
from wlkg.readers.graph6 import check_count, decode_line
from wlkg.readers.source import Source

ARRAY = ".npy"

Texts = npt.NDArray[np.bytes_] | npt.NDArray[np.str_]

_REMEDY = (
    "Save the graph6 texts with numpy.save(path, numpy.array(texts)), texts being str or bytes"
)
_HEADERS = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}


def read_array(source: Source) -> Iterator[RelationalGraph]:
    """The graphs of an array of shape (N,) or (N, 2), row by row, decoded one at a time."""
    entries = _entries(source.read_document(), source.path)
    check_count(entries.size, source)
    columns = entries.shape[1] if entries.ndim == 2 else 1
    for position, entry in enumerate(entries.reshape(-1)):
        try:
            line = entry if isinstance(entry, bytes) else str(entry).encode("ascii")
            yield decode_line(line.strip(), source.budget)
        except (InputError, UnicodeEncodeError) as error:
            problem = error.message if isinstance(error, InputError) else "not ASCII"
            row, column = divmod(position, columns)
            number = f"{row + 1}" if columns == 1 else f"{row + 1}, {column + 1}"
            raise InputError(f"entry {number}: {problem}", path=source.path) from error


def _entries(data: bytes, path: str) -> Texts:
    """The array, if it holds texts in one or two columns and is complete."""
    stream = io.BytesIO(data)
    shape, by_columns, dtype = _header(stream, path)
    _check_kind(shape, dtype, path)
    expected, actual = math.prod(shape) * dtype.itemsize, len(data) - stream.tell()
    if expected != actual:
        raise InputError(
            f"the header announces {expected:,} bytes of text, but {actual:,} follow",
            path=path,
            remedy="Fetch the file again",
        )
    if not expected:
        raise InputError("the array is empty", path=path)
    entries = np.frombuffer(data, dtype, offset=stream.tell())
    return entries.reshape(shape, order="F" if by_columns else "C")


def _check_kind(shape: tuple[int, ...], dtype: np.dtype[np.generic], path: str) -> None:
    if dtype.kind == "O":
        message = "the array holds pickled Python objects, which are never loaded"
    elif dtype.kind not in "SU":
        message = f"expected an array of graph6 texts, found numbers or records ({dtype})"
    elif len(shape) not in {1, 2} or shape[1:] not in {(), (2,)} or shape[0] < 0:
        message = f"expected an array of shape (N,) or (N, 2), found {shape}"
    else:
        return
    raise InputError(message, path=path, remedy=_REMEDY)


def _header(stream: io.BytesIO, path: str) -> tuple[tuple[int, ...], bool, np.dtype[np.generic]]:
    with (
        complaints("not a NumPy array, or its header is damaged", path, remedy=_REMEDY),
        warnings.catch_warnings(),
    ):
        warnings.simplefilter("ignore", UserWarning)  # that Python 2 wrote it
        return _HEADERS[npy.read_magic(stream)](stream)
