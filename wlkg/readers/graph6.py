"""graph6, sparse6 and digraph6: the one-line-per-graph formats of graph theory.

Vertices are the numbers 0 .. n-1, and the only relation is ``edge``. graph6 and sparse6 are
undirected, digraph6 (with a leading ``&``) is directed. All three store six bits per byte, as bytes
63 .. 126. B. D. McKay's ``formats.txt`` specifies the formats.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import overload

import numpy as np
import numpy.typing as npt

from wlkg.arrays import Int64Array, UInt8Array
from wlkg.catalogue import Direction
from wlkg.errors import InputError, TooLargeError
from wlkg.graph.names import DEFAULT_RELATION
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.readers.budget import Budget
from wlkg.readers.options import ReadOptions
from wlkg.readers.source import Source

_HEADERS = (b">>graph6<<", b">>sparse6<<", b">>digraph6<<")

#: A few bytes can declare a million graphs, or in sparse6 a million vertices. The bytes that one
#: graph and one vertex of sparse6 count as, see `wlkg.readers.budget`.
_GRAPH_SIZE = 512
_VERTEX_SIZE = 64
_NOT_BLANK = re.compile(rb"\S[^\n]*")
#: The most graphs in one file.
MOST_GRAPHS = 1_000_000


class GraphLines(Sequence[RelationalGraph]):
    """The graphs of a file, each decoded when it is asked for."""

    def __init__(self, lines: list[tuple[int, bytes]], source: Source) -> None:
        self._lines = lines
        self._source = source

    def __len__(self) -> int:
        return len(self._lines)

    def __iter__(self) -> Iterator[RelationalGraph]:
        return (self[i] for i in range(len(self)))

    @overload
    def __getitem__(self, index: int) -> RelationalGraph: ...
    @overload
    def __getitem__(self, index: slice) -> GraphLines: ...
    def __getitem__(self, index: int | slice) -> RelationalGraph | GraphLines:
        if isinstance(index, slice):
            return GraphLines(self._lines[index], self._source)
        number, line = self._lines[index]
        return decode_line(line, self._source.budget, self._source.path, number)


def read_graph6(source: Source, _format_name: str, _options: ReadOptions) -> GraphLines:
    """All graphs of a file."""
    lines = []
    for number, line in _lines(source.read_document()):
        lines.append((number, line))
        if len(lines) > MOST_GRAPHS:
            break
    if not lines:
        raise InputError("the file holds no graph", path=source.path)
    check_count(len(lines), source)
    return GraphLines(lines, source)


def _lines(data: bytes) -> Iterator[tuple[int, bytes]]:
    """The lines that are not blank, with their numbers; blank lines cost nothing."""
    text = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    number, counted = 1, 0
    for match in _NOT_BLANK.finditer(text):
        number += text.count(b"\n", counted, match.start())
        counted = match.start()
        yield number, match.group().rstrip()


def check_count(graphs: int, source: Source) -> None:
    """Refuse more graphs than an input may hold, before any of them is decoded."""
    if graphs > MOST_GRAPHS:
        raise TooLargeError(
            f"{source.path}: there are more than the {MOST_GRAPHS:,} graphs that one file may hold."
            " Split it"
        )
    source.budget.spend(_GRAPH_SIZE * graphs, f"it holds {graphs:,} graphs")


def decode_line(
    line: bytes, budget: Budget | None = None, path: str | None = None, number: int | None = None
) -> RelationalGraph:
    """The graph of one line, which may begin with the format's header.

    The vertices that sparse6 declares count against the budget, by default that of the line alone.
    """
    for header in _HEADERS:
        line = line.removeprefix(header)
    if budget is None:
        budget = Budget("the line", stored=len(line))
    try:
        direction, count, edges = _decode(line, budget)
    except ValueError as error:
        raise InputError(
            f"not graph6, sparse6 or digraph6: {error}", path=path, line=number
        ) from error
    zeros = np.zeros(len(edges[0]), dtype=np.int64)
    return RelationalGraph.from_arrays(
        edges[0],
        zeros,
        edges[1],
        num_vertices=count,
        relation_names=[DEFAULT_RELATION],
        direction=direction,
    )


def _decode(line: bytes, budget: Budget) -> tuple[Direction, int, tuple[Int64Array, Int64Array]]:
    if line.startswith((b":", b"&")):
        kind, line = line[:1], line[1:]
    else:
        kind = b""
    values = np.frombuffer(line, dtype=np.uint8).astype(np.int64) - 63
    if len(values) == 0 or values.min() < 0 or values.max() > 63:
        raise ValueError("a byte lies outside '?' .. '~'")
    count, used = _number(values)
    bits = np.unpackbits(values[used:].astype(np.uint8)[:, None], axis=1)[:, 2:].reshape(-1)
    if kind == b":":
        budget.spend(_VERTEX_SIZE * count, f"sparse6 declares {count:,} vertices")
        return "undirected", count, _sparse_edges(count, bits)
    if kind == b"&":
        return "both", count, _matrix_edges(count, bits)
    return "undirected", count, _triangle_edges(count, bits)


def _number(values: npt.NDArray[np.int64]) -> tuple[int, int]:
    """The number of vertices, and the number of bytes that encode it: 1, 4 or 8."""
    for marks, length in ((0, 1), (1, 3), (2, 6)):
        if len(values) <= marks or values[marks] != 63 or marks == 2:
            digits = values[marks : marks + length]
            if len(digits) < length:
                raise ValueError("the number of vertices is cut short")
            return int(
                sum(int(digit) << (6 * i) for i, digit in enumerate(digits[::-1]))
            ), marks + length
    raise AssertionError


def _checked(bits: UInt8Array, needed: int) -> UInt8Array:
    if not needed <= len(bits) < needed + 6:
        raise ValueError(f"expected {needed:,} bits for the edges, found {len(bits):,}")
    if bits[needed:].any():
        raise ValueError("the padding at the end is not zero")
    return bits[:needed]


def _triangle_edges(count: int, bits: UInt8Array) -> tuple[Int64Array, Int64Array]:
    """Bit number j(j-1)/2 + i is the edge {i, j}, i < j."""
    places = np.flatnonzero(_checked(bits, count * (count - 1) // 2))
    column = (1 + np.floor(np.sqrt(8.0 * places + 1)).astype(np.int64)) // 2
    row = places - column * (column - 1) // 2
    return row, column


def _matrix_edges(count: int, bits: UInt8Array) -> tuple[Int64Array, Int64Array]:
    """Bit number i n + j is the arc i -> j."""
    places = np.flatnonzero(_checked(bits, count * count))
    return places // max(count, 1), places % max(count, 1)


def _sparse_edges(count: int, bits: UInt8Array) -> tuple[Int64Array, Int64Array]:
    """Pairs (b, x): v grows by b; x > v moves v to x, otherwise {x, v} is an edge."""
    width = max(count - 1, 0).bit_length()
    pairs = bits[: len(bits) // (width + 1) * (width + 1)].reshape(-1, width + 1).astype(np.int64)
    steps = pairs[:, 0].tolist()
    targets = (pairs[:, 1:] @ (1 << np.arange(width - 1, -1, -1, dtype=np.int64))).tolist()
    heads, tails, v = [], [], 0
    for step, x in zip(steps, targets, strict=True):
        v += step
        if x >= count or v >= count:
            break  # padding
        if x > v:
            v = x
        else:
            heads.append(x)
            tails.append(v)
    return np.array(heads, dtype=np.int64), np.array(tails, dtype=np.int64)


def encode_graph6(graph: RelationalGraph) -> bytes:
    """One line of graph6 for an undirected graph without loops; relation and names are not kept."""
    count = graph.num_vertices
    low, high = np.minimum(graph.head, graph.tail), np.maximum(graph.head, graph.tail)
    needed = count * (count - 1) // 2
    bits = np.zeros(-(-needed // 6) * 6, dtype=np.uint8)
    places = high.astype(np.int64)
    bits[places * (places - 1) // 2 + low] = 1
    body = np.packbits(np.pad(bits.reshape(-1, 6), ((0, 0), (2, 0))), axis=1).reshape(-1) + 63
    return _encoded_number(count) + body.astype(np.uint8).tobytes()


def _encoded_number(count: int) -> bytes:
    if count <= 62:
        return bytes([count + 63])
    marks, length = (1, 3) if count < 258048 else (2, 6)
    return b"~" * marks + bytes(63 + (count >> (6 * i) & 63) for i in reversed(range(length)))
