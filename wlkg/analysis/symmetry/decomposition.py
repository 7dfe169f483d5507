"""Split what colours leave into independent blocks, until only hard cores remain.

A *block* is a set of vertices that is symmetric on its own; the whole graph is the first. One step
splits a block B, for all blocks at once:

1. A vertex alone in its class within B is fixed by every symmetry of B. Its arcs carry nothing.
2. If all pairs of two classes (or of one) within B have the same kind, these arcs carry nothing.
3. What is left falls into connected components. Single vertices are *loose*: those of one colour
   may be permuted at will. Every other component is a block of its own.

A block from which a step takes nothing away is a *core*. Blocks form a tree; children have larger
numbers than their parents.

Every vertex of a class has as many arcs of each relation into each class as any other, and all that
were not dropped lead into its own block. So the sizes of two classes within a block tell whether
all pairs have the same kind, and which: two blocks are isomorphic exactly if their loose vertices
have the same colours and their children are isomorphic.

Cost: a sort of the vertices and arcs that are left, per level of the tree. A level at which nothing
is dropped ends in cores; trees and other graphs without cores have about log n levels.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wlkg.analysis.symmetry.connected import connected_components
from wlkg.analysis.symmetry.remainder import Remainder
from wlkg.arrays import BoolArray, IntArray


@dataclass(frozen=True, eq=False)
class Decomposition:
    """The tree of blocks."""

    colours: IntArray
    #: The number of graphs: blocks 0, 1, ... are whole graphs.
    roots: int
    #: For each block the block it is part of; -1 for whole graphs.
    parent: IntArray
    is_core: BoolArray
    #: The vertices by the block in which they are loose, or by their core; then by colour.
    vertices: IntArray
    #: Block b has the ``vertices[offsets[b]:offsets[b + 1]]``.
    offsets: IntArray
    #: The arcs (source, neighbour, kind) of cores, by core.
    arcs: tuple[IntArray, IntArray, IntArray]
    arc_offsets: IntArray

    @property
    def num_blocks(self) -> int:
        return len(self.parent)

    def own_vertices(self, block: int) -> IntArray:
        """The loose vertices of a block, or the vertices of a core, by colour and number."""
        return self.vertices[self.offsets[block] : self.offsets[block + 1]]

    def core_arcs(self, core: int) -> tuple[IntArray, IntArray, IntArray]:
        """The arcs of a core: sources, neighbours, kinds."""
        chosen = slice(int(self.arc_offsets[core]), int(self.arc_offsets[core + 1]))
        source, neighbour, kind = self.arcs
        return source[chosen], neighbour[chosen], kind[chosen]


def decompose(left: Remainder) -> Decomposition:
    """The tree of blocks of one or several graphs."""
    roots = int(left.block.max(initial=-1)) + 1
    home = np.zeros(len(left.colours), dtype=np.int64)
    parents = [np.full(roots, -1, dtype=np.int64)]
    cores: list[IntArray] = []
    core_arcs: list[tuple[IntArray, IntArray, IntArray]] = []
    level = _Level(np.arange(len(home)), left.block, left.source, left.neighbour, left.kind)
    count = roots
    while len(level.vertices):
        step = level.split(left.colours)
        home[level.vertices] = level.block
        cores.append(step.cores)
        core_arcs.append(step.core_arcs)
        parents.append(step.parents)
        # Blocks are numbered on from those of the previous levels.
        level = step.below
        level.block += count
        count += len(step.parents)
    is_core = np.zeros(count, dtype=bool)
    is_core[np.concatenate([np.zeros(0, dtype=np.int64), *cores])] = True
    order = np.lexsort([left.colours, home])
    columns = [np.concatenate([np.zeros(0, np.int64), *c]) for c in zip(*core_arcs, strict=True)]
    columns = columns or [np.zeros(0, np.int64)] * 3
    by_core = np.argsort(home[columns[0]], kind="stable")
    return Decomposition(
        colours=left.colours,
        roots=roots,
        parent=np.concatenate(parents),
        is_core=is_core,
        vertices=order,
        offsets=_offsets(home, count),
        arcs=(columns[0][by_core], columns[1][by_core], columns[2][by_core]),
        arc_offsets=_offsets(home[columns[0]], count),
    )


def _offsets(blocks: IntArray, count: int) -> IntArray:
    return np.concatenate([[0], np.cumsum(np.bincount(blocks, minlength=count))])


@dataclass(eq=False)
class _Step:
    """What splitting a level leaves: cores, and the blocks below."""

    cores: IntArray
    core_arcs: tuple[IntArray, IntArray, IntArray]
    #: The parents of the new blocks.
    parents: IntArray
    below: _Level


@dataclass(eq=False)
class _Level:
    """The blocks of one level: their vertices, and arcs by positions in ``vertices``."""

    vertices: IntArray
    block: IntArray
    source: IntArray
    neighbour: IntArray
    kind: IntArray

    def split(self, colours: IntArray) -> _Step:
        kept = self._kept_arcs(colours[self.vertices])
        source, neighbour, kind = (
            column[kept] for column in (self.source, self.neighbour, self.kind)
        )
        count = len(self.vertices)
        root = connected_components(count, source, neighbour)
        sizes = np.bincount(root, minlength=count)
        blocks = int(self.block.max()) + 1
        block_sizes = np.bincount(self.block, minlength=blocks)
        dropped = np.bincount(self.block[self.source[~kept]], minlength=blocks)
        is_whole = (sizes[root] == block_sizes[self.block]) & (dropped[self.block] == 0)
        in_core = is_whole & (sizes[root] > 1)
        goes_on = (sizes[root] > 1) & ~in_core
        first, new = np.unique(root[goes_on], return_inverse=True)
        place = np.cumsum(goes_on) - 1
        arc_goes_on, arc_in_core = goes_on[source], in_core[source]
        return _Step(
            cores=np.unique(self.block[in_core]),
            core_arcs=(
                self.vertices[source[arc_in_core]],
                self.vertices[neighbour[arc_in_core]],
                kind[arc_in_core],
            ),
            parents=self.block[first],
            below=_Level(
                vertices=self.vertices[goes_on],
                block=new.astype(np.int64),
                source=place[source[arc_goes_on]],
                neighbour=place[neighbour[arc_goes_on]],
                kind=kind[arc_goes_on],
            ),
        )

    def _kept_arcs(self, colours: IntArray) -> BoolArray:
        """The arcs that the colours of their blocks do not determine."""
        keys = self.block * (int(colours.max(initial=0)) + 1) + colours
        _, cls, sizes = np.unique(keys, return_inverse=True, return_counts=True)
        one, two = cls[self.source], cls[self.neighbour]
        pairs, pair = np.unique(one * len(sizes) + two, return_inverse=True)
        bundles = pair * (int(self.kind.max(initial=0)) + 1) + self.kind
        _, bundle, counts = np.unique(bundles, return_inverse=True, return_counts=True)
        one, two = pairs // len(sizes), pairs % len(sizes)
        most = sizes[one] * sizes[two] - np.where(one == two, sizes[one], 0)
        # A class with one vertex: the arcs of a single kind lead to all of the other class, so
        # they are complete as well.
        is_complete = counts[bundle] == most[pair]
        return np.asarray(~is_complete)
