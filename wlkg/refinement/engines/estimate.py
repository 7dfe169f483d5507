"""What each engine would need for a graph, from the size of its file and a sample of its triples.

The sample is the beginning of the file. Triples grow with the bytes read. Distinct vertices grow
more slowly, as a power of the triples (Heaps' law); the power is that between the first half of the
sample and all of it. Other formats than `wlkg.readers.streaming` knows are read as a whole.

The rounds of a test are not known before it is run, only that there are fewer than vertices; the
engines that work round by round are given `ASSUMED_ROUNDS`. Times are for two cores of a server,
measured in docs/scale.md: take them as orders of magnitude.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from wlkg.catalogue import Direction
from wlkg.engines import ENGINES, LOCAL
from wlkg.progress import SILENT, Progress
from wlkg.readers.options import ReadOptions
from wlkg.readers.read import input_file, read
from wlkg.readers.source import Source
from wlkg.readers.streaming import can_stream, stream_triples

#: Knowledge graphs are stable after 4 to 15 rounds; paths and lists take far more.
ASSUMED_ROUNDS = 12
#: Triples of the sample.
_SAMPLE = 400_000
_PIECE = 50_000


@dataclass(frozen=True)
class GraphSize:
    """How large a graph is; ``is_exact`` if all of it was read."""

    triples: int
    vertices: int
    arcs: int
    #: The average length of a vertex name.
    name_length: float
    is_exact: bool


@dataclass(frozen=True)
class EngineCost:
    """What an engine would need."""

    engine: str
    #: Main memory; for duckdb and spark, what they take at least.
    bytes: int
    #: Space for temporary files.
    disk: int
    seconds: float
    available: bool


@dataclass(frozen=True)
class Estimate:
    """The size of a graph, and what each engine would need for it."""

    size: GraphSize
    direction: Direction
    engines: tuple[EngineCost, ...]

    @property
    def most_rounds(self) -> int:
        """No test of vertices takes more rounds than this."""
        return max(self.size.vertices - 1, 0)

    def cost_of(self, engine: str) -> EngineCost:
        return next(cost for cost in self.engines if cost.engine == engine)


def estimate(
    path: str,
    *,
    format: str | None = None,  # noqa: A002
    direction: Direction | None = None,
    options: ReadOptions | None = None,
    progress: Progress = SILENT,
) -> Estimate:
    """What each engine would need for the graph at ``path``."""
    reading = options or ReadOptions()
    if can_stream(path, format):
        mode: Direction = direction or "both"
        size = _sampled(path, format, reading, mode, progress)
    else:
        graph = read(path, format=format, direction=direction, progress=progress, **vars(reading))
        mode = graph.direction
        length = sum(map(len, islice(graph.vertex_names, _PIECE)))
        size = GraphSize(
            triples=graph.num_triples,
            vertices=graph.num_vertices,
            arcs=len(graph.arcs()),
            name_length=length / max(min(graph.num_vertices, _PIECE), 1),
            is_exact=True,
        )
    return Estimate(size, mode, tuple(_cost(engine, size) for engine in ENGINES))


# -- the sample -----------------------------------------------------------------------------------


class _EnoughError(Exception):
    """The sample is large enough."""


class _Sample:
    """Takes triples as `wlkg.graph.triple_table.TripleTable` does, until there are enough."""

    def __init__(self, source: Source) -> None:
        self._source = source
        file = input_file(source.path)
        self._size = 0 if file is None or not file.is_file() else file.stat().st_size
        self._is_parquet = _is_parquet(source)
        #: For each block the distinct heads and tails, the number of triples, and the bytes of the
        #: file that had been read when it arrived.
        self.ends: list[pa.Array] = []
        self.lengths: list[int] = []
        self.stored: list[int] = []

    def add(self, heads: pa.Array, relations: pa.Array, tails: pa.Array) -> None:
        """Append rows."""
        plain = [
            c.cast(pa.large_string()) if pa.types.is_dictionary(c.type) else c
            for c in (heads, tails)
        ]
        self._append(pc.unique(pa.concat_arrays(plain)), len(relations))

    def add_codes(self, names: pa.Array, codes: npt.NDArray[np.int32]) -> None:
        """Append rows of three indices into ``names``."""
        self._append(names.take(pa.array(np.unique(codes[:, [0, 2]]))), len(codes))

    def add_rows(self, rows: Iterable[tuple[str, str, str]]) -> None:
        """Append triples of Python strings."""
        remaining = iter(rows)
        while batch := list(islice(remaining, _PIECE)):
            self.add(*(pa.array(column, pa.large_string()) for column in zip(*batch, strict=True)))

    def _append(self, ends: pa.Array, length: int) -> None:
        if length:
            self.ends.append(ends)
            self.lengths.append(length)
            self.stored.append(self._source.budget.stored)
        # Blocks of lines are read ahead: at the end of the file, the rest is in memory already.
        is_all_read = not self._is_parquet and self._source.budget.stored >= self._size
        if sum(self.lengths) >= _SAMPLE and len(self.lengths) > 1 and not is_all_read:
            raise _EnoughError

    def distinct(self, blocks: int) -> pa.Array:
        """The distinct ends in the first blocks."""
        parts = self.ends[:blocks]
        return pc.unique(pa.concat_arrays(parts)) if parts else pa.array([], pa.large_string())


def _sampled(
    path: str, format_name: str | None, options: ReadOptions, mode: Direction, progress: Progress
) -> GraphSize:
    source = Source(path, progress, options.max_input)
    sample = _Sample(source)
    is_exact = True
    try:
        stream_triples(source, format_name, options, sample)
    except _EnoughError:
        is_exact = False
    seen = sum(sample.lengths)
    names = sample.distinct(len(sample.lengths))
    triples, vertices = seen, len(names)
    if not is_exact:
        triples = max(_all_triples(source, sample), seen)
        half = max(len(sample.lengths) // 2, 1)
        fewer, before = len(sample.distinct(half)), sum(sample.lengths[:half])
        power = math.log(vertices / fewer) / math.log(seen / before)
        vertices = int(vertices * (triples / seen) ** min(max(power, 0.0), 1.0))
    length = pc.mean(pc.binary_length(names)).as_py() if len(names) else 0
    arcs = triples * (2 if mode in ("both", "undirected") else 1)
    return GraphSize(triples, vertices, arcs, float(length or 0), is_exact)


def _is_parquet(source: Source) -> bool:
    return source.suffixes in ((".parquet", ""), (".pq", ""))


def _all_triples(source: Source, sample: _Sample) -> int:
    """The triples of the whole file: known for Parquet, otherwise in proportion to its bytes.

    Bytes are read ahead of the blocks that arrive, always equally far, so differences count.
    """
    file = Path(source.path)
    if _is_parquet(source):
        import pyarrow.parquet as pq

        return int(pq.read_metadata(file).num_rows)
    stored, triples = sample.stored[-1] - sample.stored[0], sum(sample.lengths[1:])
    if not stored:  # the blocks are smaller than the pieces in which the file is read
        stored, triples = sample.stored[-1], sum(sample.lengths)
    return int(triples * file.stat().st_size / max(stored, 1))


# -- what engines need ----------------------------------------------------------------------------

#: Bytes of any run, and of runs that load PyTorch.
_BASE = {LOCAL: 250e6, "torch": 450e6, "duckdb": 512e6, "spark": 2.5e9}
#: Bytes in memory for each triple, arc and vertex.
_PER_TRIPLE, _PER_ARC, _PER_VERTEX = 40, 30, 160
#: Seconds to read a triple, and to refine an arc in all rounds, or in one.
_READING = 1.5e-6
_LOCAL_ARC = 1.5e-7
_TORCH_ARC = 6e-8
_DUCKDB_ARC = 4e-7
_SPARK_ARC = 3e-6
#: Seconds for Spark to start, and to plan the rounds.
_SPARK_START = 25
#: Bytes on disk for each triple and arc.
_DISK_TRIPLE, _DISK_ARC = 60, 60
#: The same for each vertex and round, all of which Spark keeps until they are checked.
_SPARK_DISK_VERTEX = 40


def _cost(engine: str, size: GraphSize) -> EngineCost:
    in_memory = (
        _PER_TRIPLE * size.triples
        + _PER_ARC * size.arcs
        + (_PER_VERTEX + 2 * size.name_length) * size.vertices
    )
    refining = {
        LOCAL: _LOCAL_ARC * size.arcs,
        "torch": _TORCH_ARC * size.arcs * ASSUMED_ROUNDS,
        "duckdb": _DUCKDB_ARC * size.arcs * ASSUMED_ROUNDS,
        "spark": _SPARK_START + _SPARK_ARC * size.arcs * ASSUMED_ROUNDS,
    }[engine]
    on_disk = engine in ("duckdb", "spark")
    disk = _DISK_TRIPLE * size.triples + _DISK_ARC * size.arcs + size.name_length * size.triples
    if engine == "spark":
        disk += _SPARK_DISK_VERTEX * size.vertices * ASSUMED_ROUNDS
    return EngineCost(
        engine=engine,
        bytes=int(_BASE[engine] + (0 if on_disk else in_memory)),
        disk=int(disk) if on_disk else 0,
        seconds=float(f"{1.0 + _READING * size.triples + refining:.2g}"),
        available=ENGINES[engine].is_installed,
    )
