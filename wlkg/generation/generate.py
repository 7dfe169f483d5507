"""Generating a graph: a family by name, or one that follows a real graph, straight to a file."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path as FilePath

import numpy as np

from wlkg.arrays import Int64Array, UInt8Array
from wlkg.display import Brief
from wlkg.errors import UsageError, unknown_name
from wlkg.generation.families import Cfi, Grid, Path, RandomTriples, Tree, default_width
from wlkg.generation.likeness import Likeness
from wlkg.generation.permutation import Permutation, derived_key
from wlkg.generation.source import TripleSource
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.progress import SILENT, Progress
from wlkg.text import counted
from wlkg.writers.aside import written_aside
from wlkg.writers.formats import Writer, find_writer
from wlkg.writers.overwriting import refuse_overwriting
from wlkg.writers.streamed import check_streamed, write_streamed

#: Triples that are made at a time. The file does not depend on it.
PIECE = 1 << 18
#: Arcs per vertex of ``random``, unless the number of triples is given.
_TRIPLES_PER_VERTEX = 4
LIKE = "like"


@dataclass(frozen=True)
class Settings:
    """What a family may be told; None where the user said nothing."""

    vertices: int | None = None
    triples: int | None = None
    relations: int | None = None
    branching: int | None = None
    width: int | None = None
    k: int | None = None
    odd: bool | None = None
    seed: int = 0

    @property
    def size(self) -> int:
        assert self.vertices is not None
        return self.vertices


@dataclass(frozen=True)
class _Family:
    """How a family is built, and what it must and may be told."""

    build: Callable[[Settings], TripleSource]
    needs: tuple[str, ...] = ("vertices",)
    takes: tuple[str, ...] = ()


FAMILIES: Mapping[str, _Family] = {
    "random": _Family(
        lambda given: RandomTriples(
            given.size,
            _TRIPLES_PER_VERTEX * given.size if given.triples is None else given.triples,
            given.relations or 1,
            given.seed,
        ),
        takes=("triples", "relations"),
    ),
    "path": _Family(lambda given: Path(given.size)),
    "tree": _Family(
        lambda given: Tree(given.size, given.branching, given.seed), takes=("branching",)
    ),
    "grid": _Family(
        lambda given: Grid(given.size, given.width or default_width(given.size)), takes=("width",)
    ),
    "cfi": _Family(lambda given: Cfi(given.k or 1, bool(given.odd)), needs=("k",), takes=("odd",)),
}


@dataclass(frozen=True)
class Generated(Brief):
    """A graph that was written: what it is, and its size as readers will find it."""

    output: str
    #: ``like`` or the name of a family.
    family: str
    seed: int
    #: Vertices in the file: those that occur in a triple.
    vertices: int
    triples: int
    relations: int
    #: Triples left out because chance had made them twice.
    repeated: int
    #: Whether the triples have a direction; otherwise read them with ``direction="undirected"``.
    directed: bool

    @property
    def counts(self) -> str:
        return (
            f"{counted(self.vertices, 'vertex', 'vertices')}, "
            f"{counted(self.triples, 'triple', 'triples')}, "
            f"{counted(self.relations, 'relation', 'relations')}"
        )


def generate(
    output: str | FilePath,
    family: str | None = None,
    *,
    like: RelationalGraph | None = None,
    vertices: int | None = None,
    triples: int | None = None,
    relations: int | None = None,
    branching: int | None = None,
    width: int | None = None,
    k: int | None = None,
    odd: bool | None = None,
    seed: int = 0,
    shuffle: bool = False,
    format: str | None = None,  # noqa: A002
    force: bool = False,
    progress: Progress = SILENT,
) -> Generated:
    """Write a graph of a family, or one that follows the graph ``like``, to TSV, .nt or .parquet.

    ``shuffle`` numbers the vertices in random order. The file depends on the arguments and the
    seed alone; memory is needed for a piece of it (and for ``like``), whatever its size.
    """
    settings = Settings(vertices, triples, relations, branching, width, k, odd, seed)
    writer = check_output(output, format, force=force)
    source = _source(family, like, settings)
    if not source.count:
        raise UsageError("a graph of this size would have no triples. Choose more vertices")
    pieces = _Pieces(source, shuffle, seed, progress)
    progress.start(f"writing {output}", source.count, "triples")
    try:
        with written_aside(FilePath(output)) as stream:
            write_streamed(pieces, source.relation_names, writer, stream)
    finally:
        progress.finish()
    return Generated(
        output=str(output),
        family=family or LIKE,
        seed=seed,
        vertices=pieces.vertices,
        triples=pieces.written,
        relations=int(np.count_nonzero(pieces.used)),
        repeated=source.count - pieces.written,
        directed=source.directed,
    )


def check_output(
    output: str | FilePath,
    format_name: str | None,
    like: FilePath | None = None,
    *,
    force: bool = False,
) -> Writer:
    """Refuse a file that cannot be written, before the graph to follow is read."""
    writer = find_writer(FilePath(output), format_name)
    check_streamed(writer)
    refuse_overwriting(output, inputs=(like,), force=force)
    return writer


def _source(family: str | None, like: RelationalGraph | None, given: Settings) -> TripleSource:
    if like is not None and family is None:
        _check(f"--{LIKE}", ("vertices",), (), given)
        return Likeness(like, given.size, given.seed)
    if like is not None or family is None:
        raise UsageError(f"name a family ({', '.join(FAMILIES)}) or a graph to follow with --like")
    if family not in FAMILIES:
        raise unknown_name("family", family, FAMILIES)
    chosen = FAMILIES[family]
    _check(family, chosen.needs, chosen.takes, given)
    return chosen.build(given)


def _check(what: str, needs: tuple[str, ...], takes: tuple[str, ...], given: Settings) -> None:
    """Refuse a setting that is missing, does not belong to the family, or is out of range."""
    for name in ("vertices", "triples", "relations", "branching", "width", "k", "odd"):
        value = getattr(given, name)
        option = f"-{name}" if len(name) == 1 else f"--{name}"
        if value is None:
            if name in needs:
                raise UsageError(f"{what} needs {option}")
        elif name not in needs + takes:
            raise UsageError(f"{what} has no option {option}")
        elif value < (name not in ("triples", "odd")):
            raise UsageError(f"{option} must be at least 1, found {value}")
    if not 0 <= given.seed < 2**63:
        raise UsageError(f"--seed must be from 0 to 2^63 - 1, found {given.seed}")


class _Pieces:
    """The triples of a source in pieces, and what has been seen of them so far."""

    def __init__(self, source: TripleSource, shuffle: bool, seed: int, progress: Progress) -> None:
        self._source = source
        self._progress = progress
        order = Permutation(source.vertices, derived_key(seed, -2))
        self._renumbered: Callable[[Int64Array], Int64Array] = order if shuffle else np.asarray
        self.written = 0
        #: A bit for each vertex that occurs.
        self._seen: UInt8Array = np.zeros(source.vertices // 8 + 1, dtype=np.uint8)
        self.used = np.zeros(len(source.relation_names), dtype=bool)

    @property
    def vertices(self) -> int:
        """The number of vertices that occur."""
        parts = (self._seen[low : low + PIECE] for low in range(0, len(self._seen), PIECE))
        return sum(int(np.unpackbits(part).sum()) for part in parts)

    def __iter__(self) -> Iterator[tuple[Int64Array, Int64Array, Int64Array]]:
        for start in range(0, self._source.count, PIECE):
            stop = min(start + PIECE, self._source.count)
            head, relation, tail = self._source.piece(start, stop)
            self.used[relation] = True
            for ends in (head, tail):
                bits = np.left_shift(1, ends & 7).astype(np.uint8)
                np.bitwise_or.at(self._seen, ends >> 3, bits)
            self.written += len(head)
            yield self._renumbered(head), relation, self._renumbered(tail)
            self._progress.done(stop)
